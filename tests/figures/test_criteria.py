"""Our selection of criteria against the others, on what people answered about conversations."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"
pytestmark = [
    pytest.mark.nightly("repeats the study"),
    pytest.mark.skipif(not DATA.is_dir(), reason="the data sets are not beside the project"),
]


@pytest.fixture(scope="module")
def study() -> Iterator[ModuleType]:
    path = ROOT / "benchmarks" / "criteria_selection.py"
    spec = importlib.util.spec_from_file_location("criteria_selection", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.fixture(scope="module")
def figures(study: ModuleType) -> dict[str, dict[str, Any]]:
    return {one.name: study.summary(one, study.measure(one, 4)) for one in study.samples(DATA)}


def test_four_samples_are_measured(figures: dict[str, dict[str, Any]]) -> None:
    assert len(figures) == 4


@pytest.mark.parametrize("other", ["correctness", "ucb", "brute-force"])
def test_no_other_policy_labels_more(figures: dict[str, dict[str, Any]], other: str) -> None:
    behind = {
        name: found[other]["gap_interval"]
        for name, found in figures.items()
        if found[other]["gap_interval"][1] < 0
    }
    assert behind == {}


def test_separation_is_that_of_correctness_only(figures: dict[str, dict[str, Any]]) -> None:
    for name, found in figures.items():
        assert found["correctness"]["delta_ratio"] >= 0.9, name
