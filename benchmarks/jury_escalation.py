"""How often an escalating jury's level is missed: a simulation of its guarantee.

    python benchmarks/jury_escalation.py

The first judge is right more often where it is surer, P(right | confidence c) = 1 - exp(-s c) / 2,
so that the true agreement of all that is decided from a threshold on is known. A trial misses
when a threshold was chosen whose true agreement is below the wanted level; at most delta of
all trials may.
"""

from __future__ import annotations

import numpy as np

from assize.juries import Escalate
from assize.juries.escalation import chains_of, choose

TRIALS = 2000


def agreement(threshold: float, slope: float) -> float:
    """Of decisions from a threshold on, where confidence is exponential with mean 1."""
    return float(1 - 0.5 * np.exp(-slope * threshold) / (1 + slope))


def trial(rng: np.random.Generator, n: int, slope: float, wanted: Escalate) -> float | None:
    """The threshold chosen on n labelled pairs and as many unlabelled."""
    sure, pool = rng.exponential(size=n), rng.exponential(size=n)
    right = rng.random(n) < 1 - 0.5 * np.exp(-slope * sure)
    return choose(sure, right, chains_of(pool, n, wanted), wanted).value


def main() -> None:
    """Prints one line a setting."""
    rng = np.random.default_rng(0)
    print("level delta    n slope   chosen  missed  decided  could decide")
    for level, delta in ((0.8, 0.1), (0.9, 0.1), (0.9, 0.05), (0.95, 0.2)):
        for n in (100, 300, 1000):
            for slope in (1.0, 4.0):
                wanted = Escalate(level, delta)
                found = [trial(rng, n, slope, wanted) for _ in range(TRIALS)]
                chosen = [one for one in found if one is not None]
                missed = sum(agreement(one, slope) < level for one in chosen)
                decided = np.mean([0.0 if one is None else np.exp(-one) for one in found])
                best = max(0.0, np.log(0.5 / (1 - level) / (1 + slope)) / slope)
                print(
                    f"{level:5.2f} {delta:5.2f} {n:4d} {slope:5.1f} {len(chosen) / TRIALS:8.1%}"
                    f" {missed / TRIALS:7.1%} {decided:8.1%} {np.exp(-best):9.1%}"
                )


if __name__ == "__main__":
    main()
