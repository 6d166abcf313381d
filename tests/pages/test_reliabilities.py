"""Figure 4, of whoever learnt how reliable judges are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.evaluator.study.test_study import found as studied

from assize._doors.plot import charts_of
from assize.base.judgment import Judgment
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator._evaluator import JudgeReliability
from assize.judgments import JudgmentTable
from assize.juries import Reliability
from assize.juries.decide import decide
from assize.results import Estimate


def learnt(judges: list[str], questions: tuple[str, ...] = ("Overall", "Safety")) -> Evaluator:
    rows = [
        JudgeReliability(
            question, judge, Estimate(0.7, (0.6, 0.8), 9), Estimate(0.6, (0.5, 0.7), 9), 0.5
        )
        for question in questions
        for judge in judges
    ]
    return replace(load_evaluator(), reliabilities=rows)


def drawn(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """All points, over the panels."""
    panels = spec.get("vconcat")
    parts = [spec] if panels is None else [one for row in panels for one in row["hconcat"]]
    return [point for part in parts for point in part["data"]["values"]]


def test_an_evaluator_shows_its_judges_in_a_chart() -> None:
    spec = charts_of(learnt(["da@m", "io@m"]))["reliabilities"]
    assert drawn(spec)[0] == {
        "name": "da",
        "x": 0.7,
        "y": 0.6,
        "left": 0.6,
        "right": 0.8,
        "low": 0.5,
        "high": 0.7,
    }
    titles = [one["title"]["text"] for one in spec["vconcat"][0]["hconcat"]]
    assert titles == ["Overall", "Safety"]
    assert charts_of(load_evaluator()) == {}  # not learnt from votes


def test_many_judges_are_told_apart_by_their_model() -> None:
    names = [f"j{one}@{model}" for one in range(4) for model in ("small", "large")]
    spec = charts_of(learnt(names))["reliabilities"]
    assert {one["name"] for one in drawn(spec)} == {"small", "large"}


def test_a_judge_without_figures_is_left_out() -> None:
    study = studied()
    spec = charts_of(study)["judges"]
    known = [row.alpha.estimate for row in study.judges]
    assert [point["x"] for point in drawn(spec)] == pytest.approx(known)
    lost = tuple(replace(row, alpha=Estimate(np.nan)) for row in study.judges)
    assert "judges" not in charts_of(replace(study, judges=lost))


def test_a_jury_s_are_drawn_alike() -> None:
    rows = [
        Judgment(f"p{n}", judge, "preference", answer=answers[n % 3])
        for judge, answers in {"x@m": "AAB", "y@m": "ABB"}.items()
        for n in range(12)
    ]
    spec = charts_of(decide(JudgmentTable.of(rows), Reliability()))["reliabilities"]
    assert {one["name"] for one in drawn(spec)} == {"x", "y"}
