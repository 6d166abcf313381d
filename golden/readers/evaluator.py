"""The shipped evaluator's scores, row by row, and how they compare with people."""

from __future__ import annotations

from pathlib import Path

from golden.figures import flatten
from golden.product import DATA, EXAMPLES, Figures, first_lines, judgments, run


def read(folder: Path) -> Figures:
    """Return scores of conversations and pairs, and figures against gold."""
    pairs = first_lines(DATA / "amulet-hh-test/instances.jsonl", 80, folder / "hh.jsonl")
    files = {
        "conversations": EXAMPLES / "conversations.jsonl",
        "pairs": EXAMPLES / "pairs.jsonl",
        "hh-test": pairs,
    }
    for name, path in files.items():
        out = folder / f"{name}.jsonl"
        yield from flatten(run("score", path, "--out", out), name)
        yield from ((f"{name}/{key}", figure) for key, figure in judgments(out))
    yield from flatten(run("evaluator", "evaluate", pairs), "evaluate")
