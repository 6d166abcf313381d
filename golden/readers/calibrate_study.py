"""LLM-Rubric's tables: baselines, the default and networks, cross-validated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from golden.figures import flatten
from golden.product import Figures, run
from golden.readers.calibrate import ANSWERS, RATINGS


def read(folder: Path) -> Figures:
    """Return the study's tables with two networks, folds by item and by topic."""
    study = "study", "calibration", *ANSWERS, *RATINGS, "-t", "Q0", "--permutations", 99
    methods = "-m", "baselines", "-m", "calibrated"
    yield from flatten(under_old_keys(run(*study, *methods)), "by item")
    by_topic = run(*study, *methods[:2], "--folds-by", r"_(\d+)")
    yield from flatten(under_old_keys(by_topic), "by topic")


def under_old_keys(study: dict[str, Any]) -> dict[str, Any]:
    """Return a study under the keys that BASE has: rows and tests by part, figures by answer."""
    held = study.pop("held_out")
    names = {"by": "by", "leave_out": "leave_out", "groups": "groups"}
    names |= {"ungrouped": "items_without_group"}
    grouped = {new: held[old] for old, new in names.items() if "by" in held}
    study["held_out"] = grouped or {"by": "item", "leave_out": held["leave_out"]}
    study |= {"seeds": held["seeds"], "grid": study.get("grid"), "sets": {}}
    rows = {"cross-validated": study.pop("cross_validated"), "test set": study.pop("test_set")}
    for part, tests in study.pop("tests").items():
        named = {
            row["method"]: {"group": row["group"], "about": row["about"]} | row["figures"]
            for row in rows[part]
        }
        pairs = [under_estimate(pair.pop("test")) | pair for pair in tests["pairs"]]
        study["sets"][part] = {"forms": tests["forms"], "rows": named, "tests": pairs}
    study["reliability"] = {row["method"]: row["errors"] for row in study["reliability"]}
    study["systems"] = [row.pop("mean") | row for row in study["systems"]]
    answers = study["rater_answers"]
    study["rater_answers"] = {row["rater"]: list(row["counts"].values()) for row in answers}
    study |= {"learning_curve": study.pop("curve"), "questions": {}}
    del study["by"]
    return study


def under_estimate(test: dict[str, Any]) -> dict[str, Any]:
    """Return a test with its statistic under the key that BASE has."""
    return {"estimate": test.pop("statistic")} | test
