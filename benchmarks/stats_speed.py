"""How fast the statistics are: the aims, a reference tool beside them, and ten million rows."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable

import numpy as np

from assize import stats
from assize.stats import Interval, Labels

ROWS = 10_000_000


def seconds(function: Callable[[], object], runs: int = 3) -> float:
    """The fastest of some runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def line(name: str, took: float, aim: str) -> None:
    print(f"{name:58} {took:7.3f} s  (aim {aim})", flush=True)


def labels() -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(0)
    items = np.repeat(np.arange(28_000), 5)
    truth, judges = rng.integers(0, 4, 28_000), rng.integers(0, 40, len(items))
    right = rng.random(len(items)) < rng.uniform(0.4, 0.95, 40)[judges]
    return items, judges, np.where(right, truth[items], rng.integers(0, 4, len(items)))


def truths() -> None:
    items, judges, answers = labels()
    ours = seconds(lambda: stats.dawid_skene(Labels.of(items, judges, answers)))
    try:
        import pandas as pd
        from crowdkit.aggregation import DawidSkene
    except ImportError:
        line("Dawid-Skene, 140,000 labels", ours, "crowd-kit's time; it is not installed")
        return
    frame = pd.DataFrame({"task": items, "worker": judges, "label": answers})
    theirs = seconds(lambda: DawidSkene(n_iter=100).fit_predict(frame))
    line("Dawid-Skene, 140,000 labels", ours, f"at most crowd-kit's {theirs:.3f}")


def main() -> None:
    rng = np.random.default_rng(1)
    gold = rng.normal(size=1_000)
    good, bad = gold + rng.normal(size=1_000), gold + 1.3 * rng.normal(size=1_000)
    truths()
    for measure in ("spearman", "pearson", "kappa", "mae"):
        columns = [c.round() if measure == "kappa" else c for c in (good, bad, gold)]
        took = seconds(lambda c=columns, m=measure: stats.compare(*c, measure=m, rng=rng))  # type: ignore[misc]
        line(f"10,000 paired swaps of two judges, {measure}, 1,000 items", took, "10")
    ratings = np.clip((gold + rng.normal(size=(5, 1_000))).round(), -2, 2)
    fine = gold + rng.normal(size=(5, 1_000))
    how = Interval("percentile", resamples=1_000)
    for level in ("nominal", "ordinal", "interval"):
        took = seconds(lambda v=level: stats.alpha(ratings, level=v, interval=how))  # type: ignore[misc]
        line(f"1,000 resamples of alpha, {level}, 5 answers, 1,000 x 5", took, "2")
    took = seconds(lambda: stats.alpha(fine, level="interval", interval=how))
    line("1,000 resamples of alpha, interval, no two alike", took, "2")
    took = seconds(lambda: stats.alpha(fine.round(1), level="ordinal", interval=how))
    line("1,000 resamples of alpha, ordinal, 80 answers", took, "2")
    many(rng)


def many(rng: np.random.Generator) -> None:
    x = rng.normal(size=ROWS)
    y = x + rng.normal(size=ROWS)
    a, b = (np.clip(np.round(column), -2, 2) for column in (x, y))
    cases: dict[str, Callable[[], stats.Estimate]] = {
        "mean": lambda: stats.mean(x),
        "Pearson": lambda: stats.pearson(x, y),
        "Spearman": lambda: stats.spearman(x, y),
        "Kendall": lambda: stats.kendall(x, y),
        "Cohen's kappa": lambda: stats.cohen_kappa(a, b),
        "alpha, ordinal": lambda: stats.alpha([a, b], level="ordinal"),
    }
    for name, case in cases.items():
        start = time.perf_counter()
        found = case()
        took = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        low, high = found.interval
        shown = f"{found.estimate:.5f} [{low:.5f}, {high:.5f}]"
        print(f"{ROWS:,} rows, {name:16} {shown}  {took:6.1f} s, peak {peak:.1f} GB", flush=True)


if __name__ == "__main__":
    main()
