"""The run: from labelled conversations to a pool of criteria, interrupted, resumed, paid once.

Conversations are read side by side; mini-batches of one polarity follow one another, for each is
shown the criteria of those before it; SAT and DSAT go side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from platform import python_version
from typing import Any

from assize.criteria.criterion import POLARITIES, CriteriaSet, Pattern
from assize.criteria.learning import deduplicate, summarise, update
from assize.criteria.learning.asking import Asked, Asker
from assize.criteria.learning.extract import (
    Labelled,
    pattern_line,
)
from assize.criteria.learning.learner import Learner, Task
from assize.criteria.learning.learnt import Learnt, Spent
from assize.criteria.learning.settings import Learning
from assize.criteria.learning.steps import Step, Steps, hash_of, steps_codec
from assize.criteria.reading import criteria_text
from assize.errors import AnswerError, BudgetError, TooLongError
from assize.formats.writing import encoded, json_line
from assize.judging.session import Session, settings_of
from assize.models import Models
from assize.models.replay import NotRecorded
from assize.running import Journal, Run, stopped_by_signals
from assize.running.durable import replace as replace_file
from assize.signature import content_hash
from assize.version import __version__

POOL = "criteria.yaml"
BESIDE = "criteria.learnt.yaml"  # in the place of the pool, where that was edited
PATTERNS = "patterns.jsonl"

Note = Callable[[str], None]


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
            **self.learning.to_json(),
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
        asker = Asker(models.open(given.model), given.session.asked)
        steps = Steps(on_step)
        journal = Journal(
            out,
            steps_codec(retry=given.session.run.retry),
            command=given.command(asker),
            about=_about(given, asker),
            on_stored=steps.add_stored,
        )
        with journal:
            models.budget.keep_in(journal.ledger)
            await models.collect()
            run: Run[Task, Step] = Run(journal, _done, note=note, halt=models.stop)
            steps.journal, steps.heard = journal, lambda asked: _heard(run, asked)
            learner = Learner(given.learning, asker, steps)
            with stopped_by_signals(run.stop):
                at_once = 8 + 2 * given.session.run.concurrency
                tasks = (learner.reading(one) for one in given.labelled)
                await run.do(tasks, at_once=at_once)
                if not run.stopping and learner.read_all(given.labelled):
                    pools = (learner.pooling(one, given.labelled) for one in POLARITIES)
                    await run.do(pools, at_once=len(POLARITIES))
            waiting = 0 if run.interrupted else await models.submit()
            pool = learner.pool(given.name)
            told: tuple[str, ...] = ()
            if not run.interrupted and not waiting:
                told = await _written(out, pool, learner.patterns, steps)
            await journal.flush()
        return Learnt(
            pool,
            learner.patterns,
            learner.sides(given.labelled),
            _spent(steps, models.budget.spent),
            out,
            run.interrupted,
            waiting,
            told,
        )


async def _done(task: Task) -> list[Step]:
    """A task keeps its steps itself, for a chain has several."""
    await task()
    return []


def _heard(run: Run[Task, Step], asked: Asked) -> None:
    """Counts failures where others are likely to fail as well."""
    if asked.unscored is None:
        run.succeeded()
    elif asked.error is not None and not isinstance(
        asked.error, BudgetError | TooLongError | NotRecorded | AnswerError
    ):
        run.failed(asked.error)


def _about(given: LearningSession, asker: Asker) -> dict[str, Any]:
    """What `run.json` says beside the command."""
    prompts = {name: asker.prompt(name) for name in prompts_of(given.learning)}
    return {
        "versions": {"assize": __version__, "python": python_version()},
        "prompts": {name: f"{one.version} {one.hash}" for name, one in prompts.items()},
        "settings": settings_of(given.session),
    }


def _spent(steps: Steps, booked: float) -> Spent:
    each = [step for step in steps.known.values() if step.stage != "written"]
    return Spent(
        sum(step.attempts for step in each if not step.usage.cached),
        sum(step.usage.cached for step in each),
        steps.usage(),
        sum(step.usage.cost_usd is None for step in each if step.attempts),
        booked,
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
        await steps.take("written", place.name, content_hash(data), _nothing)
        replace_file(place, [data])
    return told


async def _nothing() -> Asked:
    return Asked(None)


def _ours(place: Path, steps: Steps) -> bool:
    """Whether a file is as we wrote it."""
    written = hash_of(content_hash(place.read_bytes()))
    return any(step.stage == "written" and step.given == written for step in steps.known.values())
