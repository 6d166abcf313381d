"""Published networks as a calibrator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError, DataError
from assize.calibrate._calibrator import Abilities, check_names
from assize.calibrate._data.features import Block, Features, FloatArray
from assize.calibrate._data.forms import NO_ANSWER, Forms, IntArray, Scale
from assize.calibrate._network.inputs import marked_blocks
from assize.calibrate._network.settings import Job
from assize.calibrate._network.trained_network import Network


@dataclass(frozen=True, slots=True, eq=False)
class Networks:
    """Published networks, averaged; one where only one seed was trained."""

    kind = "network"  # its row in `kinds.KINDS`
    target: Scale
    blocks: tuple[Block, ...]
    raters: tuple[str, ...]
    networks: tuple[Network, ...]

    def __post_init__(self) -> None:
        check_names(self.blocks, self.raters)
        columns = np.repeat([block.late for block in self.blocks], [b.width for b in self.blocks])
        if not self.networks:
            raise DataError("there is no network")
        for network in self.networks:
            shape, inputs = network.shape, network.inputs
            if network.setting.head != "distribution" or shape.answers[0] != len(self.target):
                raise DataError("a network does not predict the target")
            if shape.raters not in (any(shape.personal) * len(self.raters), len(self.raters)):
                raise DataError(f"a network of {shape.raters} raters is not of these raters")
            late = np.array_equal(inputs.late, np.flatnonzero(columns))
            if len(inputs.fill) != len(columns) or not late:
                raise DataError("the columns that a network reads are not the blocks'")
            if inputs.marked != (marked_blocks(self.blocks) if network.setting.mask else ()):
                raise DataError("the gaps that a network marks are not the blocks'")

    @property
    def abilities(self) -> Abilities:
        """Unknown raters where rows were trained without their rater: otherwise the shared
        weights alone are nobody's, being identified only together with a rater's own. Doubt
        where there are several networks, by how they differ."""
        shared = all(one.setting.dropout > 0 or one.shape.raters == 0 for one in self.networks)
        several = len(self.networks) > 1
        return Abilities(
            unknown_raters=shared,
            sample=self._members if several else None,
            gradient=self._gradient,
            refit=self._refit,
            missing=all(one.setting.mask > 0 for one in self.networks),
        )

    def known(self, features: Features) -> NDArray[np.bool_]:
        """(N,) items with an answer to any question."""
        return ~features.empty

    def for_items(self, features: Features, labels: Sequence[str | None] | None = None) -> Networks:
        """Return itself: a network knows no sets, and no distance."""
        return self

    def probabilities(self, features: Features, raters: Sequence[int]) -> FloatArray:
        """Answers (N, R, K) of some raters, by place in `raters`."""
        found = sum(network.everyone(features.x, raters) for network in self.networks)
        return np.asarray(found / len(self.networks))

    def _members(
        self, features: Features, raters: Sequence[int], draws: int, rng: np.random.Generator
    ) -> FloatArray:
        """Answers (networks, N, R, K) by each network."""
        return np.stack([network.everyone(features.x, raters) for network in self.networks])

    def _gradient(self, x: FloatArray, raters: Sequence[int]) -> FloatArray:
        """Gradient (N, D) of the expected answer, averaged over networks and raters."""
        found = np.zeros(x.shape)
        for network in self.networks:
            for rater in raters:
                found += network.gradient(x, rater, self.target.values)
        return found / (len(self.networks) * len(raters))

    def _refit(self, forms: Forms, rows: Sequence[IntArray], seed: int) -> list[Networks]:
        """As many calibrators of the same settings, each trained on its rows; a row that stands
        there twice counts twice."""
        from assize.calibrate._network.training import train

        if self.networks[0].vectors is not None:
            raise ConfigError("networks with vectors of answers cannot be refitted")
        kept = (forms.y != NO_ANSWER) | forms.by_helper
        count = len(self.networks)
        jobs = [
            Job(one.setting, some[kept[some]], seed + number * count + place)
            for number, some in enumerate(rows)
            for place, one in enumerate(self.networks)
        ]
        trained = train(forms, jobs)
        return [
            replace(self, raters=forms.trusted, networks=tuple(trained[start : start + count]))
            for start in range(0, len(trained), count)
        ]
