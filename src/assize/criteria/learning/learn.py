"""The run: from labelled conversations to a pool of criteria, interrupted, resumed, paid once.

Conversations are read side by side; mini-batches of one polarity follow one another, for each is
shown the criteria of those before it; SAT and DSAT go side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assize.criteria.criterion import POLARITIES, CriteriaSet, Pattern
from assize.criteria.learning import deduplicate, summarise, update
from assize.criteria.learning.extract import (
    Labelled,
    pattern_line,
)
from assize.criteria.learning.learner import Learner
from assize.criteria.learning.learnt import Learnt
from assize.criteria.learning.settings import Learning, asker_of
from assize.criteria.reading import criteria_text
from assize.formats.writing import encoded, json_line
from assize.judging.calls import Asked, Asker
from assize.judging.session import Session
from assize.judging.stepping import Note, spent_on, stepping
from assize.judging.steps import WRITTEN, Step, Steps, hash_of
from assize.models import Models
from assize.running.durable import replace as replace_file
from assize.signature import content_hash

POOL = "criteria.yaml"
BESIDE = "criteria.learnt.yaml"  # in the place of the pool, where that was edited
PATTERNS = "patterns.jsonl"


@dataclass(frozen=True, slots=True)
class LearningSession:
    """Everything that one `assize criteria learn` is told."""

    session: Session  # what is given, the folder, how models are asked
    labelled: Sequence[Labelled]
    learning: Learning
    model: str
    name: str = "criteria"  # of the pool

    def command(self, asker: Asker) -> dict[str, Any]:
        """What makes this run this run."""
        labels = [[one.conversation.id, one.good] for one in self.labelled]
        asked = self.session.asked
        return {
            **self.session.command(),
            "model": self.model,
            "labels": hash_of(sorted(labels)),
            **asdict(self.learning),
            "temperature": asked.temperature,
            "truncate": asked.truncate,
            "prompts": {name: asker.prompt(name).hash for name in prompts_of(self.learning)},
        }


def prompts_of(learning: Learning) -> tuple[str, ...]:
    """The prompts that a run asks with."""
    summarised = update.PROMPT if learning.method == "spur" else summarise.PROMPT
    last = (deduplicate.PROMPT,) if learning.deduplicate else ()
    return ("criteria-extract", summarised, *last)


async def learn_async(
    given: LearningSession,
    *,
    on_step: Callable[[Step], None] = lambda _: None,
    note: Note = lambda _: None,
) -> Learnt:
    """Asks what the folder does not hold yet, and writes pool and patterns there."""
    out = given.session.out
    async with Models(given.session.models, note=note) as models:
        asker = asker_of(models.open(given.model), given.session.asked)
        steps = Steps(on_step)
        prompts = {name: asker.version(name) for name in prompts_of(given.learning)}
        async with stepping(
            given.session,
            steps,
            models,
            command=given.command(asker),
            prompts=prompts,
            note=note,
        ) as opened:
            learner = Learner(given.learning, asker, steps)
            await opened.do(learner.reading(one) for one in given.labelled)
            if not opened.run.stopping and learner.read_all(given.labelled):
                pools = (learner.pooling(one, given.labelled) for one in POLARITIES)
                await opened.do(pools, at_once=len(POLARITIES))
            finished = await opened.settle()
            pool = learner.pool(given.name)
            told: tuple[str, ...] = ()
            if finished:
                told = await _written(out, pool, learner.patterns, steps)
        return Learnt(
            pool,
            learner.patterns,
            learner.sides(given.labelled),
            spent_on(steps, models.budget.spent),
            out,
            opened.run.interrupted,
            opened.waiting,
            told,
        )


async def _written(
    out: Path, pool: CriteriaSet, patterns: Sequence[Pattern], steps: Steps
) -> tuple[str, ...]:
    """Writes pool and patterns; what somebody has edited since is never written over."""
    replace_file(out / PATTERNS, (json_line(pattern_line(one)) for one in patterns))
    if not pool.criteria:
        return ()
    data = encoded(criteria_text(pool))
    place = out / POOL
    told: tuple[str, ...] = ()
    if place.exists() and place.read_bytes() != data and not _ours(place, steps):
        place = out / BESIDE
        told = (f"{out / POOL} was edited, so it stays; what was learnt now is in {place}",)
    if not place.exists() or place.read_bytes() != data:
        # Known as ours before it is there: a kill in between leaves nothing that looks edited.
        await steps.take(WRITTEN, place.name, content_hash(data), _nothing)
        replace_file(place, [data])
    return told


async def _nothing() -> Asked:
    return Asked(None)


def _ours(place: Path, steps: Steps) -> bool:
    """Whether a file is as we wrote it."""
    written = hash_of(content_hash(place.read_bytes()))
    return any(step.stage == WRITTEN and step.given == written for step in steps.known.values())
