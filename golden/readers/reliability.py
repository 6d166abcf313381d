"""Reliabilities of judges from votes: MTDEval's equations 5 to 9; docs/judge-reliability.md."""

from __future__ import annotations

from pathlib import Path

from golden.figures import flatten
from golden.product import EXAMPLES, Figures, corpus, run


def read(folder: Path) -> Figures:
    """Return juries by reliability on two corpora of votes and the examples."""
    for name in ("pandalm", "llmbar"):
        votes = corpus(name)
        yield from flatten(run("jury", *votes, "--reliability"), name)
        yield from flatten(run("jury", *votes, "--reliability", "--exchangeable"), f"{name}/sides")
        yield from flatten(run("jury", *votes, "--reliability", "--tied"), f"{name}/tied")
    yield from flatten(run("jury", EXAMPLES / "votes.jsonl", "--reliability"), "examples")
