"""The page of a study of criteria."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.criteria.study.test_comparing import FOUND, HAND, OURS, studied

from assize.criteria.study.studied import CriteriaStudy
from assize.pages.criteria.study import drawn_of, figures_of, scored_test, write_criteria_study

pytest.importorskip("vl_convert")


def page(tmp_path: Path, found: CriteriaStudy = FOUND) -> str:
    path = tmp_path / "page.html"
    write_criteria_study(path, found)
    return path.read_text()


def test_the_papers_tables_and_figures_stand_on_the_page(tmp_path: Path) -> None:
    said = page(tmp_path)
    for part in (
        "Methods</h2>",
        "Policies</h2>",
        "Precision by threshold</h2>",
        "Scores by class</h2>",
        "Methods less ours",
        "Policies less rubicon",
        "ours, ucb: 20 good and 20 bad conversations.",
    ):
        assert part in said
    # 4 measures of methods, 4 of policies; curves and scores of five: hand is the same by both
    assert said.count("<figure>") == 4 + 4 + 5 + 5
    assert FOUND.signature in said


def test_a_set_that_is_taken_whole_is_drawn_once() -> None:
    assert list(drawn_of(FOUND)) == [
        "ours, rubicon",
        "ours, ucb",
        "weak, rubicon",
        "weak, ucb",
        "hand",
    ]
    assert list(drawn_of(studied(OURS, HAND))) == ["ours", "hand"]


def test_measures_have_their_intervals() -> None:
    drawn = figures_of(FOUND)["figures"]["vconcat"]
    assert [one["layer"][1]["encoding"]["x"]["title"] for one in drawn] == [
        "ΔNetSAT",
        "YR@90",
        "YR train",
        "A",
    ]
    first = drawn[0]["data"]["values"][0]
    figure = FOUND.row("ours").figures["delta_netsat"]
    assert (first["value"], first["low"], first["high"]) == (figure.estimate, *figure.interval)


def test_unscored_conversations_are_left_out_of_pictures_and_counted(tmp_path: Path) -> None:
    one = FOUND.rows[0]
    sat = one.tests[0].sat.copy()
    sat[:3] = np.nan
    lost = replace(one, tests=[replace(one.tests[0], sat=sat)])
    found = scored_test(lost)
    assert found is not None
    assert len(found.nets) == 37
    said = page(tmp_path, replace(FOUND, rows=[lost]))
    assert ", 3 unscored." in said


def test_a_class_that_nobody_scored_is_not_drawn(tmp_path: Path) -> None:
    one = FOUND.rows[0]
    sat = np.where(one.tests[0].good, one.tests[0].sat, np.nan)
    lost = replace(one, tests=[replace(one.tests[0], sat=sat)])
    assert scored_test(lost) is None
    assert scored_test(replace(one, tests=())) is None
    assert "Precision by threshold" not in page(tmp_path, replace(FOUND, rows=[lost]))


def test_names_of_methods_stay_as_they_are_written(tmp_path: Path) -> None:
    said = page(tmp_path, replace(FOUND, told=["ours: a note", "another note"]))
    assert "ours: a note." in said
    assert "Another note." in said


def test_it_plots_itself() -> None:
    pytest.importorskip("altair")
    found = studied(OURS)
    assert len(found.plot().to_dict()["vconcat"]) == 4
    assert len(found.plot("curves").to_dict()["vconcat"]) == 1
    assert found.plot("methods").to_dict()["title"]["text"].startswith("Methods, chosen by")
