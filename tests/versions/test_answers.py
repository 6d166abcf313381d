"""One number an item: turns and repeats averaged, people together, failures unscored."""

from __future__ import annotations

import math

import pytest
from tests.versions.two_versions import HELPFUL, made

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.judgments import JudgmentTable
from assize.versions.answers import gather
from assize.versions.version import Version


def version(rows: list[Judgment], *questions: Question) -> Version:
    return Version("v", JudgmentTable.of(rows, questions))


def test_repeats_and_turns_are_averaged_within_an_item() -> None:
    score = Question("q", kind="number")
    rows = [
        Judgment("a", "j", "q", score=1.0),
        Judgment("a", "j", "q", score=2.0, repeat=1),
        Judgment("b", "t", "q", score=1.0, turn=1),
        Judgment("b", "t", "q", score=3.0, turn=3),
    ]
    found = gather([version(rows, score)])
    assert {one.judge: one.values["v"] for one in found.asked} == {"j": {"a": 1.5}}
    (turns,) = gather([version(rows[2:], score)]).asked
    assert turns.values["v"] == {"b": 2.0}


def test_what_failed_is_nan_and_what_does_not_apply_is_absent() -> None:
    rows = [
        Judgment("a", "j", "helpful", answer="3"),
        Judgment("c", "j", "helpful", answer="NA"),
        Judgment("b", "j", "helpful", unscored=Unscored("timeout")),
    ]
    (one,) = gather([version(rows, HELPFUL)]).asked
    assert one.values["v"]["a"] == 3
    assert math.isnan(one.values["v"]["b"])
    assert set(one.values["v"]) == {"a", "b"}


def test_several_people_are_one_judge() -> None:
    rows = [
        Judgment("a", who, "helpful", answer=said, kind="person")
        for who, said in (("ann", "1"), ("bob", "4"))
    ]
    (both,), (alone,), (named,) = (
        gather([version(some, HELPFUL)], judges=judges).asked
        for some, judges in ((rows, None), (rows[:1], None), (rows, ["bob"]))
    )
    assert both.judge == "people"
    assert both.values["v"]["a"] == 2.5
    assert alone.judge == "ann"
    assert named.judge == "bob"


def test_what_is_not_in_every_version_is_said() -> None:
    old, new = made("old", [3, 4]), made("new", [3, 4], judge="other@m")
    with pytest.raises(DataError, match="no question has numbers by one judge in every version"):
        gather([old, new])
    both = JudgmentTable.concat([old.table, new.table])
    found = gather([old, Version("new", both)])
    assert found.told == ["not answered in every version: helpful by other@m"]


def test_a_judge_that_changed_is_said() -> None:
    found = gather([made("old", [3, 4]), made("new", [3, 4], signature="s2")])
    assert "rating@m has other signatures in other versions" in found.told[0]


def test_words_are_not_compared() -> None:
    topic = Question("topic", kind="nominal", answers=("a", "b"))
    rows = [Judgment("a", "j", "topic", answer="a"), Judgment("a", "j", "helpful", answer="3")]
    found = gather([version(rows, topic, HELPFUL)])
    assert [one.question.id for one in found.asked] == ["helpful"]
    assert found.told == ["answers without a number are not compared: topic"]


def test_a_guessed_scale_is_that_of_all_versions() -> None:
    """The old version has answers 2 and 3, the new one 3 and 5: 3 is the same in both."""
    parts = [
        Version(
            name,
            JudgmentTable.of(
                [Judgment(f"i{n}", "j", "q", answer=said) for n, said in enumerate(answers)]
            ),
        )
        for name, answers in (("old", "23"), ("new", "35"))
    ]
    (one,) = gather(parts).asked
    assert one.values == {"old": {"i0": 2, "i1": 3}, "new": {"i0": 3, "i1": 5}}
