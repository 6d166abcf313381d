"""A strongly shrunk change of a score: how it is learnt, and how much of it is chosen.

The evaluator's raw number r stays, and a change g is added to it:

    label = a + s r + g(x) + noise,     raw number afterwards = r + g(x) / s

g is linear in a candidate's columns (the other questions' numbers, the sums of the head's
blocks, the few features that can be read, all features), and shrunk to 0: a ridge centred at
the evaluator's own weights. Cross-validation chooses candidate and penalty, and "no change" is
one of the choices: it stays unless another is better by more than a standard error.

Letters: N labels, P columns of a candidate, L penalties.

Source: centred ("transfer") ridge, e.g. Evgeniou and Pontil (2004), section 2, in its dual form;
the one-standard-error rule, Breiman et al. (1984), section 3.4.3. Differs: the slope s is fitted
first and floored, so that a change cannot replace a number that agrees with nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.stats._arrays import FloatArray, IntArray
from assize.stats._studies.splits import dealt

PENALTIES = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
"""Variance of the noise over that of the change, where columns have unit size."""

NONE = "none"
LEAST_SLOPE = 0.1  # correlation of numbers and labels below which the slope is held there
INNER = 5


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """What a change is learnt from.

    Args:
        raw: (N,) the evaluator's numbers; of a pair the difference A less B.
        targets: (N,) labels, higher being better; of a pair 1, 0 or -1.
        columns: by candidate (N, P).
        groups: (N,) rows that are not independent; folds keep them together.
        paired: whether rows are differences, which have no intercept.
    """

    raw: FloatArray
    targets: FloatArray
    columns: Mapping[str, FloatArray]
    groups: IntArray
    paired: bool = False

    def kernels(self) -> dict[str, FloatArray]:
        """By candidate (N, N) products of centred columns, of mean 1 on the diagonal."""
        found = {}
        for name, columns in self.columns.items():
            middle = 0.0 if self.paired else columns.mean(axis=0)
            product = (columns - middle) @ (columns - middle).T
            size = float(np.trace(product)) / len(product)
            if size > 1e-12:
                found[name] = product / size
        return found


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen: a candidate and its penalty; `NONE` and infinity for no change."""

    candidate: str = NONE
    penalty: float = float("inf")


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """a + s r, by least squares, with a floor under s."""

    a: float
    s: float

    def __call__(self, raw: FloatArray) -> FloatArray:
        """Labels expected of raw numbers (N,)."""
        return self.a + self.s * raw


def fit_line(raw: FloatArray, targets: FloatArray, paired: bool) -> Line:
    """The line, without an intercept for pairs."""
    x, y = (raw, targets) if paired else (raw - raw.mean(), targets - targets.mean())
    size, spread = float(np.sqrt(np.mean(x**2))), float(np.sqrt(np.mean(y**2)))
    if size < 1e-12 or spread < 1e-12:
        slope = 1.0 if size < 1e-12 else max(spread, 1e-6) / size
    else:
        slope = max(float(np.mean(x * y)) / size**2, LEAST_SLOPE * spread / size)
    middle = 0.0 if paired else float(targets.mean() - slope * raw.mean())
    return Line(middle, slope)


def held_changes(
    lesson: Lesson, kernel: FloatArray, fitted: IntArray, held: IntArray
) -> FloatArray:
    """Changes (L, M) of the raw numbers of M held rows, by each penalty, learnt on the others."""
    line = fit_line(lesson.raw[fitted], lesson.targets[fitted], lesson.paired)
    rest = lesson.targets[fitted] - line(lesson.raw[fitted])
    own, across = kernel[np.ix_(fitted, fitted)], kernel[np.ix_(held, fitted)]
    if not lesson.paired:
        columns = own.mean(axis=0)
        across = across - across.mean(axis=1, keepdims=True) - columns + columns.mean()
        own = own - columns - columns[:, None] + columns.mean()
    values, vectors = np.linalg.eigh(own)
    moved = vectors.T @ rest
    shrunk = moved / (np.maximum(values, 0) + np.array(PENALTIES)[:, None])  # (L, n)
    found: FloatArray = (across @ (vectors @ shrunk.T)).T / line.s
    return found


