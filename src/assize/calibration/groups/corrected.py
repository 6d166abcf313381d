"""A calibrator as it is used: with the correction that was learnt for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assize.calibration.artefact import load, signature
from assize.calibration.calibrator import Calibrator, UnknownAs, predict
from assize.calibration.data.features import Features, FloatArray
from assize.calibration.data.forms import UNKNOWN
from assize.calibration.groups.membership import RATER, Labels
from assize.calibration.groups.multicalibration import Correction, load_correction
from assize.errors import ConfigError


@dataclass(frozen=True, slots=True, eq=False)
class CorrectedCalibrator:
    """A calibrator as it is used: with the correction that was learnt for it, if there is one.

    Whatever reads a calibrator's folder predicts through this, so that all say the same.
    """

    calibrator: Calibrator
    correction: Correction | None = None

    @property
    def signature(self) -> str:
        """Of everything that predictions come from: the correction's, which holds the
        calibrator's, or the calibrator's own."""
        return self.correction.signature if self.correction else signature(self.calibrator)

    @property
    def fields(self) -> tuple[str, ...]:
        """By what groups are corrected; () where no group is."""
        return self.correction.needed if self.correction else ()

    def predict(
        self,
        features: Features,
        raters: Sequence[int],
        groups: Labels | None = None,
        unknown_as: UnknownAs = "shared",
    ) -> FloatArray:
        """Answers (N, R, K) of some raters; NaN for items about which nothing is known.

        Args:
            raters: places in `calibrator.raters`, or UNKNOWN, who is in no rater's group.
            groups: by field but `rater`, the group (N,) of every item: see `unit_labels`.
            strangers: as in `calibrator.predict`.

        Raises:
            ConfigError: a field that is corrected by is not among the groups.
            DataError: the features hold nothing that the calibrator reads.
        """
        found = predict(self.calibrator, features, raters, unknown_as)
        if self.correction is None:
            return found
        given = groups or {}
        lacking = [field for field in self.fields if field != RATER and field not in given]
        if lacking:
            problem = f"corrected is by {', '.join(lacking)}: give the groups of the items"
            raise ConfigError(f"{problem}, or leave the correction out")
        each = []
        for place, rater in enumerate(raters):
            name = None if rater == UNKNOWN else self.calibrator.raters[rater]
            labels = {**given, RATER: (name,) * len(found)}
            each.append(self.correction.apply(found[:, place], labels, self.calibrator.target))
        return np.stack(each, axis=1)


def open_corrected(folder: str | Path, *, uncorrected: bool = False) -> CorrectedCalibrator:
    """The calibrator of a folder, with the correction beside it.

    Args:
        uncorrected: leaves the correction out, and is not hindered by one that does not fit.

    Raises:
        DataError: a file is missing or damaged, or the correction is another calibrator's.
    """
    calibrator = load(folder)
    return CorrectedCalibrator(
        calibrator, None if uncorrected else load_correction(folder, calibrator)
    )
