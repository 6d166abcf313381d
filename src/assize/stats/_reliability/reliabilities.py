"""What votes say of judges and pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assize.stats._arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Reliabilities:
    """J judges' reliabilities on K questions, and the better side of N pairs.

    Args:
        alpha: (J, K) probability of the vote A where A is better; NaN for a judge without a
            vote for a side.
        beta: (J, K) probability of the vote B where B is better.
        alpha_interval, beta_interval: (J, K, 2) 95%, pairs drawn with replacement; NaN
            without resamples.
        share: (K,) of the pairs where A is better.
        posterior: (N, K) probability that A is better; NaN where no vote is for a side.
            Discounted for dependence between judges unless that was refused.
        log_likelihood: (K,) of the votes, in nats; NaN where there is no vote for a side.
        discount: (K,) design effect of the votes; their log-odds are divided by it.
        independent: (K,) how many independent judges those who voted are worth.
        mean: (K,) mean of (alpha + beta) / 2 over judges; `mean_interval` (K, 2).
        below: (K,) how many judges are worse than chance.
        right_way: (K,) probability that the sides are not exchanged; see `orientation`.
        votes, ties: (J, K) votes for a side, and tie votes.
        converged: (K,) whether the fit came to an end.
        doubts: for each question why its result may be wrong; none for most.
        signature: short hash of the method and its settings.
    """

    alpha: FloatArray
    beta: FloatArray
    alpha_interval: FloatArray
    beta_interval: FloatArray
    share: FloatArray
    posterior: FloatArray
    log_likelihood: FloatArray
    discount: FloatArray
    independent: FloatArray
    mean: FloatArray
    mean_interval: FloatArray
    below: IntArray
    right_way: FloatArray
    votes: FloatArray
    ties: FloatArray
    converged: np.ndarray[tuple[int], np.dtype[np.bool_]]
    doubts: tuple[tuple[str, ...], ...]
    signature: str

    def labels(self) -> FloatArray:
        """(N, K) 1 where A is more probable, -1 for B, 0 for neither; NaN where there is none."""
        lead = 2 * self.posterior - 1
        return np.where(np.abs(lead) < 1e-9, 0.0, np.sign(lead))
