"""Ours in the shape of AMULET's tables: every figure that HH-TEST's stored votes determine."""

from __future__ import annotations

import pytest
from tests.juries.study.conftest import data_set, rows

from assize.judgments import JudgmentTable
from assize.juries.study import DataSet, JuryStudy, StudySettings, study_juries
from assize.juries.study.in_shape import cells, is_paper_s, paper_json, paper_tables
from assize.juries.study.published import TABLES

# by table, the cells that GPT-4o's votes and the three rewards on HH-TEST determine
DETERMINED = {2: 12, 3: 9, 4: 3, 18: 5, 19: 0, 20: 0, 25: 3, 26: 3, 30: 5}


@pytest.mark.parametrize("number", TABLES)
def test_every_figure_that_hh_test_determines_is_as_printed(
    number: int, hh_test: JuryStudy
) -> None:
    found = cells(hh_test, TABLES[number])
    known = [one for one in found if one.ours]
    assert len(known) == DETERMINED[number]
    assert [(one.row, one.column, one.rounded) for one in known] == [
        (one.row, one.column, one.printed) for one in known
    ]
    for one in found:
        assert (one.reason is None) == bool(one.ours)


def test_the_command_s_table_counts_them_all(hh_test: JuryStudy) -> None:
    found = paper_tables(hh_test)
    assert [row[2:] for row in found["printed"].rows] == [(n, n) for n in DETERMINED.values()]
    assert "exchanged" in found["table_3"].notes[0]
    (row,) = (row for row in found["table_4"].rows if row[0] == "HH-TEST")
    assert row[1:] == ("59.8 / 15.9 / 24.3", "62.6 / 9.1 / 28.3", "64.1 / 5.0 / 30.9")
    said = paper_json(hh_test)["26"]["rows"]["GPT-4O"]["QRM"]
    assert (said["ours"]["count"], said["ours"]["percent"], said["printed"]) == (20, 4.35, 4.3)


def small(*, model: str = "openai:gpt-4o", name: str = "HH-TEST", extra: str = "") -> JuryStudy:
    """Four pairs with the paper's name; what differs from it is said."""
    said = {f"da@{model}": "AAtB", f"maxim@{model}": "AAAB", "reward@hf:QRM-x": "BAAA"}
    judges = {**said, extra: "AAAA"} if extra else said
    table = JudgmentTable.of([row for one in judges for row in rows(one, judges[one])])
    settings = StudySettings(least=(0, 4), paper=True)
    return study_juries([DataSet(name, table, data_set().pairs)], settings=settings)


def cell(study: JuryStudy, number: int, row: str, column: str) -> tuple[object, str | None]:
    (found,) = (one for one in cells(study, TABLES[number])
                if (one.row, one.column) == (row, column))  # fmt: skip
    return found.rounded, found.reason


def test_cells_that_cannot_be_known_say_why_and_are_never_invented() -> None:
    study = small()
    assert cell(study, 3, "AMULET-DA", "CLAUDE")[1] == "there are no judgments by CLAUDE"
    assert cell(study, 3, "DA-then-MAXIM-then-INF-ORM", "GPT-4O")[1] == (
        "there are no judgments by INF-ORM"
    )
    assert cell(study, 2, "QRM", "NECTAR ≥ 7")[1] == "there are no judgments of NECTAR"
    assert cell(study, 19, "CHATEVAL", "accuracy")[1] == "there are no judgments by debate"
    # the four pairs have no turn of the user at all
    assert cell(study, 2, "AMULET-DA (GPT-4o)", "HH-TEST") == (
        (), "no pair has 4 user turns or more",
    )  # fmt: skip


def test_reasons_of_one_kind_stand_in_one_note() -> None:
    notes = paper_tables(small())["table_25"].notes
    assert "– (9 cells): there are no judgments of WILDFEEDBACK, NECTAR, HH-TRAIN." in notes


def test_a_figure_that_is_not_as_printed_is_named(hh_test: JuryStudy) -> None:
    table = TABLES[26]
    (first, *_) = cells(hh_test, table)
    assert first.same is True
    other = type(first)(first.row, first.column, first.ours, (9.9,))
    assert other.same is False
    assert other.to_json()["same"] is False


def test_names_of_the_paper_s_sets_are_known_in_any_case() -> None:
    assert is_paper_s("hh-test")
    assert not is_paper_s("chats")
