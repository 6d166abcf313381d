"""Predictions as judgments: a row an item and rater, by the judge `calibration:<rater>`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from assize.base.errors import ConfigError
from assize.base.signature import sign_text
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.binning import is_binned, quantiles
from assize.calibrate._data.features import Features, FloatArray
from assize.calibrate._data.forms import UNKNOWN, Scale
from assize.calibrate._fitted import FittedCalibrator
from assize.calibrate._joint_errors import mean_quantiles
from assize.calibrate._prediction.decode import (
    Aggregate,
    Decoded,
    Loss,
    aggregate,
    decide,
    describe,
)
from assize.calibrate._seen import mark_seen
from assize.judgments import JudgmentTable, Unit
from assize.judgments.membership import Labels
from assize.judgments.schema import UNSCORED, shares_array, table_of
from assize.judgments.table import BoolArray, names_array

Names = str | Sequence[str]
UNKNOWN_NAME = "unknown"
ROWS = 10_000  # items predicted at a time
PANEL = (0.05, 0.95)  # quantiles of the mean of all raters' answers
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)  # quantiles of a number
_EMPTY = {"reason": "missing", "message": "no answer by a model about this item is known"}


def rater_places(calibrator: Calibrator, wanted: Names) -> list[int]:
    """Places of raters written as `all`, `unknown`, or ids, also with commas."""
    places = {name: place for place, name in enumerate(calibrator.raters)} | {UNKNOWN_NAME: UNKNOWN}
    names: list[str] = []
    for text in [wanted] if isinstance(wanted, str) else wanted:
        if not isinstance(text, str):
            raise ConfigError(f"rater {text!r} is no text; ids of raters are, as {str(text)!r}")
        if text == "all":
            names += calibrator.raters
        elif text in places:  # whose id may hold a comma
            names.append(text)
        else:
            names += [part.strip() for part in text.split(",") if part.strip()]
    for name in names:
        if name not in places:
            more = ", ..." if len(calibrator.raters) > 12 else ""
            known = ", ".join(calibrator.raters[:12])
            raise ConfigError(f"rater {name!r} is not known; known are {known}{more}; or unknown")
    if not names and not calibrator.raters:
        raise ConfigError("this calibrator knows nobody by name; predict raters unknown")
    if not names:
        raise ConfigError("name at least one rater, or all, or unknown")
    return [places[name] for name in dict.fromkeys(names)]


def common_raters(calibrators: Sequence[Calibrator], wanted: Names) -> list[str]:
    """Names of the raters that users write, as far as every calibrator knows them."""
    chosen = [[_name(one, place) for place in rater_places(one, wanted)] for one in calibrators]
    found = [name for name in chosen[0] if all(name in names for names in chosen)]
    if not found:
        raise ConfigError("no rater is known to all of these calibrators; fit them on the same")
    return found


def judge_name(calibrator: Calibrator, rater: int) -> str:
    """The judge's name in judgments."""
    return f"calibration:{_name(calibrator, rater)}"


def _name(calibrator: Calibrator, rater: int) -> str:
    return UNKNOWN_NAME if rater == UNKNOWN else calibrator.raters[rater]


def prediction_tables(
    fitted: FittedCalibrator,
    features: Features,
    raters: Sequence[int],
    *,
    groups: Labels | None = None,
    loss: Loss | None = None,
    unordered: bool = False,
    combine: Aggregate | None = None,
) -> Iterator[JudgmentTable]:
    """Predictions, item by item and rater by rater, in tables of at most `ROWS` items.

    `score` is the mean (none for unordered answers unless `unordered` asks for that of their
    places), `distribution` the probabilities; `details` hold entropy, variance and P(answer <= k),
    quantiles where a number is predicted, and `in_sample` where the item was fitted on. An item
    about which nothing is known is unscored with the reason `missing`. `combine` makes one row an
    item, `loss` the `answer`.
    """
    calibrator, signed = fitted.calibrator, aggregate_signature(fitted, combine)
    aligned = features.aligned(calibrator.blocks)
    names = [judge_name(calibrator, rater) for rater in raters]
    if combine is not None:
        names = [f"calibration:{combine}"]
    for start in range(0, len(aligned.units), ROWS):
        part = slice(start, start + ROWS)
        some = Features(aligned.units[part], aligned.blocks, aligned.x[part])
        theirs = {field: column[part] for field, column in (groups or {}).items()}
        found = fitted.probabilities(some, raters, theirs)
        panel = None
        if combine is not None:
            panel = _panel(fitted, found) if combine == "mean" else None
            found = aggregate(found, calibrator.target, combine, fitted.shared_error)[:, None]
        yield _table(fitted, some.units, found, names, signed, loss, unordered, panel)


