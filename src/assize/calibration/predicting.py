"""Predictions as judgments: a row an item and rater, by the judge `calibration:<rater>`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from assize.calibration.aggregating import Aggregate, aggregate
from assize.calibration.calibrator import Calibrator, Strangers, predict
from assize.calibration.correcting import Correction
from assize.calibration.decoding import Loss, decide, describe
from assize.calibration.forms import UNKNOWN, Scale
from assize.calibration.groups import RATER, Labels
from assize.calibration.table import Features, FloatArray, Unit
from assize.errors import ConfigError
from assize.judgment import Judgment, Unscored

UNKNOWN_NAME = "unknown"
ROWS = 10_000  # items predicted at a time
_EMPTY = Unscored("missing", "no answer by a model about this item is known")


def chosen_raters(calibrator: Calibrator, wanted: str, trusted: str | None = None) -> list[int]:
    """Places of the raters that users write as `all`, `unknown`, or ids with commas.

    Args:
        trusted: written likewise; only those of `wanted` that are among them are kept.

    Raises:
        ConfigError: an id is not among the calibrator's, or nobody is left.
    """
    if trusted is not None:
        both = set(chosen_raters(calibrator, wanted))
        kept = [one for one in chosen_raters(calibrator, trusted) if one in both]
        if not kept:
            raise ConfigError(f"none of --trusted {trusted} is among --raters {wanted}")
        return kept
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


def name_of(calibrator: Calibrator, rater: int) -> str:
    """The judge's name in judgments."""
    name = UNKNOWN_NAME if rater == UNKNOWN else calibrator.raters[rater]
    return f"calibration:{name}"


def judgments(
    calibrator: Calibrator,
    features: Features,
    raters: Sequence[int],
    *,
    signature: str,
    strangers: Strangers = "shared",
    loss: Loss | None = None,
    unordered: bool = False,
    together: Aggregate | None = None,
    correction: Correction | None = None,
    groups: Labels | None = None,
) -> Iterator[Judgment]:
    """Predictions, item by item and rater by rater.

    `score` is the mean (none for unordered answers unless `unordered` asks for that of
    their places), `distribution` the probabilities; `details` hold entropy, variance and
    P(answer <= k). An item about which nothing is known is unscored with the reason
    `missing`.

    Args:
        features: of the items.
        raters: places in `calibrator.raters`, or UNKNOWN.
        signature: stands in every row.
        together: one row an item by `calibration:mean` or `calibration:max` of these raters
            instead of a row each.
        loss: makes `answer` the one with the least expected loss; no answer when None.
        correction: made before raters are taken together.
        groups: by field, the group of every item; what the correction needs.

    Raises:
        DataError: the features hold nothing that the calibrator reads.
        ConfigError: the loss needs ordered answers and these are not.
    """
    aligned = features.aligned(calibrator.blocks)
    names = [name_of(calibrator, rater) for rater in raters]
    if together is not None:
        names = [f"calibration:{together}"]
    for start in range(0, len(aligned.units), ROWS):
        part = slice(start, start + ROWS)
        some = Features(aligned.units[part], aligned.blocks, aligned.x[part])
        found = predict(calibrator, some, raters, strangers)
        if correction is not None:
            theirs = {field: column[part] for field, column in (groups or {}).items()}
            found = _corrected(correction, calibrator, found, raters, theirs)
        if together is not None:
            found = aggregate(found, calibrator.target, together)[:, None]
        yield from _rows(calibrator.target, some.units, found, names, signature, loss, unordered)


def _corrected(
    correction: Correction,
    calibrator: Calibrator,
    found: FloatArray,
    raters: Sequence[int],
    groups: Labels,
) -> FloatArray:
    """Corrected answers (N, R, K); an unknown rater is in no rater's group."""
    each = []
    for place, rater in enumerate(raters):
        name = None if rater == UNKNOWN else calibrator.raters[rater]
        labels = {**groups, RATER: (name,) * len(found)}
        each.append(correction.apply(found[:, place], labels, calibrator.target))
    return np.stack(each, axis=1)


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
