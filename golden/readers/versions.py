"""Two versions compared, and a gate: docs/compare.md, docs/gate.md."""

from __future__ import annotations

import random
from pathlib import Path

import assize
from assize import Judgment, Question
from golden.figures import flatten
from golden.product import Figures, run

HELPFUL = Question("helpful", kind="ordinal", answers=("1", "2", "3", "4"), values=(1, 2, 3, 4))


def write_versions(folder: Path) -> list[Path]:
    """Write 120 ratings of each of two versions; the second is better, some are unscored."""
    paths = []
    for name, gain in (("old", 0.0), ("new", 0.5)):
        rng = random.Random(name)
        rows = [
            Judgment(
                f"c{number}",
                "rater",
                "helpful",
                answer=str(min(4, max(1, round(rng.gauss(2.5 + gain, 0.8))))),
            )
            for number in range(120)
        ]
        paths.append(folder / f"{name}.jsonl")
        assize.write(paths[-1], rows, questions=[HELPFUL])
    return paths


def read(folder: Path) -> Figures:
    """Return the comparison of two versions and the checks of a gate."""
    old, new = write_versions(folder)
    yield from flatten(run("compare", f"old={old}", f"new={new}"), "compare")
    limits = "--fail-under", "helpful=2", "--baseline", old, "--max-drop", "helpful=0.1"
    yield from flatten(run("gate", new, *limits), "gate")
