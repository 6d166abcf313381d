"""Votes of judges whose reliabilities are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from assize.stats._reliability import Votes
from assize.stats._reliability.cells import Cells, cells_of

# two below chance, one of them an adversary, and one that always says A
ALPHA = np.array([0.95, 0.90, 0.85, 0.80, 0.75, 0.40, 1.00, 0.10])
BETA = np.array([0.90, 0.92, 0.80, 0.85, 0.70, 0.35, 0.00, 0.13])


@dataclass
class Simulated:
    votes: Votes
    truth: np.ndarray  # (N,) whether A is better
    alpha: np.ndarray  # (J,)
    beta: np.ndarray

    def off(self, alpha: np.ndarray, beta: np.ndarray) -> float:
        """Root mean square error of learnt reliabilities."""
        return float(np.sqrt(np.mean(np.square([alpha - self.alpha, beta - self.beta]))))

    def best(self) -> float:
        """Accuracy of labels with the true reliabilities: no rule does better."""
        edge = 1e-9
        alpha, beta = (np.clip(one, edge, 1 - edge) for one in (self.alpha, self.beta))
        a, b = self.votes.for_a[:, :, 0], self.votes.for_b[:, :, 0]
        odds = a @ np.log(alpha / (1 - beta)) + b @ np.log((1 - alpha) / beta)
        return float(np.mean((odds > 0) == self.truth))


def panel(mean_sum: float) -> tuple[np.ndarray, np.ndarray]:
    """The judges above, drawn towards chance until alpha + beta has this mean."""
    pull = (mean_sum - 1) / float((ALPHA + BETA).mean() - 1)
    alpha, beta = 0.5 + pull * (ALPHA - 0.5), 0.5 + pull * (BETA - 0.5)
    alpha[6], beta[6] = 1.0, 0.0
    return alpha, beta


def simulated(pairs: int, seed: int, *, mean_sum: float = 1.3, votes: int = 1) -> Simulated:
    """Qualities of both sides are standard normal, labels Thurstone's, judges as above."""
    rng = np.random.default_rng(seed)
    difference = rng.normal(0, np.sqrt(2), pairs)
    truth = rng.random(pairs) < ndtr(difference / np.sqrt(2))
    alpha, beta = panel(mean_sum)
    chance = np.where(truth[:, None], alpha, 1 - beta)
    for_a = rng.binomial(votes, chance).astype(float)
    return Simulated(Votes.of(for_a, votes - for_a), truth, alpha, beta)


def cells_without_gold(votes: Votes) -> Cells:
    """The votes on the first question by equal rows, no label being known."""
    return cells_of(votes, 0, np.full(votes.shape[0], -1))
