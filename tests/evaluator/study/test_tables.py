"""The tables of a study."""

from __future__ import annotations

from dataclasses import replace

from tests.evaluator.study.test_study import found

from assize.evaluator.study.vote_counts import VoteCounts


def test_learners_stand_in_groups_with_tests_against_all_judges() -> None:
    table = found().tables["learners"]
    groups = list(dict.fromkeys(row[0] for row in table.rows))
    assert groups == [
        "one judge",
        "all judges",
        "other juries",
        "gold labels",
        "votes themselves",
    ]
    p = {row[1]: row[5] for row in table.rows}
    assert p["joint"] != p["joint"]  # not tested against itself
    assert p["only liar"] < 0.05
    assert "`joint`" in table.notes[0]


def test_juries_stand_as_changes_against_the_default() -> None:
    table = found().tables["juries"]
    assert [row[0] for row in table.rows] == ["default", "- best", "liar for best", "+ second"]
    assert table.rows[0][3] is None
    assert "joint" in table.notes[0]


def test_reliabilities_stand_from_the_best_down() -> None:
    table = found().tables["reliabilities"]
    assert [row[0] for row in table.rows] == ["best", "second", "b", "a", "liar"]
    assert "Pearson" in table.notes[1]


def test_votes_and_seconds_stand_where_they_were_taken() -> None:
    assert "votes" not in found().tables
    told = replace(found(), counts=(VoteCounts("a", "preference", 3, 2, 1, 0),))
    assert told.tables["votes"].rows == [("preference", "a", 3, 2, 1, None)]
