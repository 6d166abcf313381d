"""Reliabilities from votes alone: time, and error against what the votes tell."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from tests.stats.reliability.simulated import simulated

from assize.stats import Labels, dawid_skene
from assize.stats._reliability import Votes, fit_votes, mixture

PAIRS, JUDGES, QUESTIONS = 100_000, 10, 11
SEEDS = 10


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    found = function()
    return time.perf_counter() - start, found


def planted(pairs: int, judges: int, questions: int) -> Votes:
    rng = np.random.default_rng(0)
    truth = rng.random((pairs, 1, questions)) < 0.5
    skill = rng.uniform(0.55, 0.9, (judges, questions))
    for_a = (rng.random((pairs, judges, questions)) < skill) == truth
    said = rng.random(for_a.shape) > 0.2  # a fifth of the votes are ties
    return Votes.of(for_a & said, ~for_a & said, ~said)


def speed() -> None:
    votes = planted(PAIRS, JUDGES, QUESTIONS)
    size = f"{PAIRS:,} pairs x {JUDGES} judges x {QUESTIONS} questions"
    rng = np.random.default_rng(0)
    took, _ = timed(lambda: fit_votes(votes, resamples=0, rng=rng))
    print(f"{size}, EM                     {took:6.1f} s", flush=True)
    took, _ = timed(lambda: fit_votes(votes, resamples=200, rng=rng))
    print(f"{size}, EM and intervals       {took:6.1f} s", flush=True)
    half = np.full((JUDGES, QUESTIONS), 0.7)
    took, _ = timed(lambda: mixture(votes, np.zeros((PAIRS, QUESTIONS)), half, half))
    print(f"{size}, likelihood and slopes  {took:6.2f} s", flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"peak memory {peak:.2f} GB", flush=True)


def beside_dawid_skene() -> None:
    """One question, the same likelihood; both to the same tolerance."""
    votes = planted(PAIRS, JUDGES, 1)
    pair, judge, _ = np.nonzero(votes.for_a + votes.for_b)
    side = (votes.for_b[pair, judge, 0] > 0).astype(int)
    labels = Labels.of(pair, judge, side)
    theirs, peer = timed(lambda: dawid_skene(labels, iterations=200))
    rng = np.random.default_rng(0)
    ours, found = timed(lambda: fit_votes(votes, resamples=0, rng=rng))
    apart = np.abs(found.alpha[:, 0] - peer.confusion[:, 0, 0]).max()
    print(
        f"one question, {len(pair):,} votes: {ours:.2f} s with all starts, stats.dawid_skene"
        f" {theirs:.2f} s from one; ratio {ours / theirs:.2f}; alpha differs by {apart:.4f}"
    )


def recovery() -> None:
    print(f"error against information, 5,000 pairs, 8 judges, {SEEDS} seeds")
    print("alpha + beta | rms error (worst) | label loss | doubted")
    for mean_sum in (1.3, 1.2, 1.15, 1.1, 1.05):
        rows = [_trial(mean_sum, seed) for seed in range(SEEDS)]
        mean, worst = np.mean(rows, axis=0), np.max(rows, axis=0)
        print(
            f"{mean_sum:12} | {mean[0]:.3f} ({worst[0]:.3f}) | {mean[1]:.2%} | {mean[2]:.0%}",
            flush=True,
        )


def _trial(mean_sum: float, seed: int) -> list[float]:
    made = simulated(5_000, seed, mean_sum=mean_sum)
    rng = np.random.default_rng(seed)
    em = fit_votes(made.votes, resamples=50, rng=rng)
    off = made.off(em.alpha[:, 0], em.beta[:, 0])
    lost = made.best() - np.mean((em.posterior[:, 0] > 0.5) == made.truth)
    return [off, float(lost), float(any(em.doubts))]


if __name__ == "__main__":
    speed()
    beside_dawid_skene()
    recovery()
