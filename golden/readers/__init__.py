"""One small reader a method: `read(folder)` gives (id, figure) pairs; this table has their tiers.

Tier a is printed text, b takes seconds, c trains networks and ensembles.
"""

from golden.figures import TORCH

READERS = {
    "docs": "a",
    "formats": "b",
    "jury": "b",
    "acts": "b",
    "agree": "b",
    "versions": "b",
    "reliability": "b",
    "calibrate": "b",
    "rubric": "b",
    "criteria": "b",
    "simulate": "b",
    "reference": "b",
    "evaluator": "b",
    "statistics": "b",
    "calibrate_study": "c",
    "criteria_study": "c",
    "ensembles": "c",
    "votes": "c",
}
ENCODED = 1e-6  # float32 vectors, whose last bits depend on the batch that a text was read in
TOLERANCES = {"calibrate_study": TORCH, "votes": TORCH, "reference": ENCODED, "ensembles": ENCODED}
