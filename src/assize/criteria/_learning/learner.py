"""From conversations to patterns to criteria: what is asked when, and what becomes of it."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from assize.criteria._criterion import POLARITIES, CriteriaSet, Criterion, Pattern, Polarity
from assize.criteria._learning import deduplicate, summarise
from assize.criteria._learning.extract import Labelled, extract, patterns_of
from assize.criteria._learning.settings import Learning
from assize.encoders import find_unreadable, load_encoder
from assize.formats import to_json
from assize.judging.calls import Asker
from assize.judging.steps import Step, Steps
from assize.running import all_of, key_of


@dataclass
class Learner:
    """Makes patterns of conversations, and criteria of patterns."""

    learning: Learning
    asker: Asker
    steps: Steps
    criteria: dict[Polarity, tuple[Criterion, ...]] = field(default_factory=dict)
    # of each label, by the fields of `LearnCounts`
    counts: dict[Polarity, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    stopped: set[Polarity] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    _patterns: dict[str, tuple[Pattern, ...]] = field(default_factory=dict)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """Of all conversations, in an order that no file decides: batches would be alike."""
        seed = self.learning.seed
        ordered = sorted(self._patterns, key=lambda name: (key_of(seed, name), name))
        return tuple(pattern for name in ordered for pattern in self._patterns[name])

    async def read(self, labelled: Labelled) -> None:
        """Extracts the patterns of a conversation."""
        name, polarity = labelled.conversation.id, labelled.polarity
        step = await self.steps.take(
            "extract",
            name,
            [polarity, to_json(labelled.conversation)],
            lambda: extract(labelled, self.asker, self.learning),
        )
        patterns = () if step.answer is None else patterns_of(labelled, step.answer)
        self._patterns[name] = patterns
        counts = self.counts[polarity]
        counts["patterns"] += len(patterns)
        if step.answer is None:
            counts["unscored"] += 1
        elif not patterns:
            counts["without"] += 1

    def read_all(self, labelled: Sequence[Labelled]) -> bool:
        """Whether every conversation has been asked about, and none waits for a batch."""
        return len(self._patterns) == len(labelled)

    async def pool(self, polarity: Polarity) -> None:
        """Summarises the patterns of one polarity and deduplicates the criteria."""
        patterns = [pattern for pattern in self.patterns if pattern.polarity == polarity]
        size = self.learning.how.mini_batch
        self.criteria[polarity] = ()
        self.stopped.add(polarity)  # until its end is reached
        for number, start in enumerate(range(0, len(patterns), size), start=1):
            if not await self._summarise(polarity, number, patterns[start : start + size]):
                return
        criteria = self.criteria[polarity]
        covered = {name for criterion in criteria for name in criterion.patterns}
        self.counts[polarity]["criteria"] = len(criteria)
        if len(covered) < len(patterns):
            left = f"{len(patterns) - len(covered)} of {len(patterns)}"
            self.notes.append(f"{polarity}: {left} patterns are in no criterion")
        if not self.learning.how.deduplicate or await self._deduplicate(polarity):
            self.stopped.discard(polarity)

    async def _summarise(self, polarity: Polarity, number: int, part: Sequence[Pattern]) -> bool:
        """Takes a mini-batch in; False where it failed for a reason that passes."""
        earlier = self.criteria[polarity]
        spur = self.learning.size is not None
        call = summarise.batch_call(polarity, number, part, earlier, self.learning)
        source = [[row.id, row.text, row.reason] for row in part], [row.text for row in earlier]
        step = await self.steps.take(
            call.place[1],
            f"{polarity}/{number}",
            source,
            lambda: self.asker.ask_or_unscored(call),
        )
        if step.answer is None:
            return not step.again
        take_in = summarise.updated if spur else summarise.added
        self.criteria[polarity] = take_in(earlier, polarity, number, step.answer, part)
        return True

    async def _deduplicate(self, polarity: Polarity) -> bool:
        """Merges the criteria of one polarity that mean the same.

        False where a group could not be decided for a reason that passes.
        """
        criteria = self.criteria[polarity]
        groups: Sequence[tuple[Criterion, ...]] = []
        if len(criteria) > 1:
            groups = await asyncio.to_thread(self._find_groups, polarity, criteria)
        steps = await all_of(self._compare(polarity, group) for group in groups)
        for group, step in zip(groups, steps, strict=True):
            if step.answer is not None:
                criteria = deduplicate.merged(criteria, group, step.answer)
        self.criteria[polarity] = criteria
        return not any(step.again for step in steps)

    async def _compare(self, polarity: Polarity, group: Sequence[Criterion]) -> Step:
        call = deduplicate.comparison(polarity, group)
        texts = [criterion.text for criterion in group]
        return await self.steps.take(
            "deduplicate",
            f"{polarity}/{group[0].id}",
            texts,
            lambda: self.asker.ask_or_unscored(call),
        )

    def _find_groups(
        self, polarity: Polarity, criteria: Sequence[Criterion]
    ) -> Sequence[tuple[Criterion, ...]]:
        """Criteria that look alike, by their embeddings."""
        encoder = load_encoder(self.learning.how.encoder)
        if unread := len(find_unreadable(encoder, [criterion.text for criterion in criteria])):
            self.notes.append(
                f"{polarity}: {unread} criteria were compared with none: most of their tokens are"
                " unknown to the encoder"
            )
        return deduplicate.look_alikes(criteria, encoder, self.learning.how.similarity)

    def criteria_set(self, name: str) -> CriteriaSet:
        """All criteria, SAT first."""
        criteria = (row for polarity in POLARITIES for row in self.criteria.get(polarity, ()))
        return CriteriaSet(name, tuple(criteria), self.learning.domain)
