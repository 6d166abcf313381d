"""How often intervals cover, and how often tests reject when they should not.

    python benchmarks/stats_coverage.py [intervals|tests|ppi] [--repetitions 20000]

Data are drawn from models whose true value is known (from a formula, else from a sample of
four million); every line calls the public function once a repetition.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np

from assize import stats
from assize.stats import Estimate, Interval
from assize.stats._compare import Measure

Rng = np.random.Generator
Draw = Callable[[Rng, int], tuple[np.ndarray, ...]]
CLUSTERS, ROWS = 50, 4


def clustered(rng: Rng, clusters: int) -> np.ndarray:
    """Scores of ROWS turns in each conversation, half of their variance between conversations."""
    between = np.repeat(rng.normal(size=clusters), ROWS)
    return np.asarray((between + rng.normal(size=clusters * ROWS)) / np.sqrt(2))


def normal(rng: Rng, clusters: int) -> tuple[np.ndarray, ...]:
    return (rng.normal(size=clusters),)


def skewed(rng: Rng, clusters: int) -> tuple[np.ndarray, ...]:
    return (rng.exponential(size=clusters),)


def turns(rng: Rng, clusters: int) -> tuple[np.ndarray, ...]:
    return (clustered(rng, clusters),)


def likert(rng: Rng, clusters: int) -> tuple[np.ndarray, ...]:
    return (np.clip(np.round(3.4 + clustered(rng, clusters)), 1, 5),)


def coins(rng: Rng, clusters: int) -> tuple[np.ndarray, ...]:
    return ((clustered(rng, clusters) > 0.6).astype(float),)


def wins(rng: Rng, clusters: int, rate: float = 0.95) -> tuple[np.ndarray, ...]:
    return ((rng.random(clusters) < rate).astype(float),)


def many_wins(rng: Rng, clusters: int) -> tuple[np.ndarray, ...]:
    """Turns of which 95% are won, dependent within a conversation."""
    return ((clustered(rng, clusters) > -1.645).astype(float),)


def right_answers(rng: Rng, clusters: int) -> tuple[np.ndarray, ...]:
    """Preferences of a judge that is right in 95% of pairs, and gold."""
    gold = np.where(rng.random(clusters) < 0.5, 1.0, -1.0)
    return np.where(rng.random(clusters) < 0.95, gold, -gold), gold


def two_scores(rng: Rng, clusters: int) -> tuple[np.ndarray, ...]:
    return rng.normal(size=clusters), rng.normal(size=clusters) - 2.326


def agreeing(rng: Rng, clusters: int) -> tuple[np.ndarray, ...]:
    """Two raters of three answers that agree on 95% of items."""
    first = rng.integers(0, 3, clusters)
    return first, np.where(rng.random(clusters) < 0.95, first, (first + 1) % 3)


def binormal(rng: Rng, clusters: int) -> tuple[np.ndarray, ...]:
    x = rng.normal(size=clusters)
    return x, 0.5 * x + np.sqrt(0.75) * rng.normal(size=clusters)


def turn_pairs(rng: Rng, clusters: int) -> tuple[np.ndarray, ...]:
    quality = clustered(rng, clusters)
    return quality + clustered(rng, clusters), quality + clustered(rng, clusters)


def likert_pairs(rng: Rng, clusters: int) -> tuple[np.ndarray, ...]:
    return tuple(np.clip(np.round(3 + one), 1, 5) for one in turn_pairs(rng, clusters))


def two_judges(rng: Rng, clusters: int) -> tuple[np.ndarray, ...]:
    quality = clustered(rng, clusters)
    good, bad = (quality + noise * clustered(rng, clusters) for noise in (0.8, 1.4))
    return good, bad, quality + clustered(rng, clusters)


def raters(rng: Rng, clusters: int) -> tuple[np.ndarray, ...]:
    """Three raters on a scale of three answers, one item a conversation."""
    truth = rng.integers(0, 3, clusters)
    return tuple(
        np.where(rng.random(clusters) < 0.7, truth, rng.integers(0, 3, clusters)) for _ in range(3)
    )


def groups(column: np.ndarray, clusters: int) -> np.ndarray | None:
    return None if len(column) == clusters else np.repeat(np.arange(clusters), ROWS)


def one(function: Callable[..., Estimate]) -> Callable[..., Estimate]:
    return lambda columns, g, how, rng: function(columns[0], clusters=g, interval=how)


def two(function: Callable[..., Estimate], **more: object) -> Callable[..., Estimate]:
    return lambda c, g, how, rng: function(c[0], c[1], clusters=g, interval=how, **more)


def several(function: Callable[..., Estimate], **more: object) -> Callable[..., Estimate]:
    return lambda c, g, how, rng: function(np.stack(c), clusters=g, interval=how, **more)


def share(c: tuple[np.ndarray, ...], g: np.ndarray | None, how: Interval, rng: Rng) -> Estimate:
    return stats.share(c[0], clusters=g)


def accuracy(c: tuple[np.ndarray, ...], g: np.ndarray | None, how: Interval, rng: Rng) -> Estimate:
    return stats.pairwise_accuracy(*c, clusters=g).without_tie


def above(c: tuple[np.ndarray, ...], g: np.ndarray | None, how: Interval, rng: Rng) -> Estimate:
    return stats.superiority(*c).above


def perfect(c: tuple[np.ndarray, ...], g: np.ndarray | None, how: Interval, rng: Rng) -> Estimate:
    return stats.agreement_bins(np.stack(c), clusters=g).perfect


def gap(c: tuple[np.ndarray, ...], g: np.ndarray | None, how: Interval, rng: Rng) -> Estimate:
    return stats.compare(*c, measure="spearman", clusters=g, permutations=1, rng=rng).difference


def gap_r(c: tuple[np.ndarray, ...], g: np.ndarray | None, how: Interval, rng: Rng) -> Estimate:
    return stats.compare(*c, measure="pearson", clusters=g, permutations=1, rng=rng).difference


DESIGNS: dict[str, tuple[Draw, Callable[..., Estimate]]] = {
    "mean, normal": (normal, one(stats.mean)),
    "mean, turns in conversations": (turns, one(stats.mean)),
    "mean, 1-5 ratings of turns": (likert, one(stats.mean)),
    "mean, exponential (skewed)": (skewed, one(stats.mean)),
    "share (Wilson), turns": (coins, share),
    "Pearson, binormal": (binormal, two(stats.pearson)),
    "Pearson, turns": (turn_pairs, two(stats.pearson)),
    "Spearman, binormal": (binormal, two(stats.spearman)),
    "Spearman, 1-5 ratings of turns": (likert_pairs, two(stats.spearman)),
    "Kendall, binormal": (binormal, two(stats.kendall)),
    "Cohen's kappa": (raters, two(stats.cohen_kappa)),
    "quadratic kappa, turns": (likert_pairs, two(stats.cohen_kappa, weights="quadratic")),
    "Fleiss' kappa": (raters, several(stats.fleiss_kappa)),
    "alpha, nominal": (raters, several(stats.alpha)),
    "alpha, ordinal": (likert_pairs, several(stats.alpha, level="ordinal")),
    "difference of means, turns": (turn_pairs, two(partial(stats.difference, paired=True))),
    "difference of Spearman": (two_judges, gap),
    "difference of Pearson": (two_judges, gap_r),
}
RATES: dict[str, tuple[Draw, Callable[..., Estimate]]] = {
    "share (Wilson) of 2%": (partial(wins, rate=0.02), share),
    "share (Wilson) of 5%": (partial(wins, rate=0.05), share),
    "share (Wilson) of 95%": (wins, share),
    "share (Wilson) of 95%, turns": (many_wins, share),
    "accuracy of 95%": (right_answers, accuracy),
    "how often above, 95%": (two_scores, above),
    "perfect agreement of 95%": (agreeing, perfect),
    "agreement of 95%": (agreeing, several(stats.raw_agreement)),
    "mean of 0 and 1, 95%": (wins, one(stats.mean)),
}
"""Every interval of a rate, near 0 or 1."""
DESIGNS |= RATES
EXACT = dict.fromkeys(RATES, 0.95) | {
    "share (Wilson) of 2%": 0.02,
    "share (Wilson) of 5%": 0.05,
    "mean, exponential (skewed)": 1.0,
    "mean, normal": 0.0,
    "Pearson, binormal": 0.5,
}

NO_BOOTSTRAP = ("share (Wilson), turns", "difference of Spearman", "difference of Pearson")


@cache
def truth(name: str) -> float:
    """The true value, from a sample of four million rows where no formula is at hand."""
    if name in EXACT:
        return EXACT[name]
    draw, function = DESIGNS[name]
    rng, parts = np.random.default_rng(12345), []
    for _ in range(20):
        columns = draw(rng, 50_000)
        g = groups(columns[0], 50_000)
        parts.append(function(columns, g, Interval(), rng).estimate)
    return float(np.mean(parts))


def coverage(name: str, clusters: int, how: Interval, repetitions: int, seed: int) -> float:
    draw, function = DESIGNS[name]
    rng, target, covered = np.random.default_rng(seed), truth(name), 0
    for _ in range(repetitions):
        columns = draw(rng, clusters)
        low, high = function(columns, groups(columns[0], clusters), how, rng).interval
        covered += low <= target <= high
    return covered / repetitions


def intervals(repetitions: int) -> Iterator[str]:
    yield f"coverage of 95% intervals, {repetitions:,} repetitions"
    yield f"(Monte Carlo error {100 * np.sqrt(0.95 * 0.05 / repetitions):.2f} points)"
    few = max(1, repetitions // 20)
    header = ("10", "20", "50", "100", "pct50")
    yield f"{'':32} {' '.join(f'{name:>6}' for name in header)}  s"
    for name in DESIGNS:
        start = time.perf_counter()
        cells = [coverage(name, size, Interval(), few, size) for size in (10, 20)]
        cells += [coverage(name, size, Interval(), repetitions, size) for size in (50, 100)]
        if name not in (*RATES, *NO_BOOTSTRAP):
            how = Interval("percentile", resamples=999)
            cells.append(coverage(name, CLUSTERS, how, few, 7))
        shown = " ".join(f"{100 * cell:6.2f}" for cell in cells)
        yield f"{name:32} {shown}  {time.perf_counter() - start:.0f}"


def rejections(test: Callable[[Rng], stats.Test], repetitions: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    return float(np.mean([test(rng).p_value <= 0.05 for _ in range(repetitions)]))


def flip(rng: Rng, clusters: int) -> stats.Test:
    x, y = turn_pairs(rng, clusters)
    return stats.sign_flip(x - y, clusters=groups(x, clusters), permutations=999, rng=rng)


def swapped(rng: Rng, measure: Measure) -> stats.Test:
    quality = clustered(rng, CLUSTERS)
    one, two, gold = (quality + clustered(rng, CLUSTERS) for _ in range(3))
    g = groups(one, CLUSTERS)
    return stats.compare(
        one, two, gold, measure=measure, clusters=g, permutations=199, rng=rng
    ).test


def coin_test(rng: Rng) -> stats.Test:
    first, second = rng.random((2, 60)) < 0.7
    return stats.mcnemar(first, second)


def tests(repetitions: int) -> Iterator[str]:
    yield f"rejections at 5% under the null, {repetitions:,} repetitions"
    yield f"(Monte Carlo error {100 * np.sqrt(0.95 * 0.05 / repetitions):.2f} points)"
    cases: dict[str, Callable[[Rng], stats.Test]] = {
        "sign flip, 50 conversations x 4": lambda rng: flip(rng, 50),
        "sign flip, 15 conversations x 4": lambda rng: flip(rng, 15),
        "sign flip, 8 conversations (exact)": lambda rng: flip(rng, 8),
        "swap of judges, Spearman": lambda rng: swapped(rng, "spearman"),
        "swap of judges, Pearson": lambda rng: swapped(rng, "pearson"),
        "McNemar (exact: at most 5%)": coin_test,
    }
    for name, case in cases.items():
        start = time.perf_counter()
        rate = rejections(case, repetitions, 11)
        yield f"{name:36} {100 * rate:5.2f}%  {time.perf_counter() - start:.0f} s"


def labelled(rng: Rng, n: int, more: int, rho: float) -> tuple[np.ndarray, np.ndarray, float]:
    """`n` human labels among `n + more` machine labels that correlate by `rho`."""
    machine = rng.normal(size=n + more)
    human = rho * machine + np.sqrt(1 - rho**2) * rng.normal(size=n + more)
    human[n:] = np.nan
    return human, machine, 0.0


def labelled_wins(rng: Rng, n: int, more: int, rho: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Wins by people and by a machine that repeats a person's answer with probability rho."""
    human = (rng.random(n + more) < 0.6).astype(float)
    guess = (rng.random(n + more) < 0.6).astype(float)
    machine = np.where(rng.random(n + more) < rho, human, guess)
    human[n:] = np.nan
    return human, machine, 0.6


