"""Importance with the fit's own variance: networks are refitted on resampled ratings.

Each time the rated items are drawn with replacement, all their ratings with them, and networks
of the same setting are trained on them from other first weights; the items at which slopes are
taken are drawn anew too. The directions stay those of the items as they are.

Source: Hashemi et al. (2024), footnote 20.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assize.base.errors import ConfigError
from assize.base.signature import sign_text
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.features import Features, FloatArray
from assize.calibrate._data.forms import Forms, IntArray
from assize.calibrate._study.importance import Importance, averages, compare_slopes
from assize.results.types import Estimate
from assize.stats._estimate import describe
from assize.stats._resampling import percentile_ends

CONFIDENCE = 0.95


def with_refits(
    found: Sequence[Importance],
    fitted: Sequence[Calibrator],
    forms: Sequence[Forms],
    features: Features,
    raters: Sequence[str],
    *,
    refits: int,
    variance: float = 0.9,
    seed: int = 0,
) -> list[Importance]:
    """What `importance` found, with intervals that hold the fit's own variance.

    Args:
        fitted: the main calibrator, then the others, as `importance` had them.
        forms: (of each) what it was fitted on; the same items in the same order.
        refits: draws B behind the intervals, each of as many networks as were fitted.

    Raises:
        ConfigError: a calibrator cannot be refitted.
        DataError: a resample leaves nothing to train on.
    """
    rng = np.random.default_rng(seed)
    drawn = [resampled_rows(forms[0], rng) for _ in range(refits)]
    again = [_refitted(one, form, drawn, seed) for one, form in zip(fitted, forms, strict=True)]
    draws = []
    times = _item_weights(features, refits, rng)
    for rows, weights, calibrators in zip(drawn, times, zip(*again, strict=True), strict=True):
        there = {forms[0].raters[place] for place in forms[0].rater[rows]}
        who = [name for name in raters if name in there] or list(raters)
        products = compare_slopes(calibrators, features, who, variance)
        draws.append(averages(products, weights))
    columns = np.stack(draws, axis=-1).reshape(-1, 2, refits)
    return [_with_intervals(one, column, seed) for one, column in zip(found, columns, strict=True)]


def resampled_rows(forms: Forms, rng: np.random.Generator) -> IntArray:
    """Places of forms, whole items drawn with replacement."""
    items = np.unique(forms.item)
    order = np.argsort(forms.item, kind="stable")
    starts = np.searchsorted(forms.item[order], items)
    chosen = rng.integers(len(items), size=len(items))
    ends = np.append(starts[1:], len(order))
    return np.concatenate([order[starts[one] : ends[one]] for one in chosen])


def _refitted(
    calibrator: Calibrator, forms: Forms, drawn: Sequence[IntArray], seed: int
) -> Sequence[Calibrator]:
    if calibrator.abilities.refit is None:
        raise ConfigError(f"the calibrator of {calibrator.target.id!r} cannot be refitted")
    return calibrator.abilities.refit(forms, drawn, seed + 1)


def _item_weights(features: Features, refits: int, rng: np.random.Generator) -> FloatArray:
    """(B, N) how often each item is drawn; turns of one conversation together."""
    place: dict[str, int] = {}
    codes = np.array([place.setdefault(item, len(place)) for item, _ in features.units])
    drawn = rng.multinomial(len(place), np.full(len(place), 1 / len(place)), size=refits)
    return drawn[:, codes].astype(np.float64)


def _with_intervals(one: Importance, drawn: FloatArray, seed: int) -> Importance:
    """Return it with mean and pooled between the percentiles of their draws (2, B)."""
    method = describe("importance-refits", 1, f"percentile:{drawn.shape[1]}", f"seed:{seed}")
    signed, n, unscored = sign_text(method), one.mean.n, one.mean.unscored
    found = []
    for value, column in zip((one.mean.estimate, one.pooled), drawn, strict=True):
        ends = percentile_ends(column, CONFIDENCE)
        found.append(Estimate(value, ends.interval, n, unscored, ends.reason, signed, method))
    return replace(one, mean_refitted=found[0], pooled_refitted=found[1])
