"""What a selection comes to: the criteria chosen, what they tell apart, and how surely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from assize.criteria.criterion import CriteriaSet, Criterion
from assize.criteria.selection.held_out import HeldOut
from assize.criteria.selection.objective import Objective
from assize.criteria.selection.pool import Mask
from assize.criteria.selection.weight import Tuned
from assize.criteria.selection.window import Yielded
from assize.formats.labels import Labels
from assize.results import Result, to_json
from assize.results.types import Estimate
from assize.stats import wilson
from assize.stats.arrays import FloatArray
from assize.stats.estimate import nullable


@dataclass(frozen=True, slots=True)
class Chosen:
    """One criterion of the set.

    Args:
        separation: mean evaluation of the class that it speaks of less that of the other, from
            -10 to 10.
        survives: share of bootstrap samples on which it is chosen; None where none were drawn.
        unscored: conversations on which nobody scored it; they count as neutral.
    """

    criterion: Criterion
    separation: float
    survives: float | None
    unscored: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A criterion of the pool that was not considered, and how often it was unscored."""

    criterion: Criterion
    unscored: int
    of: int


@dataclass(frozen=True, eq=False)
class Curves:
    """Precision of both labels by threshold, and the tanh that sharpness compares it with.

    Args:
        thresholds: (grid,) of NetSAT.
        positive: (grid,) share truly good among those above; NaN where there are none.
        negative: (grid,) share truly bad among those at or below.
        positive_tanh, negative_tanh: (grid,) mapped to the ranges of these.
    """

    thresholds: FloatArray
    positive: FloatArray
    negative: FloatArray
    positive_tanh: FloatArray
    negative_tanh: FloatArray

    @classmethod
    def of(cls, nets: FloatArray, good: Mask, objective: Objective) -> Self:
        """The curves of scores (N,), all of them known, of conversations with labels (N,)."""
        thetas, positive, negative = objective.curves(nets[None], good)
        rise = objective.shape(nets[None], good, thetas)[0]
        return cls(
            thetas[0],
            positive[0],
            negative[0],
            _on_range(rise, positive[0]),
            _on_range(-rise, negative[0]),
        )


def _on_range(shape: FloatArray, curve: FloatArray) -> FloatArray:
    """A shape in [-1, 1] mapped to the range of a curve."""
    low, high = np.nanmin(curve), np.nanmax(curve)
    found: FloatArray = low + (high - low) * (shape + 1) / 2
    return found


@dataclass(frozen=True, slots=True)
class Measures:
    """What a set of criteria makes of labelled conversations.

    Args:
        separation: of the class means of NetSAT.
        yielded: what the window labels.
        accuracy: of the threshold.
    """

    separation: float
    yielded: Yielded
    accuracy: float

    @property
    def shares(self) -> Mapping[str, Estimate]:
        """`accuracy`, `yield` and `precision` with Wilson's intervals, conversations being
        independent."""
        n, labelled = self.yielded.n, self.yielded.labelled
        right = round(self.yielded.precision * labelled) if labelled else 0
        return {
            "accuracy": wilson(round(self.accuracy * n), n),
            "yield": wilson(labelled, n),
            "precision": wilson(right, labelled),
        }


@dataclass(frozen=True, slots=True, eq=False)
class SelectedCriteria(Result):
    """The criteria that were chosen from a pool, and how well they label conversations.

    Args:
        criteria: chosen, in the order of choice, with threshold, window and probability;
            `assize criteria score` and `assize.load` take it.
        chosen: each with its figures.
        left_out: criteria that too few conversations were scored on.
        labels: what good and bad were.
        policy: by which they were chosen.
        weight: of sharpness.
        tuned: all weights that were tried; None where it was given.
        pool: how many criteria were considered.
        objective, sharpness_error: of the set, on all conversations.
        training: on the conversations that they were chosen on.
        held_out: on folds that they were chosen without; None where classes are too small.
        nets: (N,) NetSAT of each labelled conversation.
        items: their ids.
        good: (N,) their labels.
        curves: precision by threshold.
        imputed: evaluations that nobody made and that count as neutral, of `cells`.
        told: what a reader should know.
        signature: of pool, judgments, labels and settings.
    """

    criteria: CriteriaSet
    chosen: Sequence[Chosen]
    left_out: Sequence[LeftOut]
    labels: Labels
    policy: str
    weight: float
    tuned: Tuned | None
    pool: int
    objective: float
    sharpness_error: float
    training: Measures
    held_out: Measures | None
    folds: HeldOut | None
    nets: FloatArray
    items: Sequence[str]
    good: Sequence[bool]
    curves: Curves
    imputed: int
    cells: int
    told: Sequence[str]
    out: str | None
    signature: str

    tables_from = "assize.criteria.selected_tables:selected_tables"

    @property
    def lines(self) -> Sequence[str]:
        """What makes the selection reproducible."""
        return [self.signature]

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know of labels, scores and the set."""
        written = [] if self.out is None else [f"{self.out}: {len(self.chosen)} criteria"]
        return [*self.labels.notes, *self.told, *written]

    def to_json(self) -> dict[str, Any]:
        """Figures of the set and of each criterion."""
        labelling = self.criteria.labelling
        assert labelling is not None
        return {
            "policy": self.policy,
            "pool": self.pool,
            "labels": to_json(self.labels.summary),
            "n": len(self.items),
            "good": int(sum(self.good)),
            "objective": {
                "value": nullable(self.objective),
                "separation": self.training.separation,
                "sharpness_error": nullable(self.sharpness_error),
                "weight": self.weight,
            },
            "weights": None
            if self.tuned is None
            else [
                {"weight": one.weight, "yield": one.yielded, "separation": one.separation}
                for one in self.tuned.tried
            ],
            "labelling": labelling.to_json(),
            "training": _measures(self.training),
            "held_out": None if self.held_out is None else _measures(self.held_out),
            "criteria": [
                {
                    "id": one.criterion.id,
                    "polarity": one.criterion.polarity,
                    "text": one.criterion.text,
                    "separation": one.separation,
                    "survives": one.survives,
                    "unscored": one.unscored,
                }
                for one in self.chosen
            ],
            "left_out": [
                {"id": one.criterion.id, "unscored": one.unscored, "of": one.of}
                for one in self.left_out
            ],
            "imputed": self.imputed,
            "notes": list(self.notes),
            "signature": self.signature,
        }


def _measures(one: Measures) -> Mapping[str, Any]:
    return {
        "delta_netsat": one.separation,
        "yield": one.yielded.share,
        "labelled": one.yielded.labelled,
        "n": one.yielded.n,
        "precision": nullable(one.yielded.precision),
        "accuracy": one.accuracy,
        "intervals": {
            name: [nullable(end) for end in share.interval] for name, share in one.shares.items()
        },
    }
