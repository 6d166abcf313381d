"""What taking a calibrator to another set of conversations came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from assize.calibration.data.forms import Forms, IntArray
from assize.calibration.fitted import FittedCalibrator
from assize.calibration.groups.held_out import predict_held_out
from assize.calibration.hierarchical.adapt import SetLevel, adapt_default
from assize.calibration.hierarchical.calibrator import Hierarchical
from assize.results import Result, ResultTable, columns
from assize.stats import Estimate, mean
from assize.stats.arrays import FloatArray
from assize.studies import dealt

FOLDS = 5
LEAST = 1e-12  # of a probability whose logarithm is taken


@dataclass(frozen=True, slots=True)
class Gain:
    """A figure of held labels, predicted without labels and with; lower is better."""

    before: Estimate
    after: Estimate
    difference: Estimate  # after less before, label by label; items are the independent units

    def to_json(self) -> dict[str, Any]:
        """All three."""
        named = {"before": self.before, "after": self.after, "difference": self.difference}
        return {name: one.to_json() for name, one in named.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Adaptation(Result):
    """A calibrator taken to another set.

    Args:
        fitted: the adapted calibrator, with `predict` and `save`.
        levels: of the set; one, or by unordered answer one.
        shifts: by question (and judge, where several answered it) how far the set's answers lie
            from those of fitting, in standard deviations of these; NaN where there are none.
        labels, items, raters: ratings that were learnt from, items and people they are by.
        new_raters: of them those whom the calibrator did not know.
        gains: squared error and log loss by cross-validation over items; none for labels of
            fewer than two items.
    """

    fitted: FittedCalibrator
    levels: Sequence[SetLevel]
    shifts: Mapping[str, float]
    labels: int
    items: int
    raters: int
    new_raters: Sequence[str]
    gains: Mapping[str, Gain]

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`helped` where there are labels of two items, and `shifts`."""
        named = columns("words", "on held labels") + columns("count", "n")
        named += columns("number", "before", "after", "difference", digits=3)
        rows = [
            (name, one.difference.n, one.before, one.after, one.difference)
            for name, one in self.gains.items()
        ]
        found = {"helped": ResultTable("Did the labels help?", named, rows)} if rows else {}
        shifted = columns("words", "answers to") + columns("number", "deviations", digits=2)
        title = "How far these answers lie from those of fitting"
        return {**found, "shifts": ResultTable(title, shifted, list(self.shifts.items()))}

    @property
    def notes(self) -> Sequence[str]:
        """What was learnt, and from what."""
        known = self.raters - len(self.new_raters)
        by = f"{self.raters:,} raters ({known:,} known, {len(self.new_raters):,} new)"
        said = [f"{self.labels:,} labels of {self.items:,} items by {by}"]
        if self.fitted.target.ordered:
            one = self.levels[0]
            if self.labels:
                said.append(
                    f"the set is rated {one.level:+.2f} (standard error {one.error:.2f}) beside"
                    " what its answers tell, in standard deviations of an answer"
                )
            said.append(
                f"{one.kept:.0%} of what raters' levels were is kept; their own in the set have a"
                f" standard deviation of {one.variance**0.5:.2f}"
            )
        if not self.gains:
            said.append("too few labels to say whether they help: give labels of more items")
        if self.fitted.folder is not None:
            said.append(f"{self.fitted.folder}: the adapted calibrator")
        return said

    def to_json(self) -> dict[str, Any]:
        """What was learnt, and whether it helped."""
        return {
            "labels": self.labels,
            "items": self.items,
            "raters": self.raters,
            "new_raters": list(self.new_raters),
            "levels": [asdict(one) for one in self.levels],
            "shifts": {name: None if np.isnan(v) else v for name, v in self.shifts.items()},
            "helped": {name: one.to_json() for name, one in self.gains.items()},
            "out": self.fitted.folder,
            "signature": self.fitted.signature,
        }


def gains_of(calibrator: Hierarchical, forms: Forms, rng: np.random.Generator) -> dict[str, Gain]:
    """Held labels (N), each predicted before, and by what the labels of other items have taught."""
    count = min(FOLDS, len(np.unique(forms.item)))
    if count < 2:
        return {}
    fold: IntArray = dealt(forms.item, count, rng)
    size = len(forms), len(calibrator.target)
    before, after = np.empty(size), np.empty(size)
    without, _ = adapt_default(calibrator, forms.take(np.zeros(len(forms), dtype=bool)))
    for one in range(count):
        held = fold == one
        adapted, _ = adapt_default(calibrator, forms.take(~held))
        for found, by in ((before, without), (after, adapted)):
            found[held] = predict_held_out(by, forms.take(held))[0].p
    losses = {"log loss": [_log_loss(p, forms.y) for p in (before, after)]}
    if calibrator.target.ordered:
        values = np.array(calibrator.target.values)
        errors = [(p @ values - values[forms.y]) ** 2 for p in (before, after)]
        losses = {"squared error": errors} | losses
    return {
        name: Gain(*(mean(part, clusters=forms.item) for part in (was, now, now - was)))
        for name, (was, now) in losses.items()
    }


def _log_loss(p: FloatArray, y: IntArray) -> FloatArray:
    return np.asarray(-np.log(np.maximum(p[np.arange(len(y)), y], LEAST)))
