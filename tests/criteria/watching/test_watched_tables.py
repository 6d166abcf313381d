"""The tables of watching."""

from __future__ import annotations

from dataclasses import replace

from tests.criteria.watching.test_watching import CHATS, FAST, TABLE, WHOLE, watched


def test_tables_are_those_that_say_something() -> None:
    assert list(WHOLE.tables) == ["NetSAT", "changes", "latest", "s2"]
    text = str(WHOLE)
    for part in (
        "Changes: 2 of 5 questions",
        "SAT: The user says that the fix works, by week",
        "signature",
        "worse",
    ):
        assert part in text


def test_groups_stand_in_all_tables() -> None:
    groups = {one.id: str(one.system) for one in CHATS}
    found = watched(groups=groups, questions=["s2"], how=replace(FAST, by="system"))
    assert all(table.grouped for table in found.tables.values())
    assert [row[0] for row in found.tables["changes"].rows] == ["a", "b"]


def test_questions_that_could_not_be_tested_are_said() -> None:
    few = [one.id for one in CHATS[:30]]
    shown = str(watched(TABLE.where(item=few)).tables["changes"])
    assert "Changes: 0 of 5 questions" in shown
    assert "5 questions could not be tested: needs at least 40 values" in shown


def test_the_interval_of_a_date_is_in_days_around_it() -> None:
    rows = WHOLE.tables["changes"].rows
    assert [row[2] for row in rows] == ["-1..+9", "+0..+1"]
