"""The heads of an evaluator that criteria were distilled into: a line each, and a labelling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assize.base.artefacts import open_artefact
from assize.base.errors import ConfigError, DataError
from assize.criteria._criterion import CriteriaSet, Labelling, Polarity
from assize.evaluator._artefact import EVALUATOR
from assize.evaluator._hub import local_folder
from assize.stats._arrays import FloatArray

ROLE = "criteria"  # of the file that an evaluator's folder keeps them in
_LEAST = 3  # conversations, for a line
_TOP = 10.0


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
        return np.clip(self.intercept + level, 0, _TOP)


def fit_line(raw: FloatArray, values: FloatArray, *, sat: bool) -> Line:
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
    """One criterion of an evaluator: its words when it was learnt, and its line."""

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

    def apply(self, criteria: CriteriaSet, where: str) -> tuple[CriteriaSet, Mapping[str, Line]]:
        """Return a set as this evaluator labels it, and the line of each of its criteria.

        A labelling that was learnt for other criteria together is left out.

        Raises:
            ConfigError: a criterion of the set is not among those learnt, or has other words.
        """
        known = {(head.criterion, head.polarity, _plain(head.text)): head for head in self.heads}
        lines, unknown = {}, []
        for criterion in criteria.criteria:
            head = known.get((criterion.id, criterion.polarity, _plain(criterion.text)))
            if head is None:
                unknown.append(criterion.id)
            else:
                lines[criterion.id] = head.line
        if unknown:
            raise ConfigError(
                f"{where} was not distilled for the criteria {', '.join(unknown[:3])} as they are"
                " worded here; score them on conversations and distil anew (assize criteria"
                " distill), or leave them out"
            )
        own = self.labelling
        fits = own is not None and own.wording == criteria.wording
        return replace(criteria, labelling=own if fits else None), lines


def load_heads(folder: str) -> Heads:
    """Return what the evaluator in a folder was distilled for.

    Raises:
        ConfigError: it was distilled for no criteria.
        DataError: the folder holds no evaluator.
    """
    artefact = open_artefact(EVALUATOR, local_folder(folder))
    heads = artefact.attached(ROLE, Heads, "distil the criteria anew")
    if heads is None:
        raise ConfigError(
            f"the evaluator in {folder} was not distilled for criteria; make one with"
            f" assize criteria distill FILE -j RUN -i CHATS --out {folder}"
        )
    return heads


def _plain(text: str) -> str:
    return " ".join(text.split())
