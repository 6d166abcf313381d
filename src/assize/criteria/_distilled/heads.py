"""What an evaluator's heads mean for criteria: a line each, and how NetSAT becomes a label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assize.base.errors import ConfigError, DataError
from assize.criteria._criterion import CriteriaSet, Criterion, Labelling, Polarity
from assize.stats._arrays import FloatArray

ROLE = "criteria"  # of the file that an evaluator's folder keeps them in
_LEAST = 3  # conversations, for a line
_TOP = 10.0
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Line:
    """The evaluation that is expected at a raw number: a line, kept within 0 and 10."""

    slope: float
    intercept: float

    def __call__(self, raw: FloatArray) -> FloatArray:
        """Expected evaluations (N,) at raw numbers; NaN stays NaN.

        >>> Line(2.0, 4.0)(np.array([0.5, 9.0])).tolist()
        [5.0, 10.0]
        """
        level = np.zeros(len(raw)) if self.slope == 0 else self.slope * raw
        found: FloatArray = np.clip(self.intercept + level, 0, _TOP)
        return found


def line_of(raw: FloatArray, values: FloatArray, *, sat: bool) -> Line:
    """The line of least squares through raw numbers (N,) and evaluations (N,); NaN is left out.

    Args:
        raw: larger is better, also of DSAT criteria; of conversations that the head has not
            learnt from, or the line is too steep.
        values: from 0 to 10.
        sat: the criterion's polarity. A slope that runs against it is chance: it is 0, and
            every conversation gets the mean.

    Raises:
        DataError: no evaluation is known.
    """
    known = ~np.isnan(values)
    if not known.any():
        raise DataError("a criterion that nobody scored cannot be learnt")
    both = known & ~np.isnan(raw)
    flat = Line(0.0, float(values[known].mean()))
    if both.sum() < _LEAST or np.ptp(raw[both]) == 0:
        return flat
    x, y = raw[both], values[both]
    slope = float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
    if (slope > 0) != sat or slope == 0:
        return flat
    return Line(slope, float(y.mean() - slope * x.mean()))


@dataclass(frozen=True, slots=True)
class Head:
    """One criterion of an evaluator: what it said when it was learnt, and its line."""

    criterion: str  # its id, by which the evaluator's head is named
    polarity: Polarity
    text: str
    line: Line


@dataclass(frozen=True, slots=True)
class Heads:
    """All criteria of an evaluator, and the labelling that was learnt for its scores.

    Args:
        labelling: None where no labels were given.
    """

    heads: Sequence[Head]
    labelling: Labelling | None = None

    def of(self, given: CriteriaSet, where: str) -> tuple[CriteriaSet, Mapping[str, Line]]:
        """A set as this evaluator labels it, and the line of each of its criteria.

        A labelling that was learnt for other criteria together is left out.

        Raises:
            ConfigError: a criterion of the set is not among those learnt, or says something else.
        """
        known = {one.criterion: one for one in self.heads}
        new = [one.id for one in given.criteria if one.id not in known]
        if new:
            more = f" and {len(new) - _NAMED} more" if len(new) > _NAMED else ""
            raise ConfigError(
                f"{where} was not distilled for the criterion {', '.join(new[:_NAMED])}{more}; it"
                f" knows {', '.join(list(known)[:_NAMED])}{', ...' if len(known) > _NAMED else ''}:"
                " score it on conversations and distil anew (assize criteria distill), or leave it"
                " out"
            )
        for one in given.criteria:
            if (known[one.id].polarity, _plain(known[one.id].text)) != (
                one.polarity,
                _plain(one.text),
            ):
                raise ConfigError(
                    f"{where} was distilled for another version of the criterion {one.id}:"
                    f" {known[one.id].polarity} {known[one.id].text!r}; score the new one and"
                    " distil anew (assize criteria distill)"
                )
        own = self.labelling
        fits = own is not None and own.wording == given.wording
        scored = replace(given, labelling=own if fits else None)
        return scored, {one.id: known[one.id].line for one in given.criteria}


def evaluated(
    raw: Mapping[str, float], lines: Mapping[str, Line], given: Sequence[Criterion]
) -> dict[str, float]:
    """The expected evaluation of each criterion, from a conversation's raw numbers by head.

    A criterion without a head, for all conversations it was learnt from scored the same, gets
    its mean.
    """
    return {
        one.id: round(float(lines[one.id](np.array([raw.get(one.id, 0.0)]))[0]), 6) for one in given
    }


def _plain(text: str) -> str:
    return " ".join(text.split())
