"""What readers ask the product for: a command's JSON, rows of judgments, corpora of shared/data."""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scripts.corpora import converted
from typer.testing import CliRunner

from assize.cli import app
from golden.figures import Figure

DATA = Path(os.environ.get("GOLDEN_DATA", "../shared/data"))
EXAMPLES = Path("examples")
PATH = re.compile(r"(?<![\w:])(?:/[\w.+-]+){2,}")
Figures = Iterator[tuple[str, Figure]]


def run(*arguments: object) -> Any:
    """Return what a command prints with --json, and its exit code: 1 where much is unscored."""
    done = CliRunner().invoke(app, [*map(str, arguments), "--json"], catch_exceptions=False)
    if done.exit_code not in (0, 1):
        raise RuntimeError(f"{arguments} exited with {done.exit_code}: {done.output}")
    return {"exit code": done.exit_code, **json.loads(without_paths(done.stdout))}


def without_paths(text: str) -> str:
    """Return a text with each absolute path as `FILE`: folders differ from run to run."""
    return PATH.sub("FILE", text)


def judgments(path: Path, every: int = 1) -> Figures:
    """Return rows of a file of judgments: answer, score, distribution, reason if unscored.

    Args:
        path: JSON lines.
        every: of the items, one of so many, by a hash of the id.
    """
    seen: dict[str, int] = {}
    for line in path.read_text(encoding="utf8").splitlines():
        row = json.loads(without_paths(line))
        if zlib.crc32(row["item"].encode()) % every:
            continue
        key = "/".join(str(row.get(name)) for name in ("judge", "question", "item"))
        key += "".join(f"/{row[name]}" for name in ("turn", "order", "repeat") if row.get(name))
        seen[key] = seen.get(key, 0) + 1
        key += f"#{seen[key]}" if seen[key] > 1 else ""
        unscored = row.get("unscored")
        reason = unscored["reason"] if unscored else ""
        yield f"{key}/answer", Figure(reason or row.get("answer"))
        if row.get("score") is not None:
            yield f"{key}/score", Figure(row["score"])
        for answer, probability in (row.get("distribution") or {}).items():
            yield f"{key}/p({answer})", Figure(probability)


def first_lines(path: Path, count: int, target: Path) -> Path:
    """Write the first records of a file of JSON lines, for what takes long on all of them."""
    lines = path.read_text(encoding="utf8").splitlines(keepends=True)
    target.write_text("".join(lines[:count]), encoding="utf8")
    return target


def corpus(name: str) -> list[Path]:
    """Return the files of a corpus as assize's own records: items, and judgments of them."""
    folder = converted({"conture": "fed-conture"}.get(name, name), DATA)
    files = folder / "items.jsonl", folder / "judgments.jsonl"
    return [path for path in files if path.exists()]


CORPORA = (
    *("conture", "ieval", "llmbar", "mrbench", "pandalm", "reference-turns", "reliable-eval"),
    *("topical-chat", "uss"),
)


def outcome(result: Any) -> Any:
    """Return what a run of judges prints in the shape of BASE."""
    summary = result["summary"] | result["summary"]["spent"]
    names = "calls", "cached", "input_tokens", "output_tokens", "cost_usd", "skipped"
    judges: dict[str, Any] = {}
    reasons: dict[str, int] = {}
    for row in result["answers"]:
        n = row["n"] + row["unscored"]
        shares = {
            "" if answer == "score" else answer: {
                "count": count,
                "percent": round(100 * count / n, 2),
            }
            for answer, count in row["answers"].items()
        }
        questions = judges.setdefault(row["judge"], {"questions": {}})["questions"]
        questions[row["question"]] = {"n": n, "unscored": row["unscored"]}
        questions[row["question"]] |= {"answers": shares, "reasons": row["reasons"]}
        for reason, count in row["reasons"].items():
            reasons[reason] = reasons.get(reason, 0) + count
    return {name: summary[name] for name in names} | {
        "exit code": result.get("exit code"),
        "n": result["n"] + result["unscored"],
        "unscored": result["unscored"],
        "scored": result["n"],
        "judges": judges,
        "reasons": reasons,
        "interrupted": result["interrupted"],
        "waiting": result["waiting"],
        "booked_usd": result["summary"]["spent"]["booked_usd"],
    }


def percents(share: Mapping[str, Any]) -> dict[str, Any]:
    """Return a share as BASE printed it: its count, and percent with two decimals."""
    ends = (share["estimate"], *share["interval"])
    percent, *interval = (None if end is None else round(100 * end, 2) for end in ends)
    return {"count": share["count"], "percent": percent, "interval": interval}


def plain(figure: Mapping[str, Any]) -> dict[str, Any]:
    """Return a share as a figure without its count, which BASE did not print."""
    return {name: value for name, value in figure.items() if name != "count"}
