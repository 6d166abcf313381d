"""How well a set of criteria separates good from bad conversations, and how sharply.

    objective = separation of the class means - weight x sharpness error

Source: RUBICON, section 3.3. Algorithm 1 adds the weighted error and maximises, where its text
minimises: here separation is wanted and error is not. What the paper calls precision is worded as
recall; its curves only fit precision proper, which is used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assize.base.arguments import check_range
from assize.base.errors import ConfigError
from assize.criteria._selection.pool import Mask
from assize.stats._arrays import FloatArray

GRID = 201  # thresholds, ends included, at which curves are compared; the paper names no number
_AT_ONCE = 400_000  # scores in one piece of work: what the processor's cache holds
_SLACK = 1e-9  # of a step, within which a score counts as lying on the threshold


@dataclass(frozen=True, slots=True)
class Objective:
    """What a set of criteria is chosen by.

    Args:
        weight: of the sharpness error; 0 leaves separation alone ("correctness only").
        prevalence: the share of good conversations that precision is computed for; None takes
            the one observed.
    """

    weight: float = 1.0
    prevalence: float | None = None

    def __post_init__(self) -> None:
        check_range("weight", self.weight, 0)
        if self.prevalence is not None and not 0 < self.prevalence < 1:
            raise ConfigError(
                f"prevalence is {self.prevalence}; it must lie between 0 and 1", "prevalence"
            )

    def values(self, nets: FloatArray, good: Mask) -> FloatArray:
        """The objective (S,) of sets of criteria, from their NetSATs (S, N).

        It is -inf where a set gives all conversations the same score.
        """
        apart = separation(nets, good)
        error = apart if self.weight == 0 else self.sharpness_error(nets, good)
        return self.weighed(apart, error)

    def weighed(self, apart: FloatArray, error: FloatArray) -> FloatArray:
        """The objective (S,) of sets of criteria, from both of its parts (S,)."""
        if self.weight == 0:
            return apart
        return np.where(np.isnan(error), -np.inf, apart - self.weight * error)

    def sharpness_error(self, nets: FloatArray, good: Mask) -> FloatArray:
        """How far precision is from rising and falling as a tanh does, for each set (S,).

        The squared differences between each precision curve and tanh((theta - theta_c) / s), or
        its mirror image, mapped to the curve's own range, are averaged where the curve is
        defined, and added up; s is the pooled standard deviation of the two classes. NaN where
        all scores are equal.

        Args:
            nets: (sets S, conversations N).
            good: (N,) labels.
        """
        found = np.empty(len(nets))
        rows = max(1, _AT_ONCE // nets.shape[1])
        for start in range(0, len(nets), rows):
            some = nets[start : start + rows]
            found[start : start + rows] = self._errors(some, good)
        return found

    def _errors(self, nets: FloatArray, good: Mask) -> FloatArray:
        thetas, positive, negative = self.curves(nets, good)
        rise = self.shape(nets, good, thetas)
        error = _distance(positive, rise) + _distance(negative, -rise)
        error[thetas[:, 0] == thetas[:, -1]] = np.nan
        return error

    def curves(self, nets: FloatArray, good: Mask) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Thresholds and the precision of both labels at each, (S, grid) each.

        Positive precision is the share of good conversations among those above the threshold,
        negative precision the share of bad ones among those at or below it; NaN where there are
        none.
        """
        low, high = nets.min(axis=1, keepdims=True), nets.max(axis=1, keepdims=True)
        step = (high - low) / (GRID - 1)
        thetas = low + step * np.arange(GRID)
        goods, bads = self._class_weights(good)
        with np.errstate(divide="ignore", invalid="ignore"):
            places = np.ceil((nets - low) / step - _SLACK)
            places = np.nan_to_num(places).astype(np.int64)  # one score only: all at the first
            good_below = goods * _cumulated(places[:, good])
            bad_below = bads * _cumulated(places[:, ~good])
            good_above = good_below[:, -1:] - good_below
            bad_above = bad_below[:, -1:] - bad_below
            positive = good_above / (good_above + bad_above)
            negative = bad_below / (good_below + bad_below)
        return thetas, positive, negative

    def shape(self, nets: FloatArray, good: Mask, thetas: FloatArray) -> FloatArray:
        """The tanh that positive precision is compared with (S, grid), in [-1, 1]; negative
        precision is compared with its mirror image."""
        scale = pooled_deviation(nets, good)
        with np.errstate(divide="ignore", invalid="ignore"):
            x = (thetas - threshold(nets, good)[:, None]) / np.reshape(scale, (-1, 1))
        return np.asarray(np.tanh(np.nan_to_num(x, nan=0.0, posinf=np.inf, neginf=-np.inf)))

    def _class_weights(self, good: Mask) -> tuple[float, float]:
        """What one conversation of each class counts."""
        if self.prevalence is None:
            return 1.0, 1.0
        return self.prevalence / good.sum(), (1 - self.prevalence) / (~good).sum()


def separation(nets: FloatArray, good: Mask) -> FloatArray:
    """Mean NetSAT of good conversations less that of bad ones (S,), from NetSATs (S, N)."""
    return np.asarray(nets[:, good].mean(axis=1) - nets[:, ~good].mean(axis=1))


def threshold(nets: FloatArray, good: Mask) -> FloatArray:
    """The midpoint of the class means (S,), above which a conversation is labelled good."""
    return np.asarray((nets[:, good].mean(axis=1) + nets[:, ~good].mean(axis=1)) / 2)


def pooled_deviation(nets: FloatArray, good: Mask) -> FloatArray:
    """The standard deviation within the classes (S,), of both together."""
    squares = [
        ((part - part.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
        for part in (nets[:, good], nets[:, ~good])
    ]
    return np.asarray(np.sqrt((squares[0] + squares[1]) / (nets.shape[1] - 2)))


def _cumulated(places: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> FloatArray:
    """How many scores lie at or below each threshold (S, grid)."""
    sets = len(places)
    flat = places + GRID * np.arange(sets)[:, None]
    counts = np.bincount(flat.ravel(), minlength=sets * GRID).reshape(sets, GRID)
    return counts.cumsum(axis=1).astype(np.float64)


def _distance(curve: FloatArray, shape: FloatArray) -> FloatArray:
    """Mean squared difference (S,) of a curve to a shape in [-1, 1] mapped to its range."""
    defined = ~np.isnan(curve)
    low = np.where(defined, curve, np.inf).min(axis=1, keepdims=True)
    high = np.where(defined, curve, -np.inf).max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        apart = np.where(defined, curve - (low + (high - low) * (shape + 1) / 2), 0.0)
    count = defined.sum(axis=1)
    return np.asarray((apart**2).sum(axis=1) / np.maximum(count, 1))
