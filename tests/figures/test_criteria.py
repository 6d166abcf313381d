"""Our selection of criteria against the others, on what people answered about conversations."""

from __future__ import annotations

from typing import Any

import pytest
from benchmarks.criteria_selection import DATA, measure, samples, summary

pytestmark = [
    pytest.mark.nightly("repeats the study"),
    pytest.mark.skipif(not DATA.is_dir(), reason="the data sets are not beside the project"),
]


@pytest.fixture(scope="module")
def figures() -> dict[str, dict[str, Any]]:
    return {sample.name: summary(sample, measure(sample, 4)) for sample in samples(DATA)}


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
