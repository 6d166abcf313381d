"""The page of a study of criteria."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.criteria.test_study import FOUND, HAND, OURS, studied
from tests.pages.conftest import page_of

from assize._doors.plot import charts_of
from assize.pages.criteria.study import known_scores, rows_by_name

pytest.importorskip("vl_convert")


def test_the_papers_tables_and_figures_stand_on_the_page(tmp_path: Path) -> None:
    said = page_of(FOUND, tmp_path)
    for part in (
        "Methods and policies</h2>",
        "Less the first</h2>",
        "Precision by threshold</h2>",
        "Scores by class</h2>",
        "ours, ucb: 20 good and 20 bad conversations.",
    ):
        assert part in said
    # the measures together; curves and scores of five: hand is the same by both
    assert said.count("<figure>") == 1 + 5 + 5
    assert FOUND.signature in said


def test_a_set_that_is_taken_whole_is_drawn_once() -> None:
    assert list(rows_by_name(FOUND)) == [
        "ours, rubicon",
        "ours, ucb",
        "weak, rubicon",
        "weak, ucb",
        "hand",
    ]
    assert list(rows_by_name(studied(OURS, HAND))) == ["ours", "hand"]


def test_measures_have_their_intervals() -> None:
    drawn = charts_of(FOUND)["rows"]["vconcat"]
    assert [one["layer"][1]["encoding"]["x"]["title"] for one in drawn] == [
        "NetSAT of good less bad conversations",
        "yield",
        "yield, window of the training half",
        "accuracy",
    ]
    first = drawn[0]["data"]["values"][0]
    figure = FOUND.row("ours").delta_netsat
    assert (first["value"], first["low"], first["high"]) == (figure.estimate, *figure.interval)


def test_unscored_conversations_are_left_out_of_pictures_and_counted(tmp_path: Path) -> None:
    one = FOUND.rows[0]
    sat = one.tests[0].sat.copy()
    sat[:3] = np.nan
    lost = replace(one, tests=[replace(one.tests[0], sat=sat)])
    found = known_scores(lost)
    assert found is not None
    assert len(found.nets) == 37
    assert ", 3 unscored." in page_of(replace(FOUND, rows=[lost]), tmp_path)


def test_a_class_that_nobody_scored_is_not_drawn(tmp_path: Path) -> None:
    one = FOUND.rows[0]
    sat = np.where(one.tests[0].good, one.tests[0].sat, np.nan)
    lost = replace(one, tests=[replace(one.tests[0], sat=sat)])
    assert known_scores(lost) is None
    assert known_scores(replace(one, tests=())) is None
    assert "Precision by threshold" not in page_of(replace(FOUND, rows=[lost]), tmp_path)


def test_it_plots_itself() -> None:
    pytest.importorskip("altair")
    found = studied(OURS)
    assert len(found.plot().to_dict()["vconcat"]) == 4
    curves = found.plot("precision by threshold").to_dict()
    assert curves["description"].startswith("Precision by threshold")
