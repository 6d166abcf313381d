"""A rubric's questions asked of the shipped scripted model, row by row; judges and their votes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from golden.figures import flatten
from golden.product import EXAMPLES, Figures, judgments, run

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


def outcome(result: Any) -> Any:
    """Return what a run prints in the shape of BASE."""
    summary = result["summary"]
    names = "calls", "cached", "input_tokens", "output_tokens", "cost_usd", "skipped"
    judges: dict[str, Any] = {}
    reasons: dict[str, int] = {}
    for row in result["answers"]:
        shares = {
            answer: {"count": share["count"], "percent": round(100 * share["estimate"], 2)}
            for answer, share in row["answers"].items()
        }
        questions = judges.setdefault(row["judge"], {"questions": {}})["questions"]
        questions[row["question"]] = {name: row[name] for name in ("n", "unscored")}
        questions[row["question"]] |= {"answers": shares, "reasons": row["reasons"]}
        for reason, count in row["reasons"].items():
            reasons[reason] = reasons.get(reason, 0) + count
    return {name: summary[name] for name in names} | {
        "exit code": result["exit code"],
        "n": result["n"],
        "unscored": result["unscored"],
        "scored": result["n"] - result["unscored"],
        "judges": judges,
        "reasons": reasons,
        "interrupted": result["interrupted"],
        "waiting": result["waiting"],
        "booked_usd": result["booked_usd"],
    }