def weights_of(lesson: Lesson, choice: Choice) -> FloatArray:
    """The change that all labels tell, as weights (P,) on the chosen candidate's columns, in raw
    numbers."""
    line = fit_line(lesson.raw, lesson.targets, lesson.paired)
    columns = lesson.columns[choice.candidate]
    centred = columns - (0.0 if lesson.paired else columns.mean(axis=0))
    size = float(np.sum(centred**2)) / len(centred)
    kernel = lesson.kernels()[choice.candidate]
    rest = lesson.targets - line(lesson.raw)
    dual = np.linalg.solve(kernel + choice.penalty * np.eye(len(kernel)), rest)
    return np.asarray(centred.T @ dual / (size * line.s))


@dataclass(frozen=True, slots=True, eq=False)
class Selected:
    """A choice, with raw numbers that it gives rows of folds that did not learn from them."""

    choice: Choice
    held: FloatArray  # (N,)


def select(
    lesson: Lesson, kernels: Mapping[str, FloatArray], rows: IntArray, rng: np.random.Generator
) -> Selected:
    """Chooses by cross-validation among `rows`; `held` is of those rows, in their order."""
    groups = lesson.groups[rows]
    fold = dealt(groups.tolist(), min(INNER, len(set(groups.tolist()))), rng)
    base = lesson.raw[rows]
    raw: dict[Choice, FloatArray] = {Choice(): base.copy()}
    usual = np.empty(len(rows))
    lines: list[tuple[NDArray[np.bool_], Line]] = []
    for one in np.unique(fold):
        own = fold == one
        line = fit_line(base[~own], lesson.targets[rows][~own], lesson.paired)
        lines.append((own, line))
        usual[own] = line(base[own])
        for name, kernel in kernels.items():
            found = held_changes(lesson, kernel, rows[~own], rows[own])
            for penalty, change in zip(PENALTIES, found, strict=True):
                kept = raw.setdefault(Choice(name, penalty), base.copy())
                kept[own] += change
    targets = lesson.targets[rows]
    none = (targets - usual) ** 2
    best, gain = Choice(), 0.0
    for choice, numbers in raw.items():
        expected = np.empty(len(rows))
        for own, line in lines:
            expected[own] = line(numbers[own])
        won = none - (targets - expected) ** 2
        if won.mean() > gain and won.mean() > _standard_error(won, groups):
            best, gain = choice, float(won.mean())
    return Selected(best, raw[best])


def _standard_error(values: FloatArray, groups: IntArray) -> float:
    """Of the mean of values (N,), groups being the independent units."""
    codes = np.unique(groups, return_inverse=True)[1].reshape(-1)
    sums = np.bincount(codes, values - values.mean())
    count = len(sums)
    return float(np.sqrt(np.sum(sums**2) * count / max(1, count - 1)) / len(values))


def cross_validated(
    lesson: Lesson, folds: Sequence[IntArray], rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Raw numbers of held-out rows, and their expected labels before and after the change.

    All choices are made anew without the fold, as is the monotone map from raw numbers to
    labels, which is of the same kind for both; after a change it is fitted on numbers of rows
    that the change was not learnt from.

    Returns:
        raw numbers (N,) after the change; expected labels (N,) before, and after.
    """
    from assize.stats import fit_isotonic

    kernels = lesson.kernels()
    raw = lesson.raw.copy()
    before, after = np.full((2, len(raw)), np.nan)
    everything = np.arange(len(raw))
    for held in folds:
        fitted = np.setdiff1d(everything, held)
        chosen = select(lesson, kernels, fitted, rng)
        if chosen.choice.candidate != NONE:
            place = PENALTIES.index(chosen.choice.penalty)
            kernel = kernels[chosen.choice.candidate]
            raw[held] += held_changes(lesson, kernel, fitted, held)[place]
        targets = lesson.targets[fitted]
        for out, given, asked in (
            (before, lesson.raw[fitted], lesson.raw[held]),
            (after, chosen.held, raw[held]),
        ):
            out[held] = (
                _sided(given, targets, asked)
                if lesson.paired
                else fit_isotonic(given, targets).predict(asked)
            )
    return raw, before, after


def _sided(given: FloatArray, targets: FloatArray, asked: FloatArray) -> FloatArray:
    """Labels expected of differences: an odd monotone map, fitted on both orders of each pair."""
    from assize.stats import fit_isotonic

    both = fit_isotonic(np.concatenate([given, -given]), np.concatenate([targets, -targets]))
    return both.predict(asked)
