"""How often intervals of `assize compare` hold the true difference, and tests reject a true null.

    python benchmarks/compare_versions.py --sets 4000

Data are drawn with a known difference: normal, skewed (log-normal), answers from 1 to 5 of which
most are 5, and yes or no; pairs that agree in two of five rows, and two samples of which the
second is as large or three times as large. Last comes what no method gets right at few rows: three
of ten conversations gain, the others do not change.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from assize.stats import mean_difference

Draw = Callable[[np.random.Generator, int], np.ndarray]
VALUES: dict[str, Draw] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "skewed": lambda rng, n: rng.lognormal(size=n),
    "1 to 5": lambda rng, n: rng.choice(5, n, p=[0.04, 0.06, 0.1, 0.25, 0.55]) + 1.0,
    "yes or no": lambda rng, n: (rng.random(n) < 0.85) * 1.0,
}


def measure(
    draw: Callable[[], tuple[np.ndarray, np.ndarray]], true: float, paired: bool, sets: int
) -> tuple[float, float]:
    """Coverage, and how often no difference is rejected."""
    rng = np.random.default_rng(0)
    held = rejected = 0
    for _ in range(sets):
        first, second = draw()
        found = mean_difference(first, second, paired=paired, permutations=599, rng=rng)
        low, high = found.difference.interval
        held += found.difference.reason is not None or low <= true <= high
        rejected += found.test.p_value <= 0.05
    return held / sets, rejected / sets


def main() -> None:
    """Prints a row a setting, as it is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=4_000)
    sets = parser.parse_args().sets
    rng = np.random.default_rng(1)
    print(f"{'values':<10} {'rows':<12} {'coverage':>8} {'rejected':>8}", flush=True)

    def shown(name: str, rows: str, found: tuple[float, float]) -> None:
        print(f"{name:<10} {rows:<12} {found[0]:8.3f} {found[1]:8.3f}", flush=True)

    for n in (20, 50, 200):
        for name, values in VALUES.items():

            def pairs(values: Draw = values, n: int = n) -> tuple[np.ndarray, np.ndarray]:
                first = values(rng, n)
                return first, np.where(rng.random(n) < 0.4, first, values(rng, n))

            shown(name, f"{n} pairs", measure(pairs, 0.0, True, sets))
            for more in (n, 3 * n) if n < 200 else (n,):

                def samples(
                    values: Draw = values, n: int = n, more: int = more
                ) -> tuple[np.ndarray, np.ndarray]:
                    return values(rng, n), values(rng, more)

                shown(name, f"{n} and {more}", measure(samples, 0.0, False, sets))

        def gains(n: int = n) -> tuple[np.ndarray, np.ndarray]:
            return rng.exponential(size=n) * (rng.random(n) < 0.3), np.zeros(n)

        shown("few gains", f"{n} pairs", measure(gains, 0.3, True, sets))


if __name__ == "__main__":
    main()
