"""A study as tables: what a reader sees."""

from __future__ import annotations

import pytest
from tests.juries.study.conftest import data_set, rows

from assize.judgments import JudgmentTable
from assize.juries.study import DataSet, JuryStudy, StudySettings, study_juries


def test_rows_are_juries_and_columns_data_sets_and_a_dash_has_its_reason(study: JuryStudy) -> None:
    table = study.tables["accuracy"]
    assert [one.name for one in table.columns] == ["jury", "model", "chats"]
    text = str(table)
    assert "there is no judgment by maxim@y" in text
    assert "75.0" in text


def test_models_stand_beside_each_other(study: JuryStudy) -> None:
    table = study.tables["models"]
    assert [one.name for one in table.columns] == ["set", "jury", "x", "y"]
    shares = {row[1]: [one.estimate for one in row[2:]] for row in table.rows}
    assert shares["da > reward@hf:r"] == [0.75, 0.75]


def test_what_the_last_judge_of_a_cascade_adds_is_counted(study: JuryStudy) -> None:
    (row,) = (one for one in study.tables["ties"].rows if one[1:3] == ("da > reward@hf:r", "x"))
    # p2 is a tie that the reward breaks rightly; it has p3 right, where da decides wrongly
    assert [one.estimate for one in row[3:]] == [0.25, 0.0, 0.0, 0.25]


def test_juries_are_shown_against_the_best_with_signs_for_the_row(study: JuryStudy) -> None:
    table = study.tables["tests"]
    assert table.title == "Against da (y), on the same pairs"
    row = {one[0]: one for one in table.rows}["maxim (x)"]
    # maxim has p2 right, da of y p1, p2 and p3
    assert (row[1], row[2].estimate, row[3], row[4]) == (4, -0.5, 0, 2)
    low, high = row[2].interval
    assert low <= -0.5 <= high <= 0


def test_with_one_model_no_column_names_it_and_tests_may_be_against_one_jury() -> None:
    settings = StudySettings(against="maxim")
    found = study_juries([data_set()], cascades=["da > maxim"], models=["x"], settings=settings)
    assert "models" not in found.tables
    assert "model" not in str(found.tables["results"])
    assert "accuracy" not in found.tables  # one column, which the results have with intervals
    assert found.tables["tests"].title == "Against maxim, on the same pairs"
    assert [row[0] for row in found.tables["tests"].rows] == ["da > maxim", "da"]


def test_reruns_stand_in_tables_of_their_own() -> None:
    table = JudgmentTable.of([*rows("da@x", "AAtB", 0), *rows("da@x", "AABB", 1)])
    found = study_juries([DataSet("chats", table, data_set().pairs)], cascades=["da"])
    (row,) = found.tables["reruns"].rows
    assert (row[1], row[3], row[4], row[6].count) == ("da", 2, 4, 3)
    # 2 of 4 right in both runs
    assert row[8:] == (0.5, 0.0)
    assert [one[2] for one in found.tables["runs"].rows] == [0, 1]
    assert found.to_json()["reruns"][0]["same"]["percent"] == 75.0


def test_without_gold_nothing_is_called_right() -> None:
    table = JudgmentTable.of([*rows("da@x", "AAtB"), *rows("maxim@x", "AABB")])
    found = study_juries([DataSet("chats", table)], cascades=["da > maxim"])
    assert "no pair has gold" in str(found)
    assert found.to_json()["juries"][2]["answers"] == {"A": 2, "B": 2}
    assert found.tests == {"chats": []}


@pytest.mark.parametrize("key", ["table_2", "printed", "results", "tests"])
def test_with_paper_the_printed_tables_come_first(hh_test: JuryStudy, key: str) -> None:
    assert key in hh_test.tables
    assert next(iter(hh_test.tables)) == "table_2"
    assert hh_test.notes == ["460 pairs of HH-TEST, 7 judges"]
