"""Juries by data set and by model; AMULET's tables."""

from __future__ import annotations

import pytest
from tests.juries.study.conftest import data_set

from assize.juries.study import JuryStudy, study_juries


def test_rows_are_juries_and_columns_data_sets_and_a_dash_has_its_reason(study: JuryStudy) -> None:
    sets = [data_set("chats"), data_set("forum")]
    table = study_juries(sets, cascades=["da > maxim"]).tables["accuracy"]
    assert [one.name for one in table.columns] == ["jury", "chats", "forum"]
    assert "there is no judgment by maxim@y" in str(table)
    assert "75.0" in str(table)
    assert "accuracy" not in study.tables  # one column, which the results have with intervals
    assert "there is no judgment by maxim@y" in str(study.tables["juries"])


def test_models_stand_beside_each_other(study: JuryStudy) -> None:
    table = study.tables["models"]
    assert [one.name for one in table.columns] == ["jury", "x", "y"]
    assert table.title.startswith("chats: ")
    shares = {row[0]: [one.estimate for one in row[1:]] for row in table.rows}
    assert shares["da > reward@hf:r"] == [0.75, 0.75]


@pytest.mark.parametrize("key", ["table_2", "printed", "juries", "comparisons"])
def test_with_paper_the_printed_tables_are_there(hh_test: JuryStudy, key: str) -> None:
    assert key in hh_test.tables
    assert hh_test.notes == ["460 pairs of HH-TEST, 7 judges"]
