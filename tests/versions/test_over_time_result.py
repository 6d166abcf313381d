"""What watching comes to: its JSON, its tables, its alarm."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.versions.test_over_time import CHATS, TABLE, WHOLE, watched


def test_json_has_every_question_by_period_and_what_changed() -> None:
    value = json.loads(json.dumps(WHOLE.to_json(), allow_nan=False))
    assert (value["questions"], value["changed"], value["dropped"]) == (5, 2, 2)
    worse = [row["id"] for row in value["latest"] if row["verdict"] == "worse"]
    assert worse == [row["id"] for row in value["changes"]] == ["NetSAT", "s2"]
    assert len(value["by_period"]) == 5 * len(value["periods"]) == 60
    net, s1 = value["by_period"][0], value["by_period"][12]
    assert {"good", "open", "bad"} <= net.keys()
    assert "holds" not in net
    assert "holds" in s1
    assert value["changes"][0]["verdict"] == "worse"
    assert value["signature"] == WHOLE.signature


def test_the_alarm_names_the_questions_that_are_worse() -> None:
    assert str(WHOLE.alarm).startswith(
        "worse than before, latest week (from 2026-03-23): NetSAT, The user says"
    )
    assert replace(WHOLE, latest=WHOLE.latest[1:2]).alarm is None


def test_tables_are_those_that_say_something() -> None:
    assert list(WHOLE.tables) == ["latest", "changes", "by_period"]
    text = str(WHOLE)
    for part in ("that changed: 2", "The user says", "every=week", "worse"):
        assert part in text
    assert "2 of 5 questions changed, 2 got worse in the latest week" in WHOLE.sentence


def test_groups_stand_in_all_tables() -> None:
    found = watched(groups={one.id: str(one.system) for one in CHATS}, questions=["s2"])
    assert all("group" in map(str, table.to_pandas().columns) for table in found.tables.values())
    assert [row.group for row in found.changes] == ["a", "b"]


def test_questions_that_could_not_be_tested_are_said() -> None:
    few = [one.id for one in CHATS[:30]]
    found = watched(TABLE.where(item=few))
    assert (found.changed, found.questions) == (0, 5)
    assert "5 questions could not be tested: needs at least 40 values" in found.notes[-1]


def test_the_interval_of_a_date_is_in_days_around_it() -> None:
    assert [row.days for row in WHOLE.changes] == ["-1..+9", "+0..+1"]
