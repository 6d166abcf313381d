"""A rubric's questions asked of the shipped scripted model, row by row; judges and their votes."""

from __future__ import annotations

from pathlib import Path

from golden.figures import flatten
from golden.product import EXAMPLES, Figures, judgments, outcome, run

JUDGES = ("io", "explained", "da", "maxim", "geval-engagingness")


def read(folder: Path) -> Figures:
    """Return answers of `rubric ask` and votes of `judge` in both orders."""
    out = folder / "rubric"
    ask = "rubric", "ask", EXAMPLES / "conversations.jsonl", "--model", "scripted:any"
    yield from flatten(outcome(run(*ask, "--rubric", "information-seeking", "--out", out)), "ask")
    yield from ((f"ask/{key}", figure) for key, figure in judgments(out / "judgments.jsonl"))
    out = folder / "judge"
    named = [part for judge in JUDGES for part in ("--judge", f"{judge}@scripted:any")]
    yield from flatten(
        outcome(run("judge", EXAMPLES / "pairs.jsonl", *named, "--out", out)), "judge"
    )
    yield from ((f"judge/{key}", figure) for key, figure in judgments(out / "judgments.jsonl"))