def labelled_rates(
    rng: Rng, n: int, more: int, rate: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Wins by people; a machine sees 95% of them, and takes 10% of losses for one."""
    human = (rng.random(n + more) < rate).astype(float)
    machine = np.where(human == 1, rng.random(n + more) < 0.95, rng.random(n + more) < 0.1)
    human[n:] = np.nan
    return human, machine.astype(float), rate


def ppi(repetitions: int) -> Iterator[str]:
    yield f"prediction-powered 95% intervals, {repetitions:,} repetitions"
    yield "(of a skewed rate the column rho has the rate)"
    yield f"{'':14} {'human':>6} {'more':>6} {'rho':>5} {'covers':>8} {'human':>8} {'width':>8}"
    cases: list[tuple[str, Callable[..., Any], tuple[float, ...]]] = [
        ("mean", labelled, (0.0, 0.3, 0.7, 0.95)),
        ("win rate", labelled_wins, (0.0, 0.3, 0.7, 0.95)),
        ("skewed rate", labelled_rates, (0.02, 0.05, 0.1, 0.5, 0.9, 0.95, 0.98)),
    ]
    for name, draw, settings in cases:
        for n, more in ((30, 500), (50, 50), (50, 500), (100, 1_000), (200, 2_000)):
            for rho in settings:
                rng, hits, widths = np.random.default_rng(n), np.zeros(2), np.zeros(2)
                for _ in range(repetitions):
                    human, machine, target = draw(rng, n, more, rho)
                    found = stats.ppi_mean(human, machine)
                    for at, one in enumerate((found.powered, found.human)):
                        low, high = one.interval
                        hits[at] += low <= target <= high
                        widths[at] += high - low
                covers = " ".join(f"{100 * hit / repetitions:7.2f}%" for hit in hits)
                yield (
                    f"{name:14} {n:6} {more:6} {rho:5.2f} {covers} {widths[0] / widths[1]:7.3f}x"
                )


STUDIES = {"intervals": intervals, "tests": tests, "ppi": ppi}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("study", nargs="*", help=f"of {', '.join(STUDIES)}; all by default")
    parser.add_argument("--repetitions", type=int, default=20_000)
    asked = parser.parse_args()
    unknown = set(asked.study) - set(STUDIES)
    if unknown:
        parser.error(f"no study {', '.join(sorted(unknown))}; there are {', '.join(STUDIES)}")
    for study in asked.study or STUDIES:
        for line in STUDIES[study](asked.repetitions):
            print(line, flush=True)


if __name__ == "__main__":
    main()
