"""Predictions as judgments: a row an item and rater, by the judge `calibration:<rater>`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assize.calibration.artefact import load, signature
from assize.calibration.calibrator import Calibrator, UnknownAs, predict
from assize.calibration.data.binning import is_binned, quantiles
from assize.calibration.data.features import Features, FloatArray, Unit
from assize.calibration.data.forms import UNKNOWN, Scale
from assize.calibration.groups.membership import RATER, Labels
from assize.calibration.groups.multicalibration import Correction, load_correction
from assize.calibration.prediction.aggregate import Aggregate, aggregate
from assize.calibration.prediction.decode import Loss, decide, describe
from assize.errors import ConfigError
from assize.judgment import Judgment, Unscored

UNKNOWN_NAME = "unknown"
ROWS = 10_000  # items predicted at a time
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)  # quantiles of a number
_LEVELS = tuple(f"{level:g}" for level in LEVELS)
_EMPTY = Unscored("missing", "no answer by a model about this item is known")


def rater_places(calibrator: Calibrator, wanted: str, trusted: str | None = None) -> list[int]:
    """Places of the raters that users write as `all`, `unknown`, or ids with commas.

    Args:
        trusted: written likewise; only those of `wanted` that are among them are kept.

    Raises:
        ConfigError: an id is not among the calibrator's, or nobody is left.
    """
    if trusted is not None:
        both = set(rater_places(calibrator, wanted))
        kept = [one for one in rater_places(calibrator, trusted) if one in both]
        if not kept:
            raise ConfigError(f"none of --trusted {trusted} is among --raters {wanted}")
        return kept
    if wanted in calibrator.raters:  # whose id may hold a comma
        return [calibrator.raters.index(wanted)]
    if wanted == "all":
        return list(range(len(calibrator.raters)))
    places = []
    for name in [part.strip() for part in wanted.split(",") if part.strip()]:
        if name in calibrator.raters:
            places.append(calibrator.raters.index(name))
        elif name == UNKNOWN_NAME:
            places.append(UNKNOWN)
        else:
            known = ", ".join(calibrator.raters[:12])
            more = ", ..." if len(calibrator.raters) > 12 else ""
            raise ConfigError(f"rater {name!r} is not known; known are {known}{more}; or unknown")
    if not places:
        raise ConfigError("name at least one rater, or all, or unknown")
    return list(dict.fromkeys(places))


def judge_name(calibrator: Calibrator, rater: int) -> str:
    """The judge's name in judgments."""
    name = UNKNOWN_NAME if rater == UNKNOWN else calibrator.raters[rater]
    return f"calibration:{name}"


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


def judgments(
    fitted: CorrectedCalibrator,
    features: Features,
    raters: Sequence[int],
    *,
    groups: Labels | None = None,
    unknown_as: UnknownAs = "shared",
    loss: Loss | None = None,
    unordered: bool = False,
    together: Aggregate | None = None,
) -> Iterator[Judgment]:
    """Predictions, item by item and rater by rater, with the signature of what made them.

    `score` is the mean (none for unordered answers unless `unordered` asks for that of
    their places), `distribution` the probabilities; `details` hold entropy, variance and
    P(answer <= k), and quantiles where a number is predicted. An item about which nothing is
    known is unscored with the reason `missing`.

    Args:
        features: of the items.
        raters: places in `calibrator.raters`, or UNKNOWN.
        groups: by field, the group of every item; what a correction needs.
        together: one row an item by `calibration:mean` or `calibration:max` of these raters,
            corrected each, instead of a row each.
        loss: makes `answer` the one with the least expected loss; no answer when None.

    Raises:
        DataError: the features hold nothing that the calibrator reads.
        ConfigError: the loss needs ordered answers and these are not; `groups` lack a field.
    """
    calibrator, signed = fitted.calibrator, fitted.signature
    aligned = features.aligned(calibrator.blocks)
    names = [judge_name(calibrator, rater) for rater in raters]
    if together is not None:
        names = [f"calibration:{together}"]
    for start in range(0, len(aligned.units), ROWS):
        part = slice(start, start + ROWS)
        some = Features(aligned.units[part], aligned.blocks, aligned.x[part])
        theirs = {field: column[part] for field, column in (groups or {}).items()}
        found = fitted.predict(some, raters, theirs, unknown_as)
        if together is not None:
            found = aggregate(found, calibrator.target, together)[:, None]
        yield from _rows(calibrator.target, some.units, found, names, signed, loss, unordered)


def _rows(
    target: Scale,
    units: Sequence[Unit],
    found: FloatArray,
    names: Sequence[str],
    signature: str,
    loss: Loss | None,
    unordered: bool,
) -> Iterator[Judgment]:
    flat = found.reshape(-1, found.shape[-1])
    said = describe(flat, target, force=unordered)
    answers = target.question.answers
    ascending = [answers[k] for k in np.argsort(target.values, kind="stable")]
    places = None if loss is None else decide(flat, target, loss)
    between = quantiles(flat, target, LEVELS) if is_binned(target.question) else None
    for row in range(len(flat)):
        (item, turn), judge = units[row // len(names)], names[row % len(names)]
        if np.isnan(flat[row, 0]):
            yield Judgment(
                item, judge, target.id, turn=turn, kind="evaluator", unscored=_EMPTY,
                signature=signature,
            )  # fmt: skip
            continue
        details: dict[str, object] = {"entropy": float(said.entropy[row])}
        mean = None if np.isnan(said.mean[row]) else float(said.mean[row])
        if mean is not None:
            details["variance"] = float(said.variance[row])
            if between is not None:
                details["quantiles"] = dict(zip(_LEVELS, between[row].tolist(), strict=True))
            details["at_most"] = dict(zip(ascending, said.at_most[row].tolist(), strict=True))
        yield Judgment(
            item,
            judge,
            target.id,
            answer=None if places is None else answers[places[row]],
            score=mean,
            distribution=dict(zip(answers, flat[row].tolist(), strict=True)),
            turn=turn,
            kind="evaluator",
            details=details,
            signature=signature,
        )
