"""Raters who give the same answer everywhere, where the others do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assize import stats
from assize.judgments.values import scale_of
from assize.results import Estimate, Share
from assize.web._monitor.agreement import FEW, looked_at
from assize.web._monitor.collected import Answered

NEARLY_ALL = 0.9  # share of one answer from which a rater is looked at


@dataclass(frozen=True, slots=True)
class SameAnswer:
    """A rater's most frequent answer to one question.

    Args:
        answer: as the question names it.
        share: of the rater's answers that are it.
        more: how much larger that share is than the others', on the same items.
        longest: answers in a row, in the order of submission, that are the same.
        stands_out: at least 9 in 10 are it, and `more` is above 0 beyond doubt, all raters,
            questions and answers looked at together.
    """

    rater: str
    question: str
    answer: str
    share: Share
    more: Estimate
    longest: int
    stands_out: bool

    @property
    def verdict(self) -> str:
        """What it means, in words; "" where nothing stands out."""
        return f"nearly always answers {self.answer!r}" if self.stands_out else ""


def same_answers(asked: Sequence[Answered]) -> list[SameAnswer]:
    """Every rater's most frequent answer to every question that names its answers."""
    named = [one for one in asked if scale_of(one.question)]
    looks = sum(len(one.raters) * len(one.question.answers) for one in named)
    return [
        _of_rater(one, place, looks)
        for one in named
        for place in range(len(one.raters))
        if (one.rater == place).any()
    ]


def _of_rater(found: Answered, place: int, looks: int) -> SameAnswer:
    mine = found.rater == place
    values, counts = np.unique(found.value[mine], return_counts=True)
    common = float(values[counts.argmax()])
    is_it = (found.value == common).astype(float)
    m = found.ratings.astype(float)
    total = np.bincount(found.unit, is_it, len(m))
    with np.errstate(divide="ignore", invalid="ignore"):
        others = (total[found.unit] - is_it) / (m[found.unit] - 1)
    gap = np.where(m[found.unit] >= 2, is_it - others, np.nan)[mine]
    items = found.items[found.unit][mine]
    share = stats.share(is_it[mine], clusters=items)
    more = stats.mean(gap, clusters=items)
    wide = stats.mean(gap, clusters=items, interval=looked_at(looks, one_sided=True))
    beyond = more.clusters >= FEW and share.estimate >= NEARLY_ALL and wide.interval[0] > 0
    answer = next(name for name, value in scale_of(found.question).items() if value == common)
    return SameAnswer(
        found.raters[place],
        found.question.id,
        answer,
        share,
        more,
        _longest(found.value[mine][np.argsort(found.at[mine], kind="stable")]),
        bool(beyond),
    )


def _longest(values: np.ndarray) -> int:
    """The longest run of equal values."""
    ends = np.flatnonzero(np.diff(values)) + 1
    return int(np.diff([0, *ends, len(values)]).max())
