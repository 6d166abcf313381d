"""Records made without a model, and by the shipped scripted one."""

from __future__ import annotations

import json
from pathlib import Path

from golden.figures import Figure, flatten
from golden.product import EXAMPLES, Figures, corpus, run


def read(folder: Path) -> Figures:
    """Return cut and random turns, candidates, and pairs that ratings make."""
    chats, out = EXAMPLES / "conversations.jsonl", folder / "slots.jsonl"
    yield from flatten(run("reference", "cut", chats, "-o", out), "cut")
    yield from records(out, "cut")
    candidates = "simulate", "candidates", chats, "--model", "scripted:any", "--out", folder / "run"
    yield from flatten(run(*candidates), "candidates")
    yield from records(folder / "run" / "continuations.jsonl", "candidates")
    pairs = folder / "pairs.jsonl"
    made = run("convert", *corpus("ieval"), pairs, "--pairs-from-ratings", "overall_rank")
    yield from flatten(made, "pairs")
    yield from records(pairs, "pairs")


def records(path: Path, prefix: str) -> Figures:
    """Return each record of a file as JSON with sorted keys."""
    for line in path.read_text(encoding="utf8").splitlines():
        record = json.loads(line)
        yield f"{prefix}/{record['id']}", Figure(json.dumps(record, sort_keys=True))
