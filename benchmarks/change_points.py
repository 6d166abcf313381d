"""How often change-points are false, how often they are found, and how well they are dated.

    python benchmarks/change_points.py [--repetitions 1000]

Series are drawn from models whose changes are known; all of one kind go through one call, without
a correction over them. Ends with the time of 100,000 conversations and 21 questions.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from assize.stats._change_points import ChangePoints, change_points

N, PERMUTATIONS = 1_000, 999
Rng = np.random.Generator


def found_in(
    series: np.ndarray, rng: Rng, level: float = 0.05, clusters: np.ndarray | None = None
) -> list[ChangePoints]:
    """The changes of each column."""
    return [
        changes
        for column in series.T
        for changes in change_points(
            column[:, None],
            np.arange(len(series)),
            permutations=PERMUTATIONS,
            level=level,
            clusters=clusters,
            rng=rng,
        )
    ]


def users(rng: Rng, count: int, shift: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """One series in which users, each for a time, make 30% of the variance."""
    at, centre = np.sort(rng.random(N)), rng.random(count)
    weight = np.exp(-(((at[:, None] - centre) / 0.15) ** 2))
    share = np.cumsum(weight / weight.sum(axis=1, keepdims=True), axis=1)
    who = (share < rng.random((N, 1))).sum(axis=1)
    values = np.sqrt(0.3) * rng.normal(size=count)[who] + np.sqrt(0.7) * rng.normal(size=N)
    return values + shift * (np.arange(N) >= N // 2), who


def false_alarms(rng: Rng, repetitions: int) -> None:
    print("nothing changes: share of series with a change, at 5%")
    kinds: dict[str, Callable[[], np.ndarray]] = {
        "1,000 normal": lambda: rng.normal(size=(N, repetitions)),
        "300 skewed": lambda: rng.exponential(size=(300, repetitions)) ** 2,
        "60 yes or no, 10% yes": lambda: (rng.random((60, repetitions)) < 0.1) * 1.0,
        "1,000 from 0 to 10 in steps of 2.5": lambda: 2.5 * rng.integers(0, 5, (N, repetitions)),
    }
    for name, draw in kinds.items():
        share = np.mean([bool(one.changes) for one in found_in(draw(), rng)])
        print(f"  {name:36}{share:.1%}")
    for count in (20, 50, 200):
        told, ignored = [], []
        for _ in range(repetitions // 2):
            values, who = users(rng, count)
            told.append(bool(found_in(values[:, None], rng, clusters=who)[0].changes))
            ignored.append(bool(found_in(values[:, None], rng)[0].changes))
        print(f"  {count} users, told and ignored{'':12}{np.mean(told):.1%} {np.mean(ignored):.1%}")


def power(rng: Rng, repetitions: int) -> None:
    print("a shift of d before the last so many of 1,000: found at 5%, and as one of 21 questions")
    for size in (0.3, 0.5, 0.8):
        for after in (50, 75, 100, 150, 200, 300, 500):
            series = rng.normal(size=(N, repetitions // 4))
            series[N - after :] -= size
            shares = [
                np.mean([bool(one.changes) for one in found_in(series, rng, level)])
                for level in (0.05, 0.05 / 21)
            ]
            print(f"  d {size}, last {after:4}   " + " ".join(f"{one:.0%}" for one in shares))


def dates(rng: Rng, repetitions: int) -> None:
    print("one shift of d: more than one found, distance of the date, coverage of date and size")
    for size, first in ((0.3, 500), (0.5, 500), (0.5, 850), (0.8, 500)):
        series = rng.normal(size=(N, repetitions))
        series[first:] -= size
        hits = [one.changes for one in found_in(series, rng) if one.changes]
        near = [min(one, key=lambda c: abs(c.position - first)) for one in hits]
        off = [abs(one.position - first) for one in near]
        dated = np.mean([one.interval[0] <= first <= one.interval[1] for one in near])
        width = np.median([one.interval[1] - one.interval[0] for one in near])
        ends = [one.difference.interval for one in near]
        sized = np.mean([low <= -size <= high for low, high in ends])
        print(
            f"  d {size} at {first}: {np.mean([len(one) > 1 for one in hits]):.1%},"
            f" {np.median(off):.0f} (90%: {np.quantile(off, 0.9):.0f}),"
            f" date {dated:.1%} in {width:.0f}, size {sized:.1%}"
        )


def shapes(rng: Rng, repetitions: int) -> None:
    print("how many changes are found: 0, 1, 2, ...")
    noise = rng.normal(size=(N, repetitions // 2))
    at = np.arange(N)[:, None]
    for name, level in {
        "dip of 0.8 over 100": -0.8 * ((at >= 450) & (at < 550)),
        "dip of 0.5 over 100": -0.5 * ((at >= 450) & (at < 550)),
        "down 0.5 at 300, up at 700": -0.5 * ((at >= 300) & (at < 700)),
        "down 0.5 at 333 and at 667": -0.5 * (at >= 333) - 0.5 * (at >= 667),
        "slow fall by 1": -at / N,
    }.items():
        counts = np.bincount([len(one.changes) for one in found_in(noise + level, rng)])
        print(f"  {name:28}" + " ".join(f"{one / len(noise[0]):.0%}" for one in counts))


def speed(rng: Rng) -> None:
    series = rng.normal(size=(100_000, 21))
    series[60_000:, :3] -= 0.3
    for name, clusters in (("alone", None), ("30,000 users", rng.integers(0, 30_000, 100_000))):
        start = time.perf_counter()
        change_points(series, np.arange(100_000), clusters=clusters, rng=rng)
        print(f"100,000 x 21, 9,999 orders, 3 changes, {name}: {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    given = argparse.ArgumentParser()
    given.add_argument("--repetitions", type=int, default=1_000)
    asked = given.parse_args().repetitions
    draw = np.random.default_rng(0)
    for part in (false_alarms, power, dates, shapes):
        part(draw, asked)
    speed(draw)
