"""Reliabilities of judges from votes: MTDEval's equations 5 to 9; docs/judge-reliability.md."""

from __future__ import annotations

from pathlib import Path

from golden.figures import flatten
from golden.product import EXAMPLES, Figures, corpus, run
from golden.readers.jury import jury


def read(folder: Path) -> Figures:
    """Return juries by reliability on two corpora of votes and the examples."""
    for name in ("pandalm", "llmbar"):
        votes = corpus(name)
        for ending, option in (("", []), ("/sides", ["--exchangeable"]), ("/tied", ["--tied"])):
            result = run("jury", *votes, "--reliability", *option)
            yield from flatten(jury(result), f"{name}{ending}")
    yield from flatten(jury(run("jury", EXAMPLES / "votes.jsonl", "--reliability")), "examples")
