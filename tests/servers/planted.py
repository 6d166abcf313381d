"""Pairs whose better side is known, and judges whose reliabilities are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.evaluator._training.lessons import Lessons
from assize.stats._arrays import FloatArray
from assize.stats._reliability import Votes


@dataclass(frozen=True)
class Planted:
    """Lessons, and the truth behind them: alpha, beta (J, K), better side (N, K) True for A."""

    lessons: Lessons
    alpha: FloatArray
    beta: FloatArray
    is_a: NDArray[np.bool_]

    def rms(self, alpha: FloatArray, beta: FloatArray) -> float:
        """How far reliabilities are from the truth, root mean square."""
        gaps = np.concatenate([(alpha - self.alpha).ravel(), (beta - self.beta).ravel()])
        return float(np.sqrt(np.mean(gaps**2)))


def plant(
    pairs: int = 400, features: int = 8, judges: int = 5, questions: int = 2, seed: int = 0
) -> Planted:
    """Votes of judges of whom one is adversarial and one always says A, where there are four or
    more; quality is linear in the features, with noise of deviation 1."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(2 * pairs, features))
    weights = 1.5 * rng.normal(size=(features, questions)) / np.sqrt(features)
    quality = rows @ weights + rng.normal(size=(2 * pairs, questions))
    a, b = np.arange(pairs), np.arange(pairs) + pairs
    is_a = quality[a] > quality[b]
    alpha, beta = rng.uniform(0.6, 0.95, (2, judges, questions))
    if judges > 3:
        alpha[0], beta[0] = 0.2, 0.25
        alpha[1], beta[1] = 0.97, 0.05
    says_a = rng.random((pairs, judges, questions)) < np.where(is_a[:, None], alpha, 1 - beta)
    votes = Votes.of(says_a, ~says_a)
    names = tuple(f"q{one}" for one in range(questions))
    lessons = Lessons(rows, a, b, votes, names, tuple(f"j{one}" for one in range(judges)))
    return Planted(lessons, alpha, beta, is_a)
