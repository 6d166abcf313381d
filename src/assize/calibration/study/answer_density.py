"""A density of what a model answers, and the directions in which it is high.

A mixture of normals over items' x, each with a covariance of its own. Near an item the density
stays high along the leading directions of the component that the item is of, so a curved or
broken cloud has other directions at other places; principal components are those of one
normal. How many components there are is chosen by held-out likelihood, and may be one.

Sources: Tipping and Bishop (1999) for local principal components by a mixture; Hashemi et al.
(2024), appendix A, asks for such a manifold and names Isomap, LLE and VAE. Differs: covariances
are shrunk towards a ball in the likelihood (a few hundred items, dozens of columns).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assize.calibration.data.features import FloatArray
from assize.errors import ConfigError, DataError
from assize.studies import dealt

MOST = 4  # components that are tried
ITEMS = 5_000  # that are learnt from, at most
SHRINK = 0.1  # share of each covariance that is a ball
ROUNDS, CLOSE = 100, 1e-5  # of expectation-maximisation; the gain a row that ends it
FLAT = 1e-12
FOLDS = 5


@dataclass(frozen=True, slots=True, eq=False)
class AnswerDensity:
    """A mixture of M normals over D columns."""

    weights: FloatArray  # (M,)
    means: FloatArray  # (M, D)
    covariances: FloatArray  # (M, D, D) as they are, not shrunk
    ball: float  # variance of the ball that they are shrunk to

    def log_density(self, x: FloatArray) -> FloatArray:
        """(N,) of rows (N, D), nothing missing."""
        return np.asarray(np.logaddexp.reduce(self._joint(x), axis=1))

    def shares(self, x: FloatArray) -> FloatArray:
        """(N, M) how probably each row is of each component."""
        joint = self._joint(x)
        return np.asarray(np.exp(joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)))

    def directions(self, variance: float) -> list[FloatArray]:
        """By component the leading directions (C, D) that hold a share of its variance."""
        return [_leading(one, variance) for one in self.covariances]

    def along(self, x: FloatArray, slope: FloatArray, variance: float) -> FloatArray:
        """Slopes (N, D) at rows (N, D) as seen along the density: (N, C of all components).

        Dot products of two such are those of the projections on each component's directions,
        averaged by the row's shares.
        """
        shares = np.sqrt(self.shares(x))
        parts = [
            shares[:, [place]] * (slope @ basis.T)
            for place, basis in enumerate(self.directions(variance))
        ]
        return np.hstack(parts)

    def _joint(self, x: FloatArray) -> FloatArray:
        found = np.empty((len(x), len(self.weights)))
        for place, (mean, own) in enumerate(zip(self.means, self.covariances, strict=True)):
            shrunk = (1 - SHRINK) * own + SHRINK * self.ball * np.eye(len(own))
            root = np.linalg.cholesky(shrunk)
            away = np.linalg.solve(root, (x - mean).T)
            spread = 2 * np.log(np.diag(root)).sum() + len(own) * np.log(2 * np.pi)
            found[:, place] = -0.5 * ((away**2).sum(axis=0) + spread)
        return found + np.log(self.weights)


def fit_density(
    x: FloatArray, *, components: int | None = None, rng: np.random.Generator
) -> AnswerDensity:
    """Learns the density of rows (N, D), nothing missing.

    Args:
        components: None chooses among 1 to 4, by 5-fold held-out likelihood; more than one only
            where it gains more than its standard error over items.

    Raises:
        DataError: there are fewer than two rows, or all are the same.
        ConfigError: `components` is below 1.
    """
    if len(x) < 2 or np.ptp(x, axis=0).max(initial=0) <= FLAT:
        raise DataError("a density needs at least two items that differ")
    if components is not None and components < 1:
        raise ConfigError(f"components must be at least 1; received {components}")
    if len(x) > ITEMS:
        x = x[rng.choice(len(x), ITEMS, replace=False)]
    return _mixture(x, _chosen(x, rng) if components is None else components, rng)


def _chosen(x: FloatArray, rng: np.random.Generator) -> int:
    """How many components: the fewest that none beats by more than a standard error."""
    most = min(MOST, len(x) // (4 * FOLDS))
    if most < 2:
        return 1
    folds = dealt(np.arange(len(x)).tolist(), FOLDS, rng)
    scores = np.empty((most, len(x)))
    for count in range(1, most + 1):
        for fold in range(FOLDS):
            held = folds == fold
            scores[count - 1, held] = _mixture(x[~held], count, rng).log_density(x[held])
    best = int(scores.mean(axis=1).argmax())
    for count in range(best):
        gap = scores[best] - scores[count]
        if gap.mean() <= gap.std() / np.sqrt(len(gap)):
            return count + 1
    return best + 1


def _mixture(x: FloatArray, count: int, rng: np.random.Generator) -> AnswerDensity:
    """Expectation-maximisation from rows drawn far from each other."""
    ball = max(float(x.var(axis=0).mean()), FLAT)
    shares = np.eye(count)[_nearest(x, _spread_out(x, count, rng))]
    last = -np.inf
    for _ in range(ROUNDS):
        found = _weighted(x, shares, ball)
        joint = found._joint(x)
        total = np.logaddexp.reduce(joint, axis=1, keepdims=True)
        shares = np.exp(joint - total)
        if total.mean() - last < CLOSE:
            break
        last = float(total.mean())
    return found


def _weighted(x: FloatArray, shares: FloatArray, ball: float) -> AnswerDensity:
    mass = np.maximum(shares.sum(axis=0), 1e-9)
    means = shares.T @ x / mass[:, None]
    covariances = []
    for place, mean in enumerate(means):
        away = x - mean
        covariances.append((away * shares[:, [place]]).T @ away / mass[place])
    return AnswerDensity(mass / mass.sum(), means, np.stack(covariances), ball)


def _spread_out(x: FloatArray, count: int, rng: np.random.Generator) -> FloatArray:
    """Rows (count, D), each drawn by its squared distance from those before (k-means++)."""
    found = [x[rng.integers(len(x))]]
    while len(found) < count:
        away = ((x[:, None] - np.stack(found)) ** 2).sum(axis=2).min(axis=1)
        total = away.sum()
        chance = away / total if total > 0 else None
        found.append(x[rng.choice(len(x), p=chance)])
    return np.stack(found)


def _nearest(x: FloatArray, middles: FloatArray) -> list[int]:
    found: list[int] = ((x[:, None] - middles) ** 2).sum(axis=2).argmin(axis=1).tolist()
    return found


def _leading(covariance: FloatArray, variance: float) -> FloatArray:
    """Eigenvectors (C, D) that hold a share of the trace, the largest first."""
    values, vectors = np.linalg.eigh(covariance)
    values, vectors = np.maximum(values[::-1], 0), vectors[:, ::-1]
    if values.sum() <= FLAT:
        return np.empty((0, len(values)))
    held = np.cumsum(values) / values.sum()
    count = int(np.searchsorted(held, min(variance, 1 - FLAT))) + 1
    return np.asarray(vectors[:, :count].T)
