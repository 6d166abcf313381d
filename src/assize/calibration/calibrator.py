"""Fitted calibrators: a distribution over answers for any item and rater.

`hierarchical/` holds the default one, `network/` the published network. Both know which blocks
of features they read, whom they know, and what they predict, and nothing of the items
they were fitted on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from assize.calibration.data.features import Block, Features, FloatArray
from assize.calibration.data.forms import UNKNOWN, Forms, Scale

Strangers = Literal["shared", "average"]
"""How a rater who is not known is predicted: by what raters share, or as their average."""


class Calibrator(Protocol):
    """What predicts raters' answers to one question."""

    @property
    def target(self) -> Scale:
        """What is predicted."""
        ...

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What it reads."""
        ...

    @property
    def raters(self) -> tuple[str, ...]:
        """Whom it knows."""
        ...

    @property
    def knows_strangers(self) -> bool:
        """Whether it has learnt what raters share, and so can predict UNKNOWN."""
        ...

    def known(self, features: Features) -> NDArray[np.bool_]:
        """(N,) items about which there is anything that it reads."""
        ...

    def probabilities(self, features: Features, raters: Sequence[int]) -> FloatArray:
        """Answers (N, R, K) of some raters, by place in `raters`; UNKNOWN is somebody else.

        `features` must be `aligned` with `blocks`. What is missing counts as average.
        """
        ...


def predict(
    calibrator: Calibrator,
    features: Features,
    raters: Sequence[int],
    strangers: Strangers = "shared",
) -> FloatArray:
    """Answers (N, R, K) of some raters; NaN for items about which nothing is known.

    Args:
        raters: places in `calibrator.raters`, or UNKNOWN.
        strangers: for UNKNOWN: `shared`, what raters have in common (the default model
            adds how much raters differ; a network that was not trained with drop-out has not
            learnt it, and averages); `average`, the mean over the known raters' distributions.

    Raises:
        DataError: the features hold nothing that the calibrator reads.
    """
    features = features.aligned(calibrator.blocks)
    found = calibrator.probabilities(features, raters)
    averaged = strangers == "average" or not calibrator.knows_strangers
    if averaged and UNKNOWN in raters:
        each = calibrator.probabilities(features, range(len(calibrator.raters)))
        found[:, [rater == UNKNOWN for rater in raters]] = each.mean(axis=1, keepdims=True)
    found[~calibrator.known(features)] = np.nan
    return found


def of_own_raters(calibrator: Calibrator, forms: Forms) -> FloatArray:
    """Answers (N, K) to each form by its own rater, from the form's own x.

    Args:
        forms: whose places of raters are the calibrator's.
    """
    found = np.empty((len(forms), len(calibrator.target)))
    for rater in np.unique(forms.rater).tolist():
        rows = forms.rater == rater
        asked = Features((), calibrator.blocks, forms.x[rows])
        found[rows] = calibrator.probabilities(asked, [rater])[:, 0]
    return found