def _table(
    fitted: FittedCalibrator,
    units: Sequence[Unit],
    found: FloatArray,
    names: Sequence[str],
    signature: str,
    loss: Loss | None,
    unordered: bool,
    panel: FloatArray | None = None,
) -> JudgmentTable:
    """Predictions (units N, judges R, answers K) as a table of N * R rows."""
    target = fitted.target
    p = found.reshape(-1, found.shape[-1])
    size, known = len(p), ~np.isnan(p[:, 0])
    said = describe(p, target, force=unordered)
    answers = target.question.answers
    item, judge = np.divmod(np.arange(size), len(names))
    seen = np.array(mark_seen(fitted, units), dtype=bool)[item]
    one = np.zeros(size, dtype=np.int64)
    columns = {
        "item": names_array([item for item, _ in units], item),
        "judge": names_array(names, judge),
        "question": names_array([target.id], one),
        "score": pa.array(said.mean, from_pandas=True),
        "distribution": _distributions(p, answers, known),
        "turn": pa.array([turn for _, turn in units], pa.int64()).take(pa.array(item)),
        "kind": names_array(["evaluator"], one),
        "details": pa.array(_details(p, said, target, seen, panel), mask=~known),
        "signature": names_array([signature], one),
    }
    if loss is not None:
        columns["answer"] = names_array(answers, np.where(known, decide(p, target, loss), -1))
    if not known.all():
        columns["unscored"] = pa.array([_EMPTY], UNSCORED).take(pa.array(one, mask=known))
    arrow = table_of(columns, size)
    return JudgmentTable(arrow, {target.id: target.question})


def _distributions(p: FloatArray, answers: Sequence[str], known: BoolArray) -> pa.Array:
    places = np.tile(np.arange(len(answers)), int(known.sum()))
    offsets = np.concatenate([[0], np.cumsum(known * len(answers))])
    shares = names_array(answers, places), pa.array(p[known].ravel())
    return shares_array(*shares, offsets, missing=~known)


def aggregate_signature(fitted: FittedCalibrator, combine: Aggregate | None) -> str:
    """Of predictions that raters' shared errors have changed: the calibrator's, and theirs."""
    if combine is None or not fitted.shared_error:
        return fitted.signature
    return sign_text(f"{fitted.signature}|shared:{fitted.shared_error:.6g}")


def _panel(fitted: FittedCalibrator, p: FloatArray) -> FloatArray | None:
    """Quantiles (N, 2) of the mean of all raters' answers (N, R, K), where it is known how far
    their errors go together."""
    target = fitted.target
    if fitted.joint_errors is None or not target.ordered:
        return None
    return mean_quantiles(p, target, fitted.shared_error, PANEL)


def _details(
    p: FloatArray, said: Decoded, target: Scale, seen: BoolArray, panel: FloatArray | None = None
) -> list[str]:
    """What is reported of each distribution, as JSON text; of items that were `seen` in fitting
    that too."""
    answers = target.question.answers
    parts, columns = ['"entropy": %r'], [said.entropy]
    if not np.isnan(said.mean).all():
        parts.append('"variance": %r')
        columns.append(said.variance)
        if is_binned(target.question):
            parts.append(_object("quantiles", [f"{level:g}" for level in LEVELS]))
            columns += [*quantiles(p, target, LEVELS).T]
        ascending = [answers[k] for k in target.rising]
        parts.append(_object("at_most", ascending))
        columns += [*said.at_most.T]
    if panel is not None:
        parts.append(_object("mean_of_raters", [f"{level:g}" for level in PANEL]))
        columns += [*panel.T]
    text = ", ".join(parts)
    texts = f"{{{text}}}", f'{{{text}, "in_sample": true}}'
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [texts[was_seen] % row for was_seen, row in zip(seen.tolist(), rows, strict=True)]


def _object(name: str, keys: Sequence[str]) -> str:
    """The template of an object of numbers."""
    fields = ", ".join(f"{json.dumps(key).replace('%', '%%')}: %r" for key in keys)
    return f'"{name}": {{{fields}}}'
