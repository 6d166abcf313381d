"""docs/ensembles-figures.md, and what ensembles are to reach on four corpora of ratings."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.nightly("repeats the study")

GUIDE = "docs/ensembles-figures.md"
CORPORA = ("grade", "gupta", "usr", "mrbench")


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    """What the study found, so that it runs once."""
    return {}


@pytest.fixture
def found(
    kept: dict[str, Any], program: Callable[..., str], data: Callable[[str], str]
) -> dict[str, Any]:
    folder = data("mrbench").removesuffix("mrbench")
    data("reference-turns")
    if not kept:
        kept.update(json.loads(program("benchmarks/ensembles.py", folder, "--seeds", "3")))
    return kept


def test_ensembles_beat_the_best_metric_of_each_corpus(
    found: dict[str, Any], page: Callable[[str], Any]
) -> None:
    each = found["in-domain"]
    table = page(GUIDE).table(
        "corpus", "items", "conversations", "best metric", "ensemble", "gain", "difference"
    )
    values: dict[Any, Any] = {}
    for name in CORPORA:
        one = each[name]
        values[name, "items"] = one["items"]
        values[name, "conversations"] = one["conversations"]
        values[name, "best metric"] = one["single"]
        values[name, "ensemble"] = one["learners"]["blend"]
        values[name, "gain"] = 100 * one["gain"]
        values[name, "difference"] = [one["difference"], *one["interval"]]
    assert table.differences(values) == {}
    assert page(GUIDE).said(r"mean gain is (\d+)%") == (f"{100 * each['gain']:.0f}",)
    assert each["gain"] >= 0.30
    assert min(each[name]["difference"] for name in CORPORA) > -0.02


def test_ensembles_of_three_corpora_beat_their_best_metric_in_the_fourth(
    found: dict[str, Any], page: Callable[[str], Any]
) -> None:
    each = found["transfer"]
    table = page(GUIDE).table("applied to", "best metric", "ensemble", "gain", "difference")
    values: dict[Any, Any] = {}
    for name in CORPORA:
        one = each[name]
        values[name, "best metric"] = one["single"]
        values[name, "ensemble"] = one["learners"]["robust"]
        values[name, "gain"] = 100 * one["gain"]
        values[name, "difference"] = [one["difference"], *one["interval"]]
    assert table.differences(values) == {}
    said = page(GUIDE).said(
        r"robust ([\d.]+), the paper's forest ([\d.]+), blend ([\d.]+), least squares (\d\.\d+)"
    )
    models = ("robust", "paper-forest", "blend", "linear")
    means = [np.mean([each[name]["learners"][one] for name in CORPORA]) for one in models]
    assert list(said) == [f"{one:.2f}" for one in means]
    assert min(each[name]["gain"] for name in CORPORA) >= 0.10


def test_models_stand_side_by_side(found: dict[str, Any], page: Callable[[str], Any]) -> None:
    table = page(GUIDE).table("model", *CORPORA)
    values = {
        (model, name): found["in-domain"][name]["learners"][model]
        for model in found["in-domain"]["grade"]["learners"]
        for name in CORPORA
    }
    assert table.differences(values) == {}


def test_each_kind_of_metric_adds_something(
    found: dict[str, Any], page: Callable[[str], Any]
) -> None:
    table = page(GUIDE).table("metrics", "how many", "within", "carried over")
    values: dict[Any, Any] = {}
    for kind, one in found["steps"].items():
        values[kind, "how many"] = one["metrics"]
        values[kind, "within"] = float(np.mean(list(one["in_domain"].values())))
        values[kind, "carried over"] = float(np.mean(list(one["transfer"].values())))
    assert table.differences(values) == {}


def test_embeddings_add_little(found: dict[str, Any], page: Callable[[str], Any]) -> None:
    said = page(GUIDE).said(r"alone ([\d.]+), the blend ([\d.]+), both (\d\.\d+)")
    means = [
        np.mean([one[part] for one in found["embeddings"].values()])
        for part in ("alone", "blend", "both")
    ]
    assert [f"{one:.3f}" for one in means] == list(said)


def test_candidates_from_other_conversations_are_found(
    found: dict[str, Any], page: Callable[[str], Any]
) -> None:
    table = page(GUIDE).table("corpus", "by reasonableness", "by its ratings")
    values = {
        (name, column): [one["auc"], *one["interval"]]
        for name in CORPORA
        for column, one in (
            ("by reasonableness", found["foreign"][name]["reasonableness"]),
            ("by its ratings", found["foreign"][name]["ratings"]),
        )
    }
    assert table.differences(values) == {}


def test_coverage_is_as_told(found: dict[str, Any], page: Callable[[str], Any]) -> None:
    said = page(GUIDE).said(r"([\d.]+)% of held-out items of grade lie within")
    assert list(said) == [f"{100 * found['raters']['coverage']:.1f}"]
