"""From one distribution over answers, or several raters', to what is reported of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import IntArray, Scale
from assize.calibrate._joint_errors import at_most

Loss = Literal["squared", "absolute", "wrong"]


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """What N distributions over K answers say; all in the values of the scale.

    Args:
        mean: (N,) NaN for answers that are not ordered.
        variance: (N,) likewise.
        entropy: (N,) in nats.
        at_most: (N, K) P(answer <= k), answers in ascending order of value; NaN likewise.
    """

    mean: FloatArray
    variance: FloatArray
    entropy: FloatArray
    at_most: FloatArray


def describe(probabilities: FloatArray, scale: Scale, *, force: bool = False) -> Decoded:
    """Mean, variance, entropy and P(answer <= k).

    Args:
        probabilities: (N, K), each row summing to 1.
        force: treat unordered answers as their places 0..K-1.
    """
    values = np.array(scale.values)
    doubt = entropy(probabilities)
    if not (scale.ordered or force):
        nothing = np.full(len(probabilities), np.nan)
        return Decoded(nothing, nothing, doubt, np.full(probabilities.shape, np.nan))
    mean = probabilities @ values
    apart = values - mean[:, None]
    variance = (probabilities * apart**2).sum(axis=1)
    at_most = np.minimum(np.cumsum(probabilities[:, scale.rising], axis=1), 1)
    return Decoded(mean, variance, doubt, at_most)


def entropy(probabilities: FloatArray) -> FloatArray:
    """In nats, over the last axis; NaN where a probability is."""
    logs = np.log(np.where(probabilities > 0, probabilities, 1))
    return np.asarray(-(probabilities * logs).sum(axis=-1))


def decide(probabilities: FloatArray, scale: Scale, loss: Loss) -> IntArray:
    """The answer with the least expected loss: places (N,) in the scale.

    Args:
        probabilities: (N, K).
        loss: `squared` or `absolute` distance of values, or `wrong` (1 unless it is the answer).

    Raises:
        ConfigError: a distance is asked for between answers that are not ordered.

    >>> from assize.base.judgment import Question
    >>> scale = Scale.of(Question("q", kind="ordinal", answers=("1", "2", "3"), values=(1, 2, 3)))
    >>> p = np.array([[0.45, 0.2, 0.35]])
    >>> [int(decide(p, scale, one)[0]) for one in ("wrong", "absolute", "squared")]
    [0, 1, 1]
    """
    if loss != "wrong":
        scale.check_ordered(f"no {loss} loss; use wrong")
    values = np.array(scale.values)
    gap = np.abs(values[:, None] - values)
    costs = {"squared": gap**2, "absolute": gap, "wrong": (gap > 0).astype(np.float64)}[loss]
    return np.asarray(np.argmin(probabilities @ costs.T, axis=1))


Aggregate = Literal["mean", "max", "highest", "lowest"]


def aggregate(
    probabilities: FloatArray, scale: Scale, how: Aggregate, shared: float = 0.0
) -> FloatArray:
    """One distribution (N, K) of the raters' (N, R, K).

    Args:
        how: `mean`, the answer of a rater drawn at random: the mixture; `max`, the answer of
            the rater whose expected answer is highest, of equals the first; `highest`, the
            highest of all raters' answers; `lowest`, the lowest, so that P(lowest >= k) is that
            all answer k or more.
        shared: correlation of the raters' errors about one item (`joint_errors`); 0 takes their
            answers for independent: P(highest <= k) = prod P_a(<= k).

    Source: Hashemi et al. (2024), appendix A: `mean`, and
    `max` in its place. `highest` and `lowest` are ours.

    >>> from assize.base.judgment import Question
    >>> scale = Scale.of(Question("q", kind="ordinal", answers=("1", "2"), values=(1, 2)))
    >>> two = np.array([[[0.5, 0.5], [0.9, 0.1]]])
    >>> for how in ("mean", "max", "highest"):
    ...     print(how, aggregate(two, scale, how).round(2).tolist())
    mean [[0.7, 0.3]]
    max [[0.5, 0.5]]
    highest [[0.45, 0.55]]
    """
    if how == "mean":
        return np.asarray(probabilities.mean(axis=1))
    scale.check_ordered("none is the highest")
    if how == "max":
        # Nothing is known of an item's answers by one rater alone.
        expected = probabilities @ np.array(scale.values)
        rater = np.argmax(np.nan_to_num(expected, nan=-np.inf), axis=1)
        return np.asarray(probabilities[np.arange(len(rater)), rater])
    found = np.empty((len(probabilities), len(scale)))
    found[:, scale.rising] = _extreme(probabilities[:, :, scale.rising], how, shared)
    return np.maximum(found, 0)


def _extreme(rising: FloatArray, how: Aggregate, shared: float) -> FloatArray:
    """The highest or the lowest of all raters' answers (N, K), by rising value."""
    if how == "highest":
        up_to = at_most(rising, shared) if shared else np.cumsum(rising, axis=2).prod(axis=1)
        return np.diff(up_to, axis=1, prepend=0)
    return _extreme(rising[..., ::-1], "highest", shared)[:, ::-1]
