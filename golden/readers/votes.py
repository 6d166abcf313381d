"""An evaluator trained on several judges' votes, and MTDEval's study of learners."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from golden.figures import flatten
from golden.product import DATA, Figures, first_lines, judgments, run
from golden.readers.evaluator import score_summary

HH = DATA / "amulet-hh-test"
VOTES = "--votes", HH / "outputs-gpt4o.jsonl.gz"


def read(folder: Path) -> Figures:
    """Return reliabilities of four judges, scores of what was trained, and the study's tables."""
    items = first_lines(HH / "instances.jsonl", 160, folder / "items.jsonl")
    model, out = folder / "model", folder / "scores.jsonl"
    train = "evaluator", "train", items, *VOTES, "--out", model, "--preset", "small"
    yield from flatten(training(run(*train)), "train")
    scored = run("score", items, "--evaluator", model, "--out", out)
    yield from flatten(score_summary(scored), "score")
    yield from ((f"score/{key}", figure) for key, figure in judgments(out))
    study = "study", "evaluators", items, *VOTES, "--folds", 2, "--seeds", 1, "--exchangeable"
    yield from flatten(study_record(run(*study, "--permutations", 199)), "study")


def training(record: dict[str, Any]) -> dict[str, Any]:
    """Return what `evaluator train` prints under the names that BASE has."""
    about = record["about"]
    return {
        "exit code": record["exit code"],
        "evaluator": f"evaluator@{record['name']}",
        "heads": list(record["scored"]),
        **{name: about[name] for name in ("judgments", "pairs")},
        "reliabilities": [reliability(row) for row in record["reliabilities"]],
    }


def reliability(row: dict[str, Any]) -> dict[str, Any]:
    """Return a judge's rates with their intervals, in six digits."""
    found = {"judge": row["judge"], "question": row["question"], "votes": float(row["alpha"]["n"])}
    for name in ("alpha", "beta"):
        low, high = row[name]["interval"]
        values = {name: row[name]["estimate"], f"{name}_low": low, f"{name}_high": high}
        found |= {key: None if value is None else round(value, 6) for key, value in values.items()}
    return found | {"agrees": round(row["agrees"], 6)}


def study_record(record: dict[str, Any]) -> dict[str, Any]:
    """Return what `study evaluators` prints under the names that BASE has."""
    same = ("exit code", "question", "pairs", "groups", "left_out", "measured", "folds", "seeds")
    rows = {
        row["name"]: {name: row[name] for name in ("group", "about", "with_tie", "without_tie")}
        for row in record["learners"]
    }
    changes = [
        {name: row[name] for name in ("jury", "about", "with_tie", "without_tie")}
        for row in record["juries"]
    ]
    tests = []
    for row in record["tests"]:
        test = row["test"]
        tests.append({**row, **test, "test": {}, "statistic": {}, "estimate": test["statistic"]})
    votes = [{**row, "A": row["a"], "B": row["b"]} for row in record["votes"]]
    for row in votes:
        del row["a"], row["b"]
    return {
        **{name: record[name] for name in same},
        "gold": record["source"],
        "rows": rows,
        "tests": tests,
        "default": record["default"],
        "changes": changes,
        "judges": [judge(row) for row in record["judges"]],
        "reliability_found": record["reliability_right"],
        "votes": votes,
        "runtime": record["runtimes"],
        "failed": record["failed"],
        "doubts": record["doubts"],
    }


def judge(row: dict[str, Any]) -> dict[str, Any]:
    """Return a judge's figures; BASE has the votes once and not beside each rate."""
    rates = {
        name: {"estimate": row[name]["estimate"], "interval": row[name]["interval"]}
        for name in ("alpha", "beta")
    }
    return {**row, **rates, "votes": row["alpha"]["n"]}
