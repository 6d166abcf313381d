"""docs/ensembles-figures.md, and what ensembles are to reach on four corpora of ratings."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.figures.conftest import find_data, page, run_program

pytestmark = pytest.mark.nightly("repeats the study")

GUIDE = "docs/ensembles-figures.md"
CORPORA = ("grade", "gupta", "usr", "mrbench")
SIZES = ("items", "conversations")


@cache
def study_ensembles() -> Any:
    """What the study prints; it runs once."""
    folder = find_data("mrbench").removesuffix("mrbench")
    find_data("reference-turns")
    return json.loads(run_program("benchmarks/ensembles.py", folder, "--seeds", "3"))


def compare_corpora(results: dict[str, Any], learner: str) -> dict[Any, Any]:
    """By corpus and column what an ensemble gains over the corpus's best metric."""
    return {
        (name, column): value
        for name in CORPORA
        for column, value in (
            ("best metric", results[name]["single"]),
            ("ensemble", results[name]["learners"][learner]),
            ("gain", 100 * results[name]["gain"]),
            ("difference", [results[name]["difference"], *results[name]["interval"]]),
        )
    }


def test_ensembles_beat_the_best_metric_of_each_corpus() -> None:
    each = study_ensembles()["in-domain"]
    table = page(GUIDE).table("corpus", *SIZES, "best metric", "ensemble", "gain", "difference")
    sizes = {(name, size): each[name][size] for name in CORPORA for size in SIZES}
    assert table.differences(sizes | compare_corpora(each, "blend")) == {}
    assert page(GUIDE).said(r"mean gain is (\d+)%") == (f"{100 * each['gain']:.0f}",)
    assert each["gain"] >= 0.30
    assert min(each[name]["difference"] for name in CORPORA) > -0.02


def test_ensembles_of_three_corpora_beat_their_best_metric_in_the_fourth() -> None:
    each = study_ensembles()["transfer"]
    table = page(GUIDE).table("applied to", "best metric", "ensemble", "gain", "difference")
    assert table.differences(compare_corpora(each, "robust")) == {}
    said = page(GUIDE).said(
        r"robust ([\d.]+), the paper's forest ([\d.]+), blend ([\d.]+), least squares (\d\.\d+)"
    )
    models = ("robust", "paper-forest", "blend", "linear")
    means = [np.mean([each[name]["learners"][one] for name in CORPORA]) for one in models]
    assert list(said) == [f"{one:.2f}" for one in means]
    assert min(each[name]["gain"] for name in CORPORA) >= 0.10


def test_models_stand_side_by_side() -> None:
    table = page(GUIDE).table("model", *CORPORA)
    values = {
        (model, name): study_ensembles()["in-domain"][name]["learners"][model]
        for model in study_ensembles()["in-domain"]["grade"]["learners"]
        for name in CORPORA
    }
    assert table.differences(values) == {}


def test_each_kind_of_metric_adds_something() -> None:
    table = page(GUIDE).table("metrics", "how many", "within", "carried over")
    values: dict[Any, Any] = {}
    for kind, one in study_ensembles()["steps"].items():
        values[kind, "how many"] = one["metrics"]
        values[kind, "within"] = float(np.mean(list(one["in_domain"].values())))
        values[kind, "carried over"] = float(np.mean(list(one["transfer"].values())))
    assert table.differences(values) == {}


def test_embeddings_add_little() -> None:
    said = page(GUIDE).said(r"alone ([\d.]+), the blend ([\d.]+), both (\d\.\d+)")
    means = [
        np.mean([one[part] for one in study_ensembles()["embeddings"].values()])
        for part in ("alone", "blend", "both")
    ]
    assert [f"{one:.3f}" for one in means] == list(said)


def test_candidates_from_other_conversations_are_found() -> None:
    table = page(GUIDE).table("corpus", "by reasonableness", "by its ratings")
    values = {
        (name, column): [one["auc"], *one["interval"]]
        for name in CORPORA
        for column, one in (
            ("by reasonableness", study_ensembles()["foreign"][name]["reasonableness"]),
            ("by its ratings", study_ensembles()["foreign"][name]["ratings"]),
        )
    }
    assert table.differences(values) == {}


def test_coverage_is_as_told() -> None:
    said = page(GUIDE).said(r"([\d.]+)% of held-out items of grade lie within")
    assert list(said) == [f"{100 * study_ensembles()['raters']['coverage']:.1f}"]
