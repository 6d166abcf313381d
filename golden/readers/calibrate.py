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


def strip(row: dict[str, Any], *keys: str) -> dict[str, Any]:
    """Return a row of an item without keys that BASE does not have."""
    return {"turn": None} | {key: value for key, value in row.items() if key not in keys}


def read(folder: Path) -> Figures:
    """Return a calibrator's figures and its predictions for one of four real dialogues."""
    fitted, held = split_ratings(folder)
    model, out = folder / "model", folder / "predictions.jsonl"
    fit = run("calibrate", "fit", *ANSWERS, "-r", fitted, "-t", "Q0", "--out", model)
    yield from flatten(fit, "fit")
    predict = "calibrate", "predict", model, *REAL, "--raters", "all", "--out", out
    yield from flatten(run(*predict), "predict")
    yield from ((f"predict/{key}", figure) for key, figure in judgments(out, 4))
    on_held = *ANSWERS, "-r", held
    yield from flatten(run("calibrate", "audit", model, *on_held, "--by", "rater"), "audit")
    next_ratings = "calibrate", "next", model, *REAL, "-r", fitted, "--count", 40
    yield from next_figures(run(*next_ratings))
    adapt = "calibrate", "adapt", model
    yield from flatten(run(*adapt, *REAL, "--out", folder / "shifted"), "adapt")
    yield from flatten(run(*adapt, *on_held, "--out", folder / "adapted"), "adapt with labels")
    compare = "calibrate", "compare", model, *ANSWERS, "-b", FOLDER / "real_llm.csv"
    yield from flatten(run(*compare, "--unpaired", "--resamples", 50), "compare")
    yield from flatten(run("calibrate", "correct", model, *on_held, "--by", "rater"), "correct")
