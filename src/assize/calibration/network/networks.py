"""Published networks as a calibrator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.calibration.data.features import Block, Features, FloatArray
from assize.calibration.data.forms import NO_ANSWER, Forms, Scale
from assize.calibration.network.answer_embeddings import Code
from assize.calibration.network.training import Job, Network, Setting, train
from assize.errors import ConfigError


@dataclass(frozen=True, slots=True, eq=False)
class Networks:
    """Published networks, averaged; one where only one seed was trained."""

    target: Scale
    blocks: tuple[Block, ...]
    raters: tuple[str, ...]
    networks: tuple[Network, ...]

    @property
    def knows_strangers(self) -> bool:
        """Where rows were trained without their rater; otherwise the shared weights alone are
        nobody's: they are only identified together with a rater's own."""
        return all(one.setting.dropout > 0 or one.shape.raters == 0 for one in self.networks)

    def known(self, features: Features) -> NDArray[np.bool_]:
        """(N,) items with an answer to any question."""
        return ~features.empty

    def probabilities(self, features: Features, raters: Sequence[int]) -> FloatArray:
        """Answers (N, R, K) of some raters, by place in `raters`."""
        found = sum(network.everyone(features.x, raters) for network in self.networks)
        return np.asarray(found / len(self.networks))


def fit_networks(
    forms: Forms, setting: Setting, seeds: Sequence[int], codes: Sequence[Code] = ()
) -> Networks:
    """Trains the published network on all forms, once a seed, in one stack.

    Helpers take part in pre-training and are not among the networks' raters. For `codes`
    see `answer_codes`.

    Raises:
        ConfigError: the setting has a mean head.
        DataError, MissingExtra: see `train`.
    """
    if setting.head == "mean":
        raise ConfigError("a calibrator needs a distribution head; use `train` for a mean head")
    rows = np.flatnonzero((forms.y != NO_ANSWER) | forms.helping)
    trained = train(forms, [Job(setting, rows, seed) for seed in seeds], codes)
    return Networks(forms.target, forms.features.blocks, forms.trusted, tuple(trained))
