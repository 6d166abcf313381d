"""Pairs with features, votes and gold: what is read, and what cannot be studied."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from letters import Letters

from assize.base.conversation import Pair, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import PREFERENCE, Judgment, Unscored
from assize.evaluator._study.voted_pairs import groups_of, voted_pairs
from assize.judgments import JudgmentTable


def pair(name: str, gold: Any = None, a: str = "abc", b: str = "def", **more: Any) -> Pair:
    asked = (Turn("user", f"ab{name}?"),)
    return Pair(name, asked, (Turn("assistant", a),), (Turn("assistant", b),), gold=gold, **more)


def vote(item: str, judge: str, answer: str | None, **more: Any) -> Judgment:
    given = {"kind": "model"} | more
    if answer is None:
        given["unscored"] = Unscored("parse", "")
    return Judgment(item, judge, given.pop("question", "preference"), answer=answer, **given)


def table(*rows: Judgment) -> JudgmentTable:
    asked = [replace(PREFERENCE, id=name) for name in ("preference", "Overall", "Accuracy")]
    return JudgmentTable.of(rows, asked)


PAIRS = [pair("1", "A"), pair("2", "B"), pair("3")]


def test_both_orders_are_two_votes_and_a_pair_without_gold_teaches() -> None:
    rows = [
        vote("1", "j", "A", order="AB"),
        vote("1", "j", "B", order="BA"),
        vote("2", "j", "tie"),
        vote("3", "j", "B"),
        vote("1", "k", None),
        vote("2", "k", "B", question="Overall"),
    ]
    found = voted_pairs(PAIRS, table(*rows), Letters())
    assert (found.ids, found.judges) == (("1", "2", "3"), ("j", "k"))
    assert found.votes.for_a[:, :, 0].tolist() == [[1, 0], [0, 0], [0, 0]]
    assert found.votes.for_b[:, :, 0].tolist() == [[1, 0], [0, 1], [1, 0]]
    assert found.votes.ties[:, :, 0].tolist() == [[0, 0], [1, 0], [0, 0]]
    np.testing.assert_array_equal(found.truth, [1, -1, np.nan])
    np.testing.assert_array_equal(found.majority, [0, 0, -1])
    assert found.by(["k"]).votes.shape == (3, 1, 1)
    with pytest.raises(ConfigError, match="no votes by 'x'"):
        found.by(["x"])


def test_what_nobody_voted_on_or_cannot_be_read_is_left_out_and_counted() -> None:
    pairs = [*PAIRS, pair("4", "A", b="")]
    found = voted_pairs(pairs, table(*(vote(n, "j", "A") for n in "124")), Letters())
    assert (found.ids, found.left_out) == (("1", "2"), 2)


def test_people_are_no_judges_unless_they_are_named() -> None:
    people = [vote(n, "ann", "B", kind="person") for n in "12"]
    rows = table(*(vote(n, "j", "A") for n in "12"), *people)
    found = [voted_pairs(PAIRS, rows, Letters(), judges=own).judges for own in (None, ["ann"])]
    assert found == [("j",), ("ann",)]
    with pytest.raises(ConfigError, match="no votes by 'bob'; there are j, ann"):
        voted_pairs(PAIRS, rows, Letters(), judges=["bob"])


def test_a_dimension_has_votes_and_gold_of_its_own() -> None:
    pairs = [pair("1", {"Overall": "A", "Accuracy": "B"}), pair("2", {"Accuracy": "A"})]
    rows = [vote(n, "j", "A", question="Accuracy") for n in "12"]
    found = voted_pairs(pairs, table(*rows), Letters(), question="accuracy")
    assert found.truth.tolist() == [-1, 1]


def test_exchanged_sides_carry_features_votes_and_gold_with_them() -> None:
    pairs = [pair(str(n), "A", a=f"aaa{n}") for n in range(20)]
    rows = table(*(vote(str(n), "j", "A" if n % 4 else "B") for n in range(20)))
    with pytest.raises(DataError, match=r"gold is A for every decided pair.*exchangeable"):
        voted_pairs(pairs, rows, Letters())
    found = voted_pairs(pairs, rows, Letters(), exchangeable=True)
    turned = found.truth < 0
    assert 0 < turned.sum() < 20
    right = np.where(turned, found.votes.for_b[:, 0, 0], found.votes.for_a[:, 0, 0])
    assert right.tolist() == [float(n % 4 != 0) for n in range(20)]
    better = np.where(turned[:, None], found.b, found.a)[:, 0]  # how much of `a` its side has
    worse = np.where(turned[:, None], found.a, found.b)[:, 0]
    assert (better > worse).all()


@pytest.mark.parametrize(
    ("pairs", "rows", "said"),
    [
        ([], [vote("1", "j", "A")], "no pair among the items"),
        ([pair("1")], [vote("1", "j", "A")], "no pair has gold for 'preference'"),
        (PAIRS, [vote("x", "j", "A")], "no judge voted on any of these pairs"),
        (PAIRS, [vote("1", "j", "A", question="Accuracy")], "no judge voted on any of these pairs"),
        (PAIRS, [vote("1", "j", None)], "all are unscored"),
        (
            PAIRS,
            [vote("1", "j", "tie"), vote("2", "j", "tie")],
            "every vote on these pairs is a tie",
        ),
        (PAIRS, [vote("3", "j", "A")], "no pair that has a vote has gold too"),
        (
            [pair("1", "tie"), pair("2", "tie")],
            [vote("1", "j", "A")],
            "gold is a tie for every pair",
        ),
        ([pair("1", "A", a="")], [vote("1", "j", "A")], "assistant's turn on both sides"),
    ],
)
def test_what_cannot_be_studied_is_explained(pairs: Any, rows: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        voted_pairs(pairs, table(*rows), Letters())


def test_pairs_that_share_a_side_or_what_the_user_says_are_one_group() -> None:
    def dialogue(user: str, *said: str) -> Pair:
        a, b = ((Turn("user", user), Turn("assistant", one)) for one in said)
        return Pair(f"{user}{said}", (), a, b)

    pairs = [
        dialogue("u", "1", "2"),
        dialogue("v", "3", "4"),
        dialogue("w", "5", "6"),
        Pair("x", (), (Turn("assistant", "7"),), (Turn("user", "v"), Turn("assistant", "8"))),
    ]
    assert groups_of(pairs).tolist() == [0, 1, 2, 1]
    by = [replace(one, metadata={"who": name}) for one, name in zip(pairs, "aabb", strict=True)]
    assert groups_of(by, "metadata.who").tolist() == [0, 0, 1, 1]
