"""Agreement of raters and judges: docs/agreement.md; labels needed."""

from __future__ import annotations

from pathlib import Path

from golden.figures import flatten
from golden.product import DATA, EXAMPLES, Figures, corpus, run

HH = DATA / "amulet-hh-test"


def read(folder: Path) -> Figures:
    """Return agreement on four corpora, audits, comparisons, groups, and labels needed."""
    judgments = EXAMPLES / "answers.jsonl", EXAMPLES / "held-ratings.jsonl"
    yield from flatten(run("agree", EXAMPLES / "ratings.jsonl"), "examples/ratings")
    yield from flatten(run("agree", *judgments), "examples/judgments")
    votes = EXAMPLES / "votes.jsonl", "--items", EXAMPLES / "pairs.jsonl"
    yield from flatten(run("agree", *votes), "examples/votes")
    yield from flatten(run("agree", EXAMPLES / "votes.jsonl", "--audit"), "examples/audit")
    outputs = HH / "outputs-gpt4o.jsonl.gz", "--items", HH / "instances.jsonl"
    yield from flatten(run("agree", *outputs, "--gold", "gold"), "hh-test")
    for name in ("pandalm", "reliable-eval", "uss", "conture"):
        result = run("agree", *corpus(name), "--resamples", 200)
        yield from flatten(result, name)
    needed = "labels-needed", *judgments, "--width", 0.2, "--question", "helpful"
    yield from flatten(run(*needed), "labels-needed")
