"""Which policy holds on new conversations, on four samples: benchmarks/criteria_selection.py."""

from __future__ import annotations

from pathlib import Path

from benchmarks import criteria_selection
from golden.figures import flatten
from golden.product import DATA, Figures


def read(folder: Path) -> Figures:
    """Return yields, separations and gaps of each policy over four repeats."""
    for sample in criteria_selection.samples(DATA):
        summary = criteria_selection.summary(sample, criteria_selection.measure(sample, 4))
        yield from flatten(summary, sample.name)
