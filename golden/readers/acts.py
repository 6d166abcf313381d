"""Dialogue acts and maxims of HH-TEST: docs/acts.md."""

from __future__ import annotations

from pathlib import Path

from golden.figures import flatten
from golden.product import DATA, Figures, run

HH = DATA / "amulet-hh-test"
OUTPUTS, ITEMS = HH / "outputs-gpt4o.jsonl.gz", HH / "instances.jsonl"


def read(folder: Path) -> Figures:
    """Return what acts and maxims show by themselves, by gold, and in the paper's tables."""
    yield from flatten(run("acts", OUTPUTS, "--items", ITEMS), "show")
    yield from flatten(run("acts", "study", OUTPUTS, "--items", ITEMS), "study")
