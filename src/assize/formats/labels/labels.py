"""Which conversations are good, which are bad, and why others have no label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assize.base.judgment import Judgment, Question
from assize.formats.labels.rule import Verdict
from assize.judgments import JudgmentTable
from assize.results.numbers import counted

LABEL = "label"
GOLD = "gold"
_FEW = 0.2  # share of the rarer class below which a reader should know of it
_SHOWN = 5  # values that a sentence names


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """A value that was seen, what the rule makes of it, and how many items have it."""

    value: str
    verdict: Verdict
    n: int


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels by item.

    Args:
        spec: where they come from.
        good: by item id, whether it is good; only items that have a label.
        values: that were seen, the most frequent first.
        mixed: items whose values say both good and bad.
        unknown: ids that a label file names and nobody else does.
        total: items, with and without a label.
        ratings: by item id, its number, where labels are numbers and not good or bad.
    """

    spec: str
    good: Mapping[str, bool] = field(repr=False)
    values: Sequence[LabelledValue] = ()
    mixed: int = 0
    unknown: Sequence[str] = ()
    total: int = 0
    ratings: Mapping[str, float] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.good) + len(self.ratings)

    @property
    def counts(self) -> tuple[int, int]:
        """How many are good, and how many bad."""
        good = sum(self.good.values())
        return good, len(self.good) - good

    @property
    def unlabelled(self) -> int:
        """Items without a label."""
        return self.total - len(self)

    @property
    def line(self) -> str:
        """How many are good, bad and without a label, in one line.

        >>> Labels("thumbs", {"a": True, "b": False, "c": True}, total=5).line
        'labels by thumbs: 2 good (67%), 1 bad, 2 without a label'
        """
        if self.ratings:
            left = f", {self.unlabelled:,} without one" if self.unlabelled else ""
            return f"labels by {self.spec}: {counted(len(self), 'number')}{left}"
        good, bad = self.counts
        share = f" ({100 * good / len(self):.0f}%)" if len(self) else ""
        left = f", {self.unlabelled:,} without a label" if self.unlabelled else ""
        return f"labels by {self.spec}: {good:,} good{share}, {bad:,} bad{left}"

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know of them: what was left out, and an imbalance."""
        found = [self.line]
        lost = [f"{one.value} ({one.n:,})" for one in self.values if one.verdict == "not mapped"]
        if lost:
            more = f" and {len(lost) - _SHOWN} more" if len(lost) > _SHOWN else ""
            found.append(f"values that the label does not map: {', '.join(lost[:_SHOWN])}{more}")
        if self.mixed:
            found.append(f"without a label, for values say both good and bad: {self.mixed:,}")
        if self.unknown:
            named = ", ".join(self.unknown[:3])
            found.append(f"{len(self.unknown):,} labels name no conversation that is here: {named}")
        rarer, kind = min(zip(self.counts, ("good", "bad"), strict=True))
        if self.good and rarer < _FEW * len(self):
            found.append(
                f"{kind} are only {rarer:,} of {len(self):,}: separation weighs both classes alike,"
                " precision takes them as they are unless a prevalence is given"
            )
        return found

    def column(self, items: Iterable[str]) -> NDArray[np.float64]:
        """(N,) 1 for a good item, 0 for a bad one, NaN for one without a label."""
        return np.array([float(self.good[one]) if one in self.good else np.nan for one in items])

    def to_judgments(self, question: str = LABEL) -> JudgmentTable:
        """The labels as judgments by `gold`: 1 for good, 0 for bad; ratings as their numbers."""
        if self.ratings:
            scores = [
                Judgment(item, GOLD, question, score=score) for item, score in self.ratings.items()
            ]
            return JudgmentTable.of(scores, [Question(question, kind="number", higher="better")])
        rows = [
            Judgment(item, GOLD, question, answer=str(int(one))) for item, one in self.good.items()
        ]
        return JudgmentTable.of(rows, [asked_as(question)])


def asked_as(question: str) -> Question:
    """The question that labels answer: 1 for good, 0 for bad."""
    return Question(
        question,
        "Is the conversation good?",
        "binary",
        ("0", "1"),
        (0.0, 1.0),
        {"0": "bad", "1": "good"},
        higher="better",
    )
