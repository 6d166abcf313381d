"""What a selection comes to: the criteria chosen, what they tell apart, and how surely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Self

import numpy as np

from assize.criteria._criterion import CriteriaSet, Labelling
from assize.criteria._selection.held_out import HeldOut
from assize.criteria._selection.objective import Objective
from assize.criteria._selection.pool import Mask
from assize.criteria._selection.weight import Tuned
from assize.criteria._selection.window import Yielded
from assize.formats.labels import Labels
from assize.results import Column, Hidden, Percent, Result, Share, Table
from assize.results.numbers import percent
from assize.stats import wilson
from assize.stats._arrays import FloatArray

_MOST = 200  # criteria that are shown, and 50 of those left out
Net = Annotated[float, Column(digits=2)]


@dataclass(frozen=True, slots=True)
class ChosenCriterion:
    """One criterion of the set.

    Args:
        place: in the order of choice, from 1.
        polarity: `sat` or `dsat`.
        separation: mean evaluation of the class that it speaks of less that of the other, from
            -10 to 10.
        survives: share of bootstrap samples on which it is chosen; None where none were drawn.
        unscored: conversations on which nobody scored it; they count as neutral.
    """

    place: Hidden[int]
    id: Hidden[str]
    criterion: Annotated[str, Column(cut=True)]
    polarity: str
    separation: Annotated[float, Column(digits=2, signed=True)]
    survives: Annotated[float | None, Column(kind="percent", digits=0, unit="%")]
    unscored: int


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
    return np.asarray(low + (high - low) * (shape + 1) / 2)


@dataclass(frozen=True, slots=True)
class SelectionFigures:
    """What a set of criteria makes of labelled conversations.

    Args:
        measured_on: `training`, the conversations that it was chosen on, or `held out`.
        separation: NetSAT of good conversations less that of bad ones.
        sharpness_error: of all conversations; None of those held out.
        accuracy: of the threshold, with Wilson's interval, as the others.
        labelled: by the window, at the precision wanted.
        precision: of these labels; NaN where nothing is labelled.
    """

    measured_on: str
    separation: Annotated[float, Column(digits=2)]
    sharpness_error: Annotated[float | None, Column(digits=4)]
    accuracy: Percent[Share]
    labelled: Annotated[Share, Column("yield", kind="percent", digits=1, unit="%")]
    precision: Percent[Share]

    @classmethod
    def of(
        cls,
        measured_on: str,
        separation: float,
        yielded: Yielded,
        accuracy: float,
        sharpness_error: float | None = None,
    ) -> Self:
        """Return the figures with their intervals, conversations being independent."""
        right = round(yielded.precision * yielded.labelled) if yielded.labelled else 0
        return cls(
            measured_on,
            separation,
            sharpness_error,
            wilson(round(accuracy * yielded.n), yielded.n),
            wilson(yielded.labelled, yielded.n),
            wilson(right, yielded.labelled),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedCriteria(Result):
    """The criteria that were chosen from a pool, and how well they label conversations.

    Args:
        policy: by which they were chosen.
        pool: how many criteria were considered.
        n, good: conversations, and good ones among them.
        weight: of sharpness.
        objective: of the set, on all conversations: separation less weight times sharpness error.
        figures: on the conversations that the set was chosen on, and on folds that it was chosen
            without, unless classes are too small for folds.
        labels: what good and bad were.
        labelling: threshold, window and probability of the set.
        imputed: evaluations that nobody made and that count as neutral.
        signature: of pool, judgments, labels and settings.
        criteria: chosen, in the order of choice, with threshold, window and probability;
            `assize criteria score` and `assize.load` take it.
        held_out: NetSAT of folds by criteria that were chosen without them; None without folds.
        tuned: all weights that were tried; None where it was given.
        nets, items, good_items: (N,) NetSAT of each labelled conversation, its id and its label.
        curves: precision by threshold.
    """

    heading: ClassVar[str] = "Criteria selected"

    policy: str
    pool: Annotated[int, Column("criteria in the pool")]
    n: Annotated[int, Column("conversations")]
    good: int
    weight: float
    objective: float
    chosen: Annotated[
        Sequence[ChosenCriterion],
        Table(
            "Criteria in the order of choice",
            "Separation is the mean evaluation of the class that a criterion speaks of, less that"
            " of the other, of 10. All criteria weigh alike in NetSAT.",
            most=_MOST,
        ),
    ]
    figures: Annotated[
        Sequence[SelectionFigures],
        Table(
            "What they tell apart",
            "How far NetSAT parts good conversations from bad ones, and how many it can label.",
        ),
    ]
    labels: Labels
    labelling: Labelling
    imputed: Hidden[int]
    notes: Sequence[str] = ()
    signature: str
    out: str | None = None
    settings: Mapping[str, object] = field(default_factory=dict, repr=False)
    criteria: CriteriaSet = field(repr=False)
    held_out: HeldOut | None = field(repr=False)
    tuned: Tuned | None
    nets: FloatArray = field(repr=False)
    items: Sequence[str] = field(repr=False)
    good_items: Sequence[bool] = field(repr=False)
    curves: Curves = field(repr=False)

    @property
    def sentence(self) -> str:
        """How many were chosen, and what they label."""
        best = self.figures[-1]
        where = "" if self.held_out is None else " of conversations held out"
        return (
            f"{len(self.chosen):,} of {self.pool:,} criteria, chosen by {self.policy} on"
            f" {self.good:,} good and {self.n - self.good:,} bad conversations, label"
            f" {percent(best.labelled.estimate)}{where} at {percent(self.labelling.precision, 0)}"
            " precision."
        )

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """The window in words, and what the figures are of."""
        held_out = (
            "Held out: each fold is scored by criteria that were chosen without it, so there is no"
            " single curve to take a sharpness error of."
            if self.held_out is not None
            else "Chosen and measured on the same conversations: on new ones expect less."
        )
        stability = (
            "Survives: the share of bootstrap samples in which a criterion is chosen. Near 50%,"
            " another criterion separates as well."
            if any(row.survives is not None for row in self.chosen)
            else "How stable the choice is was not asked (--stability 100)."
        )
        return {
            "chosen": [stability],
            "figures": [window_sentence(self.labelling), held_out],
        }


def window_sentence(labelling: Labelling) -> str:
    """Return the window of a set in words, and where it and the threshold disagree."""
    low, high = labelling.low, labelling.high
    bad = "none is labelled bad" if low is None else f"bad up to {low:g}"
    good = "none is labelled good" if high is None else f"good above {high:g}"
    rest = "left open between" if low != high else "none is left open"
    if low is None or high is None:
        rest = "all others are left open"
    text = f"NetSAT: {bad}, {good}, {rest}; threshold {labelling.threshold:.2f}."
    return text + _disagreement(labelling)


def _disagreement(labelling: Labelling) -> str:
    """Say where the threshold and the window disagree, as where one class is rare."""
    low, high, middle = labelling.low, labelling.high, labelling.threshold
    if high is not None and middle > high:
        label, side, between = "good", "below", f"{high:g} to {middle:.2f}"
    elif low is not None and middle < low:
        label, side, between = "bad", "above", f"{middle:.2f} to {low:g}"
    else:
        return ""
    return (
        f" Scores from {between} are labelled {label}, though they lie {side}"
        " the threshold: with these shares of good and bad the precision holds there too."
    )
