"""Draw operator mutants by seed over the packages that calculate."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from golden.operators.sites import Mutant, mutants_of

ROOT = Path(__file__).parents[2]
# Below these stand the mathematics. Left apart: what reads, shows, asks models or serves.
PACKAGES = (
    "stats",
    "agreement",
    "spread",
    "calibrate",
    "criteria",
    "evaluator",
    "reference",
    "juries",
    "acts",
    "scoring",
    "retrieval",
)
# Figures as a paper prints them: copied to compare with, not calculated.
PRINTED = ("_printed.py", "published.py")


def read_sources() -> Iterator[tuple[str, str]]:
    """Yield name and text of each file of the packages that calculate."""
    for package in PACKAGES:
        for path in sorted(Path(ROOT, "src/assize", package).rglob("*.py")):
            if path.name not in PRINTED:
                yield str(path.relative_to(ROOT)), path.read_text(encoding="utf8")


@cache
def find_places() -> dict[tuple[str, int], list[Mutant]]:
    """Return what may stand at each place, by file and start."""
    places: dict[tuple[str, int], list[Mutant]] = {}
    for file, source in read_sources():
        for mutant in mutants_of(file, source):
            places.setdefault((file, mutant.start), []).append(mutant)
    return places


def draw_mutants(seed: int, count: int) -> list[Mutant]:
    """Draw places at random over all packages, then one mutant of each place.

    Every place is equally likely, whatever it may become; a larger `count` of the same seed
    begins with the mutants of a smaller one.
    """
    places = find_places()
    generator = random.Random(seed)
    order = list(places)
    generator.shuffle(order)
    return [generator.choice(places[place]) for place in order[:count]]
