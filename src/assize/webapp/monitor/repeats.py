"""Whether raters agree with themselves on items that came back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from assize import stats
from assize.judgments import Unit
from assize.stats import Estimate
from assize.webapp.monitor.collected import Answered, Collected, Work


@dataclass(frozen=True, slots=True)
class SelfAgreement:
    """Answers to items that came back, held to the first ones.

    Args:
        rater: None for all raters together.
        same: share of answers that are the same again; None of numbers.
        alpha: between both times, beyond what chance would bring.
    """

    rater: str | None
    question: str
    same: Estimate | None
    alpha: Estimate


def self_agreement(found: Collected, questions: Sequence[str]) -> list[SelfAgreement]:
    """Of all raters together, then of each, on each question; [] where nothing came back.

    Items are the independent units. The first repeat counts, with the first answer.
    """
    result = []
    for question in questions:
        first = found.answered(question)
        again = found.answered(question, _repeated)
        if not len(again) or again.question.kind == "text":
            continue
        pairs = _pairs(first, again)
        for rater in (None, *again.raters):
            mine = [one for one in pairs if rater in (None, one.rater)]
            values = np.array([(one.first, one.again) for one in mine], dtype=float)
            both = stats.self_consistency(
                values.reshape(-1, 2).T, level=first.level, clusters=[one.item for one in mine]
            )
            same = None if first.question.kind == "number" else both.agreement
            result.append(SelfAgreement(rater, question, same, both.alpha))
    return result


def _repeated(work: Work) -> bool:
    return work.purpose == "rate" and work.repeat == 1 and work.state == "done"


class _Pair(NamedTuple):
    """What one rater said of one item first, and when it came back."""

    rater: str
    item: str
    first: float
    again: float


def _pairs(first: Answered, again: Answered) -> list[_Pair]:
    before = dict(_by_place(first))
    return [
        _Pair(rater, unit[0], before[rater, unit], value)
        for (rater, unit), value in _by_place(again)
        if (rater, unit) in before
    ]


def _by_place(found: Answered) -> Iterator[tuple[tuple[str, Unit], float]]:
    columns = (found.rater.tolist(), found.unit.tolist(), found.value.tolist())
    for who, what, value in zip(*columns, strict=True):
        yield (found.raters[who], found.units[what]), value
