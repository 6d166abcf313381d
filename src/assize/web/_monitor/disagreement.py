"""The items on which raters disagree most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assize.judgments.values import scale_of
from assize.web._monitor.agreement import Parts, parts
from assize.web._monitor.collected import Answered


@dataclass(frozen=True, slots=True)
class Disputed:
    """An item, or a turn of one, about which raters do not agree.

    Args:
        answers: how often each was given, the lowest of the scale first.
        disagreement: mean distance of its answers as a share of the distance that chance would
            bring: 0 is full agreement, 1 is chance level, and more is possible.
    """

    item: str
    turn: int | None
    question: str
    answers: Mapping[str, int]
    disagreement: float

    @property
    def raters(self) -> int:
        """How many answered."""
        return sum(self.answers.values())


def disputed(found: Answered, given: Parts | None = None) -> list[Disputed]:
    """Units with two answers or more that are not all the same, the most disputed first.

    Args:
        given: the answers' parts in alpha, where they are known already.

    Source: an item's share of the observed disagreement in Krippendorff's alpha.
    """
    part = parts(found) if given is None else given
    m = found.ratings
    total = np.bincount(found.unit, np.nan_to_num(1 - part.own), len(m))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(m >= 2, total / m, 0.0)
    named = {value: answer for answer, value in scale_of(found.question).items()}
    order = np.argsort(found.unit, kind="stable")
    starts = np.cumsum(m) - m
    result = []
    for place in np.flatnonzero(mean > 1e-12).tolist():
        rows = order[starts[place] : starts[place] + m[place]]
        counts = Counter(found.value[rows].tolist())
        answers = {named.get(value, f"{value:g}"): counts[value] for value in sorted(counts)}
        item, turn = found.units[place]
        result.append(Disputed(item, turn, found.question.id, answers, float(mean[place])))
    return sorted(result, key=lambda one: (-one.disagreement, -one.raters, one.item))
