"""Versions and importance as rows of words, worked out once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.web.dashboard.fitted import write_networks

from assize.web._dashboard.definition import Dashboard, read_dashboards, without_answers
from assize.web._dashboard.figures.charts import Look
from assize.web._dashboard.figures.resampling import Drawing
from assize.web._dashboard.prepared.kept import view_of
from assize.web._dashboard.prepared.view import View
from assize.web._dashboard.shown.comparisons import (
    interval_said,
    shown_time,
    shown_versions,
    shown_worth,
)
from assize.web._dashboard.sources import file_source


def test_versions_have_differences_intervals_and_what_to_read(view: View) -> None:
    found = shown_versions(view, Dashboard("d", "D", main="Q0"), "system", "old", "new", "")
    assert [one["question"] for one in found["rows"]] == ["Q0", "Q1", "Q2"]
    row = found["rows"][0]
    assert row["difference"].startswith("+")
    assert " to " in row["interval"]
    assert (row["n"], row["verdict"]) == ("29", "better")
    assert found["paired"]
    assert "29 pairs, paired by first prompt" in found["pairing"]
    assert found["reading"][0]["change"].startswith("-")
    again = shown_versions(view, Dashboard("d", "D", main="Q0"), "system", "old", "new", "")
    assert again == found


def test_the_page_says_what_its_intervals_draw(view: View) -> None:
    dashboard = Dashboard("d", "D", main="Q0", drawing=Drawing(replicates=20))
    found = shown_versions(view, dashboard, "system", "old", "new", "")
    assert found["intervals"].startswith(
        "Intervals are Student's t with the standard error of 20 replicates that draw raters,"
        " conversations and the answers of 6 predicted raters anew. Seed 0"
    )
    alone = replace(dashboard, drawing=Drawing(("conversations",)))
    found = shown_versions(view, alone, "system", "old", "new", "")
    assert found["intervals"].startswith("Intervals are over conversations")
    assert interval_said(
        {
            "sources": ["raters", "conversations"],
            "answers": 0,
            "replicates": 20,
            "confidence": 0.9,
            "seed": 1,
            "signature": "x",
        },
        "25%",
    ) == (
        "Intervals hold the middle 90% of 20 replicates that draw raters and conversations anew."
        " Seed 1, signature x."
    )


def test_figures_over_time_are_worked_out_once(view: View) -> None:
    dashboard = Dashboard("d", "D", drawing=Drawing(replicates=20))
    first, again = (shown_time(view, dashboard, Look("Q0"), "week", "mean") for _ in range(2))
    assert first == again
    assert first.rows[1][1].endswith("n = 17")  # 2 to 8 March, of 60 dealt over 28 days
    other = shown_time(view, without_answers(dashboard), Look("Q0"), "week", "mean")
    assert other.drawn is not None
    assert other.drawn["answers"] == 0


def test_shares_over_time_are_worked_out_once(view: View) -> None:
    dashboard = Dashboard("d", "D", drawing=Drawing(replicates=20))
    look = Look("length", "system", panel="people")
    first, again = (shown_time(view, dashboard, look, "month", "5%", "long") for _ in range(2))
    assert first == again
    assert (first.figure, first.answer) == ("share", "long")
    assert first.rows[0][1].endswith("%], n = 30")
    assert shown_time(view, dashboard, look, "month", "mean", "short") != first
    assert interval_said(first.drawn, first.figure).startswith(
        "Intervals are Wilson's with the standard error of 20 replicates that draw raters"
    )


def test_importance_has_intervals_and_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    write_networks(tmp_path)
    (dashboard,) = read_dashboards(tmp_path)
    found = shown_worth(view_of(file_source(dashboard), tmp_path), dashboard)
    assert found["target"] == "Q0"
    assert [one["question"] for one in found["rows"]] == ["Q1"]
    assert " to " in found["rows"][0]["interval"]
    assert found["drawing"].startswith("<svg")
    assert found["spread"].startswith("<svg")
    (spread,) = found["spreads"]
    assert (spread["question"], spread["n"]) == ("Q1", found["rows"][0]["n"])
    assert len(spread["levels"]) == 5
