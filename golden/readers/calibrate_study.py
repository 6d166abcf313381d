"""LLM-Rubric's tables: baselines, the default and networks, cross-validated."""

from __future__ import annotations

from pathlib import Path

from golden.figures import flatten
from golden.product import Figures, run
from golden.readers.calibrate import ANSWERS, RATINGS


def read(folder: Path) -> Figures:
    """Return the study's tables with two networks, folds by item and by topic."""
    study = "calibrate", "study", *ANSWERS, *RATINGS, "-t", "Q0", "--permutations", 99
    methods = "-m", "baselines", "-m", "calibrated"
    yield from flatten(run(*study, *methods), "by item")
    yield from flatten(run(*study, *methods[:2], "--folds-by", r"_(\d+)"), "by topic")
