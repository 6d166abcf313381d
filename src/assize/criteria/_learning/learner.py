"""From conversations to patterns to criteria: what is asked when, and what becomes of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from assize.base.errors import TooLongError
from assize.base.judgment import Unscored
from assize.criteria._criterion import POLARITIES, CriteriaSet, Criterion, Pattern, Polarity
from assize.criteria._learning import deduplicate, summarise, update
from assize.criteria._learning.extract import Labelled, extract, patterns_of
from assize.criteria._learning.learnt import Side
from assize.criteria._learning.settings import Learning
from assize.encoders import find_unreadable, load_encoder
from assize.formats import to_json
from assize.judging.calls import Asker, Call
from assize.judging.retries import Asked
from assize.judging.steps import Step, Steps
from assize.running import all_of, key_of


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
    unread: Counter[Polarity] = field(default_factory=Counter)
    _read: dict[str, Step] = field(default_factory=dict)
    _patterns: dict[str, tuple[Pattern, ...]] = field(default_factory=dict)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """Of all conversations, in the order in which they are summarised."""
        return tuple(one for id in self._ordered() for one in self._patterns[id])

    def _ordered(self) -> list[str]:
        """Conversations in an order that no file decides: a sorted one would make batches alike."""
        return sorted(self._patterns, key=lambda one: (key_of(self.learning.seed, one), one))

    async def read(self, one: Labelled) -> None:
        """Extracts the patterns of a conversation."""
        id = one.conversation.id
        given = [one.polarity, to_json(one.conversation)]
        step = await self.steps.take(
            "extract", id, given, lambda: extract(one, self.asker, self.learning)
        )
        self._read[id] = step
        self._patterns[id] = () if step.answer is None else patterns_of(one, step.answer)

    def read_all(self, labelled: Sequence[Labelled]) -> bool:
        """Whether every conversation has been asked about, and none waits for a batch."""
        return len(self._read) == len(labelled)

    async def pool(self, polarity: Polarity, labelled: Sequence[Labelled]) -> None:
        """Summarises the patterns of one polarity and deduplicates the criteria."""
        ours = {one.conversation.id for one in labelled if one.polarity == polarity}
        patterns = [one for one in self.patterns if one.conversation in ours]
        size = self.learning.mini_batch
        parts = [patterns[at : at + size] for at in range(0, len(patterns), size)]
        self.batches[polarity] = len(parts)
        self.criteria[polarity] = ()
        self.stopped.add(polarity)  # until its end is reached
        for number, part in enumerate(parts, start=1):
            if not await self._summarised(polarity, number, part):
                return
        criteria = self.criteria[polarity]
        covered = {id for one in criteria for id in one.patterns}
        self.uncovered[polarity] = len(patterns) - len(covered)
        if self.learning.deduplicate and not await self._deduplicated(polarity):
            return
        self.stopped.discard(polarity)

    async def _summarised(self, polarity: Polarity, number: int, part: Sequence[Pattern]) -> bool:
        """Takes a mini-batch in; False where it failed for a reason that passes."""
        earlier = self.criteria[polarity]
        spur = self.learning.method == "spur"
        call = (update.update if spur else summarise.summary)(
            polarity, number, part, earlier, self.learning
        )
        given = [[one.id, one.text, one.reason] for one in part], [one.text for one in earlier]
        stage = "update" if spur else "summarise"
        step = await self.steps.take(
            stage, f"{polarity}/{number}", given, lambda: self._asked(call)
        )
        if step.answer is None:
            return not step.again
        take_in = update.updated if spur else summarise.added
        self.criteria[polarity] = take_in(earlier, polarity, number, step.answer, part)
        self.before[polarity] = len(self.criteria[polarity])
        return True

    async def _deduplicated(self, polarity: Polarity) -> bool:
        """Merges the criteria of one polarity that mean the same.

        False where a group could not be decided for a reason that passes.
        """
        criteria = self.criteria[polarity]
        groups = await self._groups(polarity, criteria)
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

    async def _groups(
        self, polarity: Polarity, criteria: Sequence[Criterion]
    ) -> Sequence[tuple[Criterion, ...]]:
        """Criteria that look alike, by their embeddings."""
        if len(criteria) < 2:
            return []
        learning = self.learning

        def find() -> Sequence[tuple[Criterion, ...]]:
            encoder = load_encoder(learning.encoder)
            texts = [criterion.text for criterion in criteria]
            self.unread[polarity] = len(find_unreadable(encoder, texts))
            return deduplicate.look_alikes(criteria, encoder, learning.similarity)

        return await asyncio.to_thread(find)

    async def _asked(self, call: Call) -> Asked:
        try:
            return await self.asker.ask(call)
        except TooLongError as error:
            more = "; a smaller --mini-batch is shorter"
            return Asked(None, Unscored("too_long", f"{error}{more}"))

    def criteria_set(self, name: str) -> CriteriaSet:
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
            self.unread[polarity],
        )
