"""The shipped evaluator's scores, row by row, and how they compare with people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from golden.figures import flatten
from golden.product import DATA, EXAMPLES, Figures, first_lines, judgments, percents, plain, run


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
        yield from flatten(score_summary(run("score", path, "--out", out)), name)
        yield from ((f"{name}/{key}", figure) for key, figure in judgments(out))
    yield from flatten(evaluation(run("evaluator", "evaluate", pairs)), "evaluate")


def score_summary(record: dict[str, Any]) -> dict[str, Any]:
    """Return what `score` prints under the names that BASE has."""
    names = ("exit code", "judge", "items", "kinds", "unscored", "reasons")
    found: dict[str, Any] = {name: record[name] for name in names}
    questions = {name: scores(row) for name, row in record["questions"].items()}
    lowest = [{"item": row["item"], "score": row["score"]} for row in record["lowest"]]
    found |= {"questions": questions, "lowest": lowest}
    if record["pairs"]:
        found["pairs"] = {name: sides(row) for name, row in record["pairs"].items()}
    if record["turns"]:
        found["turns"] = {name: scores(row) for name, row in record["turns"].items()}
    if "tool_turns" in record:
        found["tool_turns"] = record["tool_turns"]
    return found | {
        "languages": record["languages"],
        "windowed": record["windowed"],
        "judgments_passed_over": record["passed_over"],
        "rejects": record["rejects"],
    }


def scores(row: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of a question with the quantiles and the share of low ones."""
    names = {"q05": "0.05", "q25": "0.25", "q50": "0.5", "q75": "0.75", "q95": "0.95"}
    quantiles = {name: row[key] for key, name in names.items()}
    return {**row["mean"], "quantiles": quantiles, "low": percents(row["low"])}


def sides(row: dict[str, Any]) -> dict[str, Any]:
    """Return which side is better, in percent."""
    shares = {name: percents(row[key]) for name, key in (("A", "a"), ("tie", "tie"), ("B", "b"))}
    return {"n": row["n"], **shares, "unscored": row["unscored"]}


def evaluation(record: dict[str, Any]) -> dict[str, Any]:
    """Return what `evaluator evaluate` prints under the names that BASE has."""
    names = ("benchmark", "question", "level", "gold", "group", "head")
    figures = ("pearson", "spearman", "with_tie", "without_tie", "kappa")
    rows = []
    for row in record["figures"]:
        found = {name: row.get(name, row["question"]) for name in names} | {"row": row["judge"]}
        rows.append(found | {name: plain(row[name]) for name in figures if name in row})
    return {
        **{name: record[name] for name in ("exit code", "judge", "base")},
        "figures": rows,
        "averages": record["averages"],
        "tests": record["tests"],
        "runtime": record["runtimes"],
    }
