"""The floors of the package: imports run downwards only, and from left to right on one floor.

`tests/test_structure.py` holds the package to them; `scripts/command_reference.py` says of each
command on which floor its function stands; `design/27-floors.md` says why this order.
"""

from __future__ import annotations

FLOORS = (
    ("cli", "web", "_doors"),
    ("pages",),
    ("study", "versions", "criteria", "calibrate", "juries", "simulate"),
    ("acts", "scoring", "evaluator", "reference", "rubric", "agreement", "spread"),
    ("judging",),
    ("models", "encoders", "retrieval", "running"),
    ("formats", "stats"),
    ("judgments", "results", "base"),
)


def floor_of(module: str) -> int:
    """Return the number of the floor on which a module of the package stands, 1 at the top.

    >>> floor_of("assize.calibrate._predict"), floor_of("assize.base.errors")
    (3, 8)
    """
    package = module.split(".")[1]
    return next(number for number, floor in enumerate(FLOORS, 1) if package in floor)
