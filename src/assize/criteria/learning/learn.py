"""The run: from labelled conversations to a pool of criteria, interrupted, resumed, paid once.

Conversations are read side by side; mini-batches of one polarity follow one another, for each is
shown the criteria of those before it; SAT and DSAT go side by side.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from platform import python_version
from typing import Any

from assize.criteria.criterion import POLARITIES, CriteriaSet, Criterion, Pattern, Polarity
from assize.criteria.learning import deduplicate, summarise, update
from assize.criteria.learning.asking import Asked, Asker, Call
from assize.criteria.learning.extract import (
    Labelled,
    extract,
    pattern_line,
    patterns_of,
)
from assize.criteria.learning.learnt import Learnt, Side, Spent
from assize.criteria.learning.settings import Learning
from assize.criteria.learning.steps import Stage, Step, Steps, hash_of, steps_codec
from assize.criteria.reading import criteria_text
from assize.encoders import load_encoder
from assize.errors import AnswerError, BudgetError, TooLongError
from assize.formats import to_json
from assize.formats.writing import encoded, json_line
from assize.judging.session import Session, settings_of
from assize.judgment import Unscored
from assize.models import Models
from assize.models.replay import NotRecorded
from assize.running import Journal, Run, all_of, key_of, stopped_by_signals
from assize.running.durable import replace as replace_file
from assize.signature import content_hash
from assize.version import __version__

POOL = "criteria.yaml"
BESIDE = "criteria.learnt.yaml"  # in the place of the pool, where that was edited
PATTERNS = "patterns.jsonl"

Task = Callable[[], Coroutine[Any, Any, None]]
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


@dataclass
class Learner:
    """Makes patterns of conversations, and criteria of patterns."""

    learning: Learning  # resolved
    asker: Asker
    steps: Steps
    criteria: dict[Polarity, tuple[Criterion, ...]] = field(default_factory=dict)
    before: Counter[Polarity] = field(default_factory=Counter)
    batches: Counter[Polarity] = field(default_factory=Counter)
    stopped: set[Polarity] = field(default_factory=set)
    uncovered: Counter[Polarity] = field(default_factory=Counter)
    _read: dict[str, Step] = field(default_factory=dict)
    _patterns: dict[str, tuple[Pattern, ...]] = field(default_factory=dict)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """Of all conversations, in the order in which they are summarised."""
        return tuple(one for id in self._ordered() for one in self._patterns[id])

    def _ordered(self) -> list[str]:
        """Conversations in an order that no file decides: a sorted one would make batches alike."""
        return sorted(self._patterns, key=lambda one: (key_of(self.learning.seed, one), one))

    def reading(self, one: Labelled) -> Task:
        """Extracts the patterns of a conversation."""

        async def read() -> None:
            id = one.conversation.id
            given = [one.polarity, to_json(one.conversation)]
            step = await self.steps.take(
                "extract", id, given, lambda: extract(one, self.asker, self.learning)
            )
            self._read[id] = step
            self._patterns[id] = () if step.answer is None else patterns_of(one, step.answer)

        return read

    def read_all(self, labelled: Sequence[Labelled]) -> bool:
        """Whether every conversation has been asked about, and none waits for a batch."""
        return len(self._read) == len(labelled)

    def pooling(self, polarity: Polarity, labelled: Sequence[Labelled]) -> Task:
        """Summarises the patterns of one polarity and deduplicates the criteria."""
        ours = {one.conversation.id for one in labelled if one.polarity == polarity}
        patterns = [one for one in self.patterns if one.conversation in ours]
        size = self.learning.mini_batch
        parts = [patterns[at : at + size] for at in range(0, len(patterns), size)]
        self.batches[polarity] = len(parts)
        self.criteria[polarity] = ()

        async def pool() -> None:
            self.stopped.add(polarity)  # until its end is reached
            for number, part in enumerate(parts, start=1):
                if not await self._summarised(polarity, number, part):
                    return
            criteria = self.criteria[polarity]
            covered = {id for one in criteria for id in one.patterns}
            self.uncovered[polarity] = len(patterns) - len(covered)
            if self.learning.deduplicate and not await self.deduplicated(polarity):
                return
            self.stopped.discard(polarity)

        return pool

    async def _summarised(self, polarity: Polarity, number: int, part: Sequence[Pattern]) -> bool:
        """Takes a mini-batch in; False where it failed for a reason that passes."""
        earlier = self.criteria[polarity]
        spur = self.learning.method == "spur"
        call = (update.update if spur else summarise.summary)(
            polarity, number, part, earlier, self.learning
        )
        given = [[one.id, one.text, one.reason] for one in part], [one.text for one in earlier]
        stage: Stage = "update" if spur else "summarise"
        step = await self.steps.take(
            stage, f"{polarity}/{number}", given, lambda: self._asked(call)
        )
        if step.answer is None:
            return not step.again
        take_in = update.updated if spur else summarise.added
        self.criteria[polarity] = take_in(earlier, polarity, number, step.answer, part)
        self.before[polarity] = len(self.criteria[polarity])
        return True

    async def deduplicated(self, polarity: Polarity) -> bool:
        """Merges the criteria of one polarity that mean the same.

        False where a group could not be decided for a reason that passes.
        """
        criteria = self.criteria[polarity]
        groups = await self.groups(criteria)
        steps = await all_of(self._compared(polarity, group) for group in groups)
        for group, step in zip(groups, steps, strict=True):
            if step.answer is not None:
                criteria = deduplicate.merged(criteria, group, step.answer)
        self.criteria[polarity] = criteria
        return not any(step.again for step in steps)

    async def _compared(self, polarity: Polarity, group: Sequence[Criterion]) -> Step:
        call = deduplicate.comparison(polarity, group)
        texts = [one.text for one in group]
        return await self.steps.take(
            "deduplicate", f"{polarity}/{group[0].id}", texts, lambda: self._asked(call)
        )

    async def groups(self, criteria: Sequence[Criterion]) -> Sequence[tuple[Criterion, ...]]:
        """Criteria that look alike, by their embeddings."""
        if len(criteria) < 2:
            return []
        learning = self.learning

        def find() -> Sequence[tuple[Criterion, ...]]:
            encoder = load_encoder(learning.encoder)
            return deduplicate.look_alikes(criteria, encoder, learning.similarity)

        return await asyncio.to_thread(find)

    async def _asked(self, call: Call) -> Asked:
        try:
            return await self.asker.ask(call)
        except TooLongError as error:
            more = "; a smaller --mini-batch is shorter"
            return Asked(None, Unscored("too_long", f"{error}{more}"))

    def pool(self, name: str) -> CriteriaSet:
        """All criteria, SAT first."""
        found = (one for polarity in POLARITIES for one in self.criteria.get(polarity, ()))
        return CriteriaSet(name, tuple(found), self.learning.domain)

    def sides(self, labelled: Sequence[Labelled]) -> dict[Polarity, Side]:
        """What came of the conversations of each label."""
        return {polarity: self._side(polarity, labelled) for polarity in POLARITIES}

    def _side(self, polarity: Polarity, labelled: Sequence[Labelled]) -> Side:
        ids = [one.conversation.id for one in labelled if one.polarity == polarity]
        read = [self._read[id] for id in ids if id in self._read]
        used = [
            one
            for one in self.steps.used.values()
            if one.stage != "extract" and one.of.startswith(f"{polarity}/")
        ]
        found = [step for step in read if step.answer is not None]
        return Side(
            len(ids),
            Counter(step.unscored.reason for step in read if step.unscored is not None),
            sum(not (step.answer or {}).get("patterns") for step in found),
            sum(len(self._patterns[id]) for id in ids if id in self._patterns),
            self.batches[polarity],
            Counter(
                step.unscored.reason
                for step in used
                if step.unscored is not None and step.stage in ("summarise", "update")
            ),
            self.before[polarity],
            len(self.criteria.get(polarity, ())),
            self.uncovered[polarity],
            sum(step.unscored is not None for step in used if step.stage == "deduplicate"),
            polarity in self.stopped,
        )


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
