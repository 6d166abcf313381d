"""The record of a study."""

from __future__ import annotations

import json

from tests.evaluator.study.test_study import found

from assize.evaluator.study.studied import single_mean


def test_the_json_holds_every_part() -> None:
    said = json.loads(json.dumps(found().to_json()))
    assert said["rows"]["joint"]["without_tie"]["n"] == 400
    assert [one["jury"] for one in said["changes"]] == ["- best", "liar for best", "+ second"]
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
    assert abs(single_mean(found(), "with_tie") - sum(each) / 5) < 1e-12
