"""RUBICON's criteria: select, score and study on what people said; docs/criteria.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assize.criteria._study import MEASURES
from golden.figures import flatten
from golden.product import (
    EXAMPLES,
    Figures,
    corpus,
    judgments,
    outcome,
    percents,
    run,
)

POOL = """criteria:
- {id: polite, sat: The assistant is polite.}
- {id: attentive, sat: The assistant is attentive.}
- {id: understood_emotions, sat: The assistant understands how the user feels.}
- {id: responded_to_emotions, sat: The assistant responds to how the user feels.}
- {id: likable, sat: The assistant is likable.}
- {id: sensible, sat: What the assistant says makes sense.}
- {id: insulting_statement, dsat: The assistant insults.}
- {id: inattentive_statement, dsat: The assistant is inattentive.}
- {id: repetitive, dsat: The assistant repeats itself.}
"""


def read(folder: Path) -> Figures:
    """Return chosen criteria, figures of each policy and of a study, and scores row by row."""
    pool, chosen = folder / "pool.yaml", folder / "criteria.yaml"
    ieval = corpus("ieval")[1]
    pool.write_text(POOL, encoding="utf8")
    judged = "-j", ieval, "--label", f"overall_rank>=2@{ieval}", "--sat", 3, "--dsat", 2
    for policy in ("rubicon", "correctness", "ucb", "brute-force"):
        select = run("criteria", "select", pool, *judged, "--policy", policy, "--out", chosen)
        yield from flatten(selection(select), f"select/{policy}")
    paper = run("criteria", "select", pool, *judged, "--preset", "paper", "--out", chosen)
    yield from flatten(selection(paper), "select/paper")
    study = "study", "criteria", ieval, "--method", f"nine={pool}", *judged[2:]
    policies = "--policy", "rubicon", "--policy", "ucb", "--resamples", 100
    yield from flatten(studied(run(*study, *policies)), "study")
    out = folder / "scores"
    score = "criteria", "score", EXAMPLES / "conversations.jsonl", "-c", chosen, "-o", out
    yield from flatten(scores(run(*score, "--model", "scripted:any")), "score")
    yield from ((f"score/{key}", figure) for key, figure in judgments(out / "judgments.jsonl"))


def selection(value: Any) -> Any:
    """Return what a selection prints in the shape of BASE."""
    training = value["figures"][0]
    tried = [
        {"weight": row["weight"], "yield": row["yielded"], "separation": row["separation"]}
        for row in (value.get("tuned") or {"tried": ()})["tried"]
    ]
    names = "exit code", "policy", "pool", "n", "good", "imputed"
    return {name: value[name] for name in names} | {
        "labels": people_labels(value["labels"], value["n"], value["good"]),
        "objective": {
            "value": value["objective"],
            "separation": training["separation"],
            "sharpness_error": training["sharpness_error"],
            "weight": value["weight"],
        },
        "weights": tried or None,
        "labelling": {
            name: value["labelling"].get(name)
            for name in ("threshold", "low", "high", "precision", "slope", "intercept")
        },
        "training": measures(training),
        "held_out": measures(value["figures"][1]),
        "criteria": [criterion(row) | {"survives": row.get("survives")} for row in value["chosen"]],
    }


def studied(value: Any) -> Any:
    """Return what a study prints in the shape of BASE."""
    names = "exit code", "train", "test", "policies", "precision", "splits", "resamples"
    half = {side: value["train"][side] + value["test"][side] for side in ("good", "bad")}
    first = value["rows"][0]["method"], value["policies"][0]
    less = {(row["method"], row["policy"], row["less"]): row for row in value["differences"]}
    rows = [
        {name: row[name] for name in ("method", "policy", "pool", "n", "unscored")}
        | {"chosen": row["chosen"], "weights": row["weights"], "figures": measured(row)}
        | {
            f"less_first_{kind}": measured(less.get((row["method"], row["policy"], other)))
            for kind, other in zip(("method", "policy"), first, strict=True)
        }
        for row in value["rows"]
    ]
    labels = people_labels(value["labels"], half["good"] + half["bad"], half["good"])
    return {name: value[name] for name in names} | {
        "rows": rows,
        "labels": labels,
        "agreement": value.get("agreement"),
    }


def measured(row: Any) -> Any:
    """Return the measures of a row, with their intervals and n; None for none."""
    keys = "estimate", "interval", "n"
    return row and {name: {key: row[name][key] for key in keys} for name in MEASURES}


def people_labels(labels: Any, n: int, good: int) -> Any:
    """Return the labels that people gave; here each conversation has one."""
    values = [
        {"value": row["value"], "label": row["verdict"], "n": row["n"]} for row in labels["values"]
    ]
    return {
        **{name: labels[name] for name in ("spec", "mixed")},
        "good": good,
        "bad": n - good,
        "unlabelled": labels["total"] - n,
        "unknown": len(labels["unknown"]),
        "values": values,
    }


def measures(row: Any) -> Any:
    """Return the figures of a set on one half."""
    shares = {"accuracy": "accuracy", "precision": "precision", "yield": "labelled"}
    return {
        "delta_netsat": row["separation"],
        "labelled": row["labelled"]["count"],
        "n": row["labelled"]["n"],
        **{old: row[new]["estimate"] for old, new in shares.items()},
        "intervals": {old: row[new]["interval"] for old, new in shares.items()},
    }


def criterion(row: Any) -> Any:
    """Return a criterion under BASE's name of its text."""
    names = "id", "polarity", "separation", "not_applicable", "unscored"
    return {"text": row["criterion"]} | {name: row[name] for name in names if name in row}


def scores(value: Any) -> Any:
    """Return what scoring prints in the shape of BASE."""
    (net,), (shares,) = value["netsat"], value["label_shares"]
    names = "least", "lower_quartile", "median", "upper_quartile", "most"
    judge = {
        "n": net["n"] + net["unscored"],
        "unscored": net["unscored"],
        "netsat": net["mean"] | {"sd": net["sd"], "quartiles": [net[name] for name in names]},
        "labels": {name: percents(shares[name]) for name in ("good", "open", "bad", "unscored")},
        "criteria": {
            row["id"]: {key: field for key, field in criterion(row).items() if key != "id"}
            | {"mean": row["mean"], "holds": percents(row["holds"])}
            for row in value["criteria"]
        },
    }
    run = {"exit code": value["exit code"], "wording": value["wording"]}
    return outcome(value["outcome"]) | run | {"scores": {net["judge"]: judge}}
