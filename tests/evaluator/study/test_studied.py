"""The record of a study."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.evaluator.study.test_study import FIVE, found

from assize.evaluator._study.studied import single_mean
from assize.evaluator._study.vote_counts import VoteCounts


def test_the_json_holds_every_part() -> None:
    record = json.loads(json.dumps(found().to_json()))
    rows = {row["name"]: row for row in record["learners"]}
    assert rows["joint"]["without_tie"]["n"] == 400
    assert [row["jury"] for row in record["juries"]] == ["- best", "liar for best", "+ second"]
    assert [one["judge"] for one in record["judges"]] == ["best", "second", "b", "a", "liar"]
    alpha = record["judges"][0]["alpha"]
    assert alpha["interval"][0] < alpha["estimate"]
    counts = [record[name] for name in ("pairs", "measured", "folds", "seeds")]
    assert counts == [400, 400, 2, 2]


def test_notes_say_how_pairs_were_held_out_and_what_was_compared() -> None:
    assert found().notes[0].startswith("400 pairs in 400 groups that share a text")
    assert "default (joint)" in found().tables["juries"].notes[0]
    assert "`joint`" in found().tables["learners"].notes[0]
    assert "learnt reliabilities and right votes, Pearson" in found().headline


def test_the_mean_of_single_judges_is_theirs() -> None:
    names = [f"only {name}" for name in FIVE]
    each = [found().table.figures[name]["with_tie"].estimate for name in names]
    assert single_mean(found().table, "with_tie") == pytest.approx(np.mean(each))


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
    assert np.isnan(p["joint"])  # not tested against itself
    assert p["only liar"] < 0.05


def test_votes_and_seconds_stand_where_they_were_taken() -> None:
    assert "votes" not in found().tables
    counts = (VoteCounts("a", "preference", 3, 1, 2, 0),)
    table = replace(found(), votes=counts).tables["votes"]
    assert (table.title, table.rows) == ("preference: Votes", [["a", 3, 1, 2, 0]])
