"""What a gate asks."""

from __future__ import annotations

import numpy as np
import pytest

from assize.base.errors import ConfigError
from assize.stats import mean, quantile, share
from assize.versions.thresholds import measured, thresholds

VALUES = np.array([1.0, 2, 3, 4, 5, 5, 4, 3, np.nan, 4])


def test_a_question_alone_is_its_mean() -> None:
    found = thresholds({"a.b": 3, "Q0.share>=3.5": "0.8", "Q0.p10": 1}, "under", ["Q0", "a.b"])
    assert [(one.question, one.statistic) for one in found] == [
        ("a.b", "mean"),
        ("Q0", "share>=3.5"),
        ("Q0", "p10"),
    ]
    assert found[1].name == "Q0 share>=3.5 >= 0.8"
    assert thresholds({"Q0": 1}, "over", ["Q0"])[0].name == "Q0 mean <= 1"


@pytest.mark.parametrize(
    ("given", "kind", "problem"),
    [
        ({"Q0": "high"}, "under", "fail_under Q0=high: write a number after ="),
        ({"Q0": "nan"}, "over", "fail_over Q0=nan: write a number"),
        ({"Q9": 1}, "under", "no such question; judged are Q0"),
        ({"Q0.mode": 1}, "under", "A statistic stands behind a dot: mean, median"),
        ({"Q0.median": 1}, "drop", "a drop is one of the mean; write Q0"),
    ],
)
def test_what_is_no_limit_is_refused(given: dict[str, object], kind: str, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        thresholds(given, kind, ["Q0"])  # type: ignore[arg-type]


def test_statistics_are_those_of_stats() -> None:
    assert measured(VALUES, "mean", None, 0.95).interval == mean(VALUES).interval
    assert measured(VALUES, "p25", None, 0.9) == quantile(VALUES, 0.25, confidence=0.9)
    assert measured(VALUES, "median", None, 0.9) == quantile(VALUES, 0.5, confidence=0.9)
    hits = np.where(np.isnan(VALUES), np.nan, VALUES >= 3)
    assert measured(VALUES, "share>=3", None, 0.95) == share(hits)
    assert measured(VALUES, "share<3", None, 0.95).estimate == pytest.approx(2 / 9)
    clustered = measured(VALUES, "mean", list("aabbccddee"), 0.95)
    assert clustered.clusters == 5
