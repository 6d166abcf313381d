"""UPHELD's metrics of next turns, row by row and against what people said."""

from __future__ import annotations

from pathlib import Path

from golden.figures import flatten
from golden.product import Figures, corpus, judgments, run

METRICS = (
    *("cosine", "bertscore-precision", "bertscore-recall", "bertscore-f1", "rouge1-recall"),
    *("rouge2-recall", "rougel-recall", "rougelsum-recall"),
)
QUESTIONS = (
    *("grade-coherence", "gupta-appropriateness", "usr-overall"),
    "mistake_identification+mistake_location+providing_guidance+actionability",
)
LENIENT = "--max-unscored", 20


def read(folder: Path) -> Figures:
    """Return eight metrics of the turns of four corpora, and the study in the paper's shape."""
    corpora = [corpus(name) for name in ("reference-turns", "mrbench")]
    files = [items for items, _ in corpora]
    run_folder = folder / "run"
    named = [part for name in METRICS for part in ("--metric", name)]
    yield from flatten(
        run("reference", "score", *files, "--out", run_folder, *named, *LENIENT), "score"
    )
    yield from ((f"score/{key}", row) for key, row in judgments(run_folder / "judgments.jsonl", 10))
    asked = [part for question in QUESTIONS for part in ("--question", f"overall={question}")]
    items = [part for path in files for part in ("--items", path)]
    people = [path for _, path in corpora]
    study = "reference", "study", run_folder, *people, *items, *asked, "--by", "^([a-z]+)-"
    yield from flatten(run(*study, *LENIENT), "study")
