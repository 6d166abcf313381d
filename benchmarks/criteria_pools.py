"""Selection on simulated pools: how much of what is planted is found, how long it takes.

python benchmarks/criteria_pools.py

Times are the processor's, so that other work on the machine does not count.
"""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.criteria.selection.plain import error_of
from tests.criteria.selection.planted import planted

from assize.criteria._selection import Budget, Objective, Pool, grow, tuned_weight
from assize.criteria._selection.held_out import held_out
from assize.criteria._selection.window import Wanted, Yielded, window, yield_rate

SEEDS = 20


def recovery() -> None:
    """Share of the planted criteria that is chosen, by effect and copies."""
    print(f"planted: 10 + 10 of 200 criteria, 100 conversations a class, {SEEDS} seeds")
    for effect, copies in ((0.8, 0), (0.5, 0), (0.8, 5)):
        found, copied = [], []
        for seed in range(SEEDS):
            pool, true = planted(seed, effect=effect, copies=copies)
            tuned = tuned_weight(pool, Budget(), Objective(), rng=np.random.default_rng(seed))
            objective = replace(Objective(), weight=tuned.weight)
            chosen = {step.criterion for step in grow(pool, Budget(), objective)}
            found.append(len(chosen & true) / len(true))
            copied.append(len(chosen & set(range(10, 10 + copies))))
        least, mean = min(found), np.mean(found)
        print(
            f"d = {effect}, {copies} copies of one: {mean:.3f} recovered (least {least:.2f}),"
            f" {np.mean(copied):.1f} copies chosen",
            flush=True,
        )


def large(conversations: int, criteria: int) -> Pool:
    """A pool whose criteria differ in what they are worth."""
    rng = np.random.default_rng(0)
    good, sat = rng.random(conversations) < 0.5, np.arange(criteria) < criteria // 2
    lean = np.where(good, 0.5, -0.5)[:, None] * 0.6 * rng.random(criteria) * np.where(sat, 1, -1)
    latent = rng.normal(size=(conversations, criteria)) + lean
    return Pool.of(np.clip(np.round(latent + 2), 0, 4) * 2.5, sat, good)


def speed() -> None:
    """The large pool, and all weights on a smaller one."""
    pool = large(5_000, 2_000)
    start = time.process_time()
    steps = grow(pool, Budget(), Objective(1.0))
    took = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"2,000 criteria x 5,000 conversations: {len(steps)} in {took:.1f} s, {memory:.2f} GB")
    start = time.process_time()
    for one in range(20):
        error_of(pool.scores[:, one], pool.good)
    each = (time.process_time() - start) / 20
    sets = sum(2_000 - n for n in range(10)) + sum(1_000 - n for n in range(10))
    print(
        f"the plain loop: {each * sets:,.0f} s for its {sets:,} sets at {1000 * each:.1f} ms,"
        f" {each * sets / took:.0f} times as long"
    )
    pool = pool.rows(np.arange(500))
    start = time.process_time()
    tuned_weight(pool, Budget(), Objective(), rng=np.random.default_rng(0))
    print(f"all weights, 3 x 5 folds, on 2,000 x 500: {time.process_time() - start:.1f} s")


def precision_on_new(labels: int, seeds: int = 25) -> None:
    """Precision of a window from held-out folds on new conversations, 90% asked, by rule.

    Criteria of d = 0.5, 5 of 100 labels wrong: what few labels and a hopeful rule lead to.
    """
    rates: dict[str, list[Yielded]] = {"observed": [], "wilson": [], "paper": []}
    for seed in range(seeds):
        world, _ = planted(seed, effect=0.5, each=2_000, criteria=48)
        rng = np.random.default_rng(seed)
        good = world.good ^ (rng.random(len(world.good)) < 0.05)
        order = rng.permutation(len(good))
        train, test = order[:labels], order[labels:]
        pool = Pool(world.scores[train], world.sat, good[train])
        chosen = _by_separation(pool)
        folds = held_out(pool, _by_separation, wanted=Wanted(), rng=np.random.default_rng(seed))
        nets = world.scores[test][:, chosen].sum(axis=1)
        for rule, found in rates.items():
            cuts = window(folds.nets, pool.good, 0.0, Wanted(rule=rule))  # type: ignore[arg-type]
            found.append(yield_rate(cuts, nets, good[test]))
    for rule, found in rates.items():
        labelled = sum(one.labelled for one in found)
        right = sum(one.precision * one.labelled for one in found if one.labelled)
        shares = [100 * one.share for one in found]
        print(
            f"{labels} labels, {rule}: labelled {np.mean(shares):.1f} (least {min(shares):.0f}),"
            f" precision {100 * right / max(labelled, 1):.1f}",
            flush=True,
        )


def _by_separation(pool: Pool) -> list[int]:
    return [step.criterion for step in grow(pool, Budget(), Objective(0.0))]


if __name__ == "__main__":
    for labels in (60, 100, 200, 300):
        precision_on_new(labels)
    speed()
    recovery()
