"""Records made without a model, and by the shipped scripted one."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from golden.figures import Figure, flatten
from golden.product import EXAMPLES, Figures, corpus, run


def read(folder: Path) -> Figures:
    """Return cut and random turns, candidates, and pairs that ratings make."""
    chats, slots = EXAMPLES / "conversations.jsonl", folder / "slots"
    cut = run("simulate", "candidates", chats, "--no-random", "--out", slots)
    facts = {name: cut[name] for name in ("exit code", "conversations", "left_out")}
    sources = {"(nobody yet)": cut["count"]}
    yield from flatten(facts | {"continuations": cut["count"], "sources": sources}, "cut")
    yield from records(slots / "continuations.jsonl", "cut")
    candidates = "simulate", "candidates", chats, "--model", "scripted:any", "--out", folder / "run"
    yield from flatten(simulated(run(*candidates)), "candidates")
    yield from records(folder / "run" / "continuations.jsonl", "candidates")
    pairs = folder / "pairs.jsonl"
    made = run("simulate", "pairs", *corpus("ieval"), "--question", "overall_rank", "--out", pairs)
    shape = {"records": {"pairs": made["count"]}, "made": rated(made, pairs)}
    yield from flatten({"exit code": made["exit code"]} | shape, "pairs")
    yield from records(pairs, "pairs")


def simulated(value: Any) -> Any:
    """Return what making candidates prints in the shape of BASE."""
    names = "exit code", "places", "conversations", "unscored", "waiting"
    figures = "words", "length_ratio", "same_words"
    sources = {
        row["source"]: {"candidates": row["candidates"], "missing": row["reasons"]}
        | {name: row[name] and round(row[name], 6) for name in figures}
        for row in value["sources"]
    }
    totals = ("calls", "cached", "input_tokens", "output_tokens", "cost_usd", "booked_usd")
    return {name: value[name] for name in names} | {
        "continuations": value["count"],
        "sources": sources,
        "left_out": value["left_out"],
        "scrubbed": value.get("scrubbed"),
        "interrupted": value["interrupted"],
        "spent": {name: value["spent"][name] for name in totals},
    }


def rated(value: Any, path: Path) -> Any:
    """Return what pairs of ratings print and hold in the shape of BASE."""
    pairs = [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]
    labels = Counter(pair["gold"]["preference"] for pair in pairs)
    return {
        "pairs": value["count"],
        "groups": value["groups"],
        "labels": {label: labels[label] for label in ("A", "tie", "B")},
        "shared_user": sum(pair.get("shared_user", False) for pair in pairs),
        "question": value["question"],
        "left_out": value["left_out"],
    }


def records(path: Path, prefix: str) -> Figures:
    """Return each record of a file as JSON with sorted keys."""
    for line in path.read_text(encoding="utf8").splitlines():
        record = json.loads(line)
        yield f"{prefix}/{record['id']}", Figure(json.dumps(record, sort_keys=True))
