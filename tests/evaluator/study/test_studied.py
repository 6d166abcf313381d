"""The record of a study."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.evaluator.study.test_study import found

from assize.evaluator._study.studied import single_mean
from assize.evaluator._study.vote_counts import VoteCounts


def test_the_json_holds_every_part() -> None:
    said = json.loads(json.dumps(found().to_json()))
    rows = {row["name"]: row for row in said["learners"]}
    assert rows["joint"]["without_tie"]["n"] == 400
    assert [row["jury"] for row in said["juries"]] == ["- best", "liar for best", "+ second"]
    assert {one["judge"] for one in said["judges"]} == {"a", "best", "second", "liar", "b"}
    assert said["judges"][0]["alpha"]["interval"][0] < said["judges"][0]["alpha"]["estimate"]
    assert (said["pairs"], said["measured"], said["folds"], said["seeds"]) == (400, 400, 2, 2)


def test_notes_say_how_pairs_were_held_out() -> None:
    assert found().notes[0].startswith("400 pairs in 400 groups that share a text")
    assert found().lines == [f"signature {found().signature}"]


def test_the_mean_of_single_judges_is_theirs() -> None:
    each = [
        found().table.figures[f"only {name}"]["with_tie"].estimate
        for name in ("a", "best", "second", "liar", "b")
    ]
    assert abs(single_mean(found().table, "with_tie") - sum(each) / 5) < 1e-12


def test_learners_stand_in_groups_with_tests_against_all_judges() -> None:
    rows = found().learners
    assert list(dict.fromkeys(row.group for row in rows)) == [
        "one judge",
        "all judges",
        "other juries",
        "gold labels",
        "votes themselves",
    ]
    p = {row.name: row.p_without_tie for row in rows}
    assert p["joint"] != p["joint"]  # not tested against itself
    assert p["only liar"] < 0.05
    assert "`joint`" in found().tables["learners"].notes[0]


def test_juries_stand_as_changes_against_the_default() -> None:
    assert [row.jury for row in found().juries] == ["- best", "liar for best", "+ second"]
    assert "default (joint)" in found().tables["juries"].notes[0]


def test_reliabilities_stand_from_the_best_down() -> None:
    table = found().tables["judges"]
    assert [row[0] for row in table.rows] == ["best", "second", "b", "a", "liar"]
    assert "learnt reliabilities and right votes, Pearson" in found().headline


def test_votes_and_seconds_stand_where_they_were_taken() -> None:
    assert "votes" not in found().tables
    counts = (VoteCounts("a", "preference", 3, 1, 2, 0),)
    table = replace(found(), votes=counts).tables["votes"]
    assert (table.title, table.rows) == ("preference: Votes", [["a", 3, 1, 2, 0]])
