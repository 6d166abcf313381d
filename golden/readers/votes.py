"""An evaluator trained on several judges' votes, and MTDEval's study of learners."""

from __future__ import annotations

from pathlib import Path

from golden.figures import flatten
from golden.product import DATA, Figures, first_lines, judgments, run

HH = DATA / "amulet-hh-test"
VOTES = "--votes", HH / "outputs-gpt4o.jsonl.gz"


def read(folder: Path) -> Figures:
    """Return reliabilities of four judges, scores of what was trained, and the study's tables."""
    items = first_lines(HH / "instances.jsonl", 160, folder / "items.jsonl")
    model, out = folder / "model", folder / "scores.jsonl"
    train = "evaluator", "train", items, *VOTES, "--out", model, "--preset", "small"
    yield from flatten(run(*train), "train")
    yield from flatten(run("score", items, "--evaluator", model, "--out", out), "score")
    yield from ((f"score/{key}", figure) for key, figure in judgments(out))
    study = "evaluator", "study", items, *VOTES, "--folds", 2, "--seeds", 1, "--exchangeable"
    yield from flatten(run(*study, "--permutations", 199), "study")
