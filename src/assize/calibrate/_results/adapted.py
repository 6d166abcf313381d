"""What taking a calibrator to another set of conversations came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from assize.calibrate._calibrator import log_likelihood, predict_folds
from assize.calibrate._data.forms import Forms
from assize.calibrate._fitted import FittedCalibrator
from assize.calibrate._groups.held_out import predict_held_out
from assize.calibrate._hierarchical.adapt import SetLevel, adapt_default
from assize.calibrate._hierarchical.calibrator import Hierarchical
from assize.results import Result, Table
from assize.stats import Estimate, mean

FOLDS = 5


@dataclass(frozen=True, slots=True)
class Gain:
    """A figure of held labels, predicted without labels and with; lower is better."""

    before: Estimate
    after: Estimate
    difference: Estimate  # after less before, label by label; items are the independent units


@dataclass(frozen=True, slots=True)
class Adaptation(Result):
    """A calibrator taken to another set.

    Args:
        levels: of the set; one, or by unordered answer one.
        shifts: by question (and judge, where several answered it) how far the set's answers lie
            from those of fitting, in standard deviations of these; NaN where there are none.
        labels, items, raters: ratings that were learnt from, items and people they are by.
        new_raters: of them those whom the calibrator did not know.
        gains: squared error and log loss by cross-validation over items; none for labels of
            fewer than two items.
        out: the folder of the adapted calibrator.
        fitted: the adapted calibrator, with `predict` and `save`.
    """

    heading = "A calibrator on another set"
    labels: int
    items: int
    raters: int
    new_raters: Sequence[str]
    levels: Sequence[SetLevel]
    gains: Annotated[
        Mapping[str, Gain],
        Table("Did the labels help?", "Below 0 the labels made it better.", key="on held labels"),
    ]
    shifts: Annotated[
        Mapping[str, float],
        Table(
            "How far these answers lie from those of fitting, in standard deviations",
            "Far from 0 the set is unlike what was fitted.",
            key="answers to",
        ),
    ]
    out: str | None
    signature: str
    fitted: FittedCalibrator = field(repr=False)

    @property
    def notes(self) -> Sequence[str]:
        """What was learnt, and from what."""
        known = self.raters - len(self.new_raters)
        by = f"{self.raters:,} raters ({known:,} known, {len(self.new_raters):,} new)"
        lines = [f"{self.labels:,} labels of {self.items:,} items by {by}"]
        if self.fitted.target.ordered:
            level = self.levels[0]
            if self.labels:
                lines.append(
                    f"the set is rated {level.level:+.2f} (standard error {level.error:.2f}) beside"
                    " what its answers tell, in standard deviations of an answer"
                )
            lines.append(
                f"{level.kept:.0%} of what raters' levels were is kept; their own in the set have a"
                f" standard deviation of {level.variance**0.5:.2f}"
            )
        if not self.gains:
            lines.append("too few labels to say whether they help: give labels of more items")
        if self.out is not None:
            lines.append(f"{self.out}: the adapted calibrator")
        return lines


def gains_of(calibrator: Hierarchical, forms: Forms, rng: np.random.Generator) -> dict[str, Gain]:
    """Held labels (N), each predicted before, and by what the labels of other items have taught."""
    count = min(FOLDS, len(np.unique(forms.item)))
    if count < 2:
        return {}

    def adapt(labels: Forms) -> Hierarchical:
        return adapt_default(calibrator, labels)[0]

    without = adapt(forms.take(np.zeros(len(forms), dtype=bool)))
    before = predict_held_out(without, forms)[0].p
    after = predict_folds(
        forms,
        adapt,
        lambda adapted, held: predict_held_out(adapted, held)[0].p,
        folds=count,
        rng=rng,
    )
    losses = {"log loss": [-log_likelihood(p, forms.y) for p in (before, after)]}
    if calibrator.target.ordered:
        values = np.array(calibrator.target.values)
        errors = [(p @ values - values[forms.y]) ** 2 for p in (before, after)]
        losses = {"squared error": errors} | losses
    return {
        name: Gain(*(mean(part, clusters=forms.item) for part in (was, now, now - was)))
        for name, (was, now) in losses.items()
    }
