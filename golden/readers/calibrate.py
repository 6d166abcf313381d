"""LLM-Rubric's default calibrator: fit, predict row by row, and what is done with it."""

from __future__ import annotations

import csv
import zlib
from pathlib import Path
from typing import Any

from golden.figures import flatten
from golden.product import DATA, Figures, judgments, run

FOLDER = DATA / "llm-rubric"
ANSWERS, RATINGS = ("-a", FOLDER / "synth_llm.csv"), ("-r", FOLDER / "synth_human.csv")
REAL = "-a", FOLDER / "real_llm.csv"


def split_ratings(folder: Path) -> tuple[Path, Path]:
    """Write ratings of two halves of the dialogues, so that no audit sees what was fitted."""
    halves = folder / "fitted.csv", folder / "held.csv"
    with RATINGS[1].open(newline="") as source:
        rows = list(csv.DictReader(source))
    for half, path in enumerate(halves):
        with path.open("w", newline="") as target:
            writer = csv.DictWriter(target, rows[0])
            writer.writeheader()
            writer.writerows(
                row for row in rows if zlib.crc32(row["dialogue_id"].encode()) % 2 == half
            )
    return halves


def next_figures(result: dict[str, Any]) -> Figures:
    """Return the requests, at cost 1 without a routing, and items in doubt under BASE's ids."""
    rows = result.pop("requests")
    kinds = ("uncertain", "controversial")
    items = {kind: [strip(row, "question") for row in result.pop(kind)] for kind in kinds}
    nothing = {"cost": 1.0, "turn": None}
    result |= {"next": [nothing | row for row in rows], "items": {"Q0": items}}
    yield from flatten(result, "next")


def audit_figures(result: dict[str, Any]) -> Figures:
    """Return everybody and the groups, tests by figure."""
    groups = [under_tests(group) for group in result.pop("groups")]
    result |= {"all": groups[0], "groups": groups[1:], **result.pop("left_out")}
    yield from flatten(result, "audit")


def under_tests(group: dict[str, Any]) -> dict[str, Any]:
    """Return a group with its tests by figure."""
    tests: dict[str, dict[str, Any]] = {}
    names = {"difference": "difference", "p_value": "p_value", "p_holm": "holm"}
    for figure in ("bias", "log_loss"):
        for name, old in names.items():
            if f"{figure}_{name}" in group:
                tests.setdefault(figure, {})[old] = group.pop(f"{figure}_{name}")
    return group | {"tests": tests}


def correct_figures(result: dict[str, Any]) -> Figures:
    """Return a correction's counts and patches."""
    patches = [{"bin": None} | patch for patch in result.pop("patches")]
    yield from flatten(result | {"patches": patches, **result.pop("left_out")}, "correct")


def adapt_figures(result: dict[str, Any], name: str) -> Figures:
    """Return what was learnt of a set, and whether labels helped."""
    yield from flatten(result | {"helped": result.pop("gains")}, name)


def compare_figures(result: dict[str, Any]) -> Figures:
    """Return sets and differences with their answers beneath them."""
    answers, pairs = result.pop("answers"), result.pop("answer_differences")
    for name, row in result["sets"].items():
        mine = [answer for answer in answers if answer["set"] == name]
        result["sets"][name] = {"mean": row["mean"], **shares(mine)}
    for row in result["differences"]:
        both = row["first"], row["second"]
        row |= shares([answer for answer in pairs if (answer["first"], answer["second"]) == both])
    del result["conversations"]
    yield from flatten(result, "compare")


def shares(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """Return shares and P(answer <= k) by answer."""
    at_most = {row["answer"]: row["at_most"] for row in answers if "at_most" in row}
    return {"shares": {row["answer"]: row["share"] for row in answers}, "at_most": at_most}


def strip(row: dict[str, Any], *keys: str) -> dict[str, Any]:
    """Return a row of an item without keys that BASE does not have."""
    return {"turn": None} | {key: value for key, value in row.items() if key not in keys}


def read(folder: Path) -> Figures:
    """Return a calibrator's figures and its predictions for one of four real dialogues."""
    fitted, held = split_ratings(folder)
    model, out = folder / "model", folder / "predictions.jsonl"
    fit = run("calibrate", "fit", *ANSWERS, "-r", fitted, "-t", "Q0", "--out", model)
    del fit["folder"]
    yield from flatten(fit.pop("about") | fit, "fit")
    predict = "calibrate", "predict", model, *REAL, "--raters", "all", "--out", out
    yield from flatten(run(*predict), "predict")
    yield from ((f"predict/{key}", figure) for key, figure in judgments(out, 4))
    on_held = *ANSWERS, "-r", held
    yield from audit_figures(run("calibrate", "audit", model, *on_held, "--by", "rater"))
    next_ratings = "calibrate", "next", model, *REAL, "-r", fitted, "--count", 40
    yield from next_figures(run(*next_ratings))
    adapt = "calibrate", "adapt", model
    yield from adapt_figures(run(*adapt, *REAL, "--out", folder / "shifted"), "adapt")
    labels = run(*adapt, *on_held, "--out", folder / "adapted")
    yield from adapt_figures(labels, "adapt with labels")
    compare = "calibrate", "compare", model, *ANSWERS, "-b", FOLDER / "real_llm.csv"
    yield from compare_figures(run(*compare, "--unpaired", "--resamples", 50))
    yield from correct_figures(run("calibrate", "correct", model, *on_held, "--by", "rater"))
