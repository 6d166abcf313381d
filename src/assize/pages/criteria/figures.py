"""What the pages of criteria draw alike: NetSAT by class, and precision by threshold."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from assize.criteria._criterion import Labelling
from assize.criteria._selected import Curves
from assize.pages import charts
from assize.pages.charts.windows import BAD, GOOD, UNKNOWN, Cuts
from assize.stats._arrays import FloatArray

ABOVE, BELOW = "Prec+ (called good)", "Prec– (called bad)"
POINTS = 201  # of a curve that are drawn


def cuts_of(labelling: Labelling | None) -> Cuts:
    """Threshold and window of a set; none where it has learnt none."""
    if labelling is None:
        return Cuts()
    low = -math.inf if labelling.low is None else labelling.low
    high = math.inf if labelling.high is None else labelling.high
    return Cuts(labelling.threshold, low, high)


def netsat(
    nets: FloatArray,
    good: Sequence[bool | None],
    cuts: Cuts,
) -> charts.Spec:
    """Histograms of NetSAT, one a class; what has no label is a class of its own.

    Args:
        nets: (N,) NaN is left out.
        good: (N,) labels; None where there is none.
    """
    label = np.array([-1 if one is None else int(one) for one in good])
    known = ~np.isnan(nets)
    only = "no label" if (label >= 0).any() else "conversations"
    classes = {
        name: (nets[known & (label == value)].tolist(), colour)
        for name, value, colour in (("good", 1, GOOD), ("bad", 0, BAD), (only, -1, UNKNOWN))
    }
    return charts.class_histograms(classes, cuts=cuts)


def precision(curves: Curves, cuts: Cuts, wanted: float | None) -> charts.Spec:
    """Precision of both labels by threshold, and the tanh that sharpness compares it with."""
    step = max(1, -(-len(curves.thresholds) // POINTS))
    kept = slice(None, None, step)
    both = {
        ABOVE: (curves.positive[kept].tolist(), curves.positive_tanh[kept].tolist()),
        BELOW: (curves.negative[kept].tolist(), curves.negative_tanh[kept].tolist()),
    }
    return charts.precision_curves(
        curves.thresholds[kept].tolist(), both, cuts=cuts, precision=wanted
    )
