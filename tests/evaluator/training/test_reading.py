from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from letters import Letters, Spelling

from assize.base.conversation import Pair, Turn
from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Judgment, Unscored
from assize.encoders import Encoder
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._training.reading import Read, read_lessons
from assize.judgments import JudgmentTable


def pair(name: str, a: str, b: str, asked: str = "") -> Pair:
    user = Turn("user", asked or f"question {name}")
    return Pair(name, (), (user, Turn("assistant", a)), (user, Turn("assistant", b)))


PAIRS = [pair("p0", "abc", "def"), pair("p1", "aab", "dde"), pair("p2", "ba", "ed")]


def vote(item: str, answer: str | None, judge: str = "ann", **more: Any) -> Judgment:
    return Judgment(item, judge, **{"question": "preference", "answer": answer, **more})


def reading(
    rows: Sequence[Judgment],
    items: Sequence[Any] = PAIRS,
    encoder: Encoder | None = None,
    **more: Any,
) -> Read:
    asked = [replace(PREFERENCE, id=name) for name in sorted({row.question for row in rows})]
    table = JudgmentTable.of(rows, asked)
    return read_lessons(items, table, encoder or Letters(), TurnFeatures(), **more)


def test_both_orders_are_two_votes_and_repeats_share_one() -> None:
    rows = [
        vote("p0", "A", order="AB"),
        vote("p0", "B", order="BA"),
        vote("p1", "A", order="AB", repeat=0),
        vote("p1", "A", order="AB", repeat=1),
        vote("p2", "tie"),
    ]
    votes = reading(rows).lessons.votes
    assert votes.for_a[:, 0, 0].tolist() == [1, 1, 0]
    assert votes.for_b[:, 0, 0].tolist() == [1, 0, 0]
    assert votes.ties[:, 0, 0].tolist() == [0, 0, 1]


def test_contradictory_duplicates_count_for_their_share_and_are_told() -> None:
    found = reading([vote("p0", "A"), vote("p0", "B"), vote("p1", "B")])
    assert found.lessons.votes.for_a[0, 0, 0] == found.lessons.votes.for_b[0, 0, 0] == 0.5
    assert any("1 times a judge voted for both sides in one order" in one for one in found.notes)


def test_preference_counts_as_overall_and_questions_stand_in_their_order() -> None:
    rows = [vote("p0", "A", question=one) for one in ("Zest", "Safety", "preference", "Accuracy")]
    assert reading(rows).lessons.questions == ("Overall", "Accuracy", "Safety", "Zest")
    assert reading(rows, dimensions=["overall", "Zest"]).lessons.questions == ("Overall", "Zest")
    with pytest.raises(DataError, match="no votes are on Zest2; voted on are "):
        reading(rows, dimensions=["Zest2"])


def test_a_judge_or_a_question_with_fair_alone_is_left_out_and_told() -> None:
    rows = [
        vote("p0", "A"),
        vote("p0", "tie", "fair"),
        vote("p1", "tie", "fair"),
        vote("p1", "tie", question="Safety"),
    ]
    found = reading(rows)
    assert (found.lessons.judges, found.lessons.questions) == (("ann",), ("Overall",))
    assert "fair votes Fair on every pair: nothing is learnt from it" in found.notes
    assert "Safety: no vote for A or B, so it is not learnt" in found.notes


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([vote("elsewhere", "A")], "check that the judgments' items are the pairs' ids"),
        ([vote("p0", "both")], "the answers about these pairs are 'both'; allowed are A, B"),
        ([vote("p0", "tie")], "every vote is Fair"),
    ],
)
def test_votes_that_say_nothing_are_refused(rows: list[Judgment], message: str) -> None:
    with pytest.raises(DataError, match=message):
        reading(rows)


def test_unscored_votes_are_passed_over() -> None:
    lost = vote("p0", None, unscored=Unscored("parse", "no answer"))
    assert reading([lost, vote("p1", "A")]).lessons.votes.for_a[:, 0, 0].tolist() == [0, 1, 0]


def test_gold_is_left_out_unless_it_is_asked_for() -> None:
    rows = [vote("p0", "A"), vote("p1", "B", "gold")]
    assert reading(rows).lessons.judges == ("ann",)
    assert reading(rows, gold=True).lessons.judges == ("ann", "gold")


def test_pairs_that_ask_the_same_are_held_out_together_and_a_dialogue_is_read_once() -> None:
    items = [pair("p0", "abc", "def", "hi"), pair("p1", "abc", "fee", "hi"), PAIRS[2]]
    lessons = reading([vote("p0", "A"), vote("p1", "A"), vote("p2", "B")], items).lessons
    assert len(lessons.rows) == 5
    assert lessons.a.tolist() == [0, 0, 3]
    assert lessons.groups().tolist() == [0, 0, 0, 1, 1]


@pytest.mark.parametrize(
    ("items", "encoder", "pairs", "note"),
    [
        (PAIRS, None, ("p0", "p1", "p2"), "Overall: 2 votes for A or B are few; do not rely on it"),
        (
            [*PAIRS[:2], pair("p2", " ", "abc")],
            None,
            ("p0", "p1"),
            "1 of 3 pairs have a side without any",
        ),
        (
            [pair("p0", "abc", "xyz", "abcabc"), pair("p1", "abc", "fed", "abcabc")],
            Spelling(),
            ("p1",),
            "1 of 2 pairs have a side that the encoder cannot read, and teach nothing",
        ),
    ],
    ids=["few votes", "an empty side", "a side that cannot be read"],
)
def test_few_votes_and_pairs_that_are_left_out_are_told(
    items: list[Pair], encoder: Encoder | None, pairs: tuple[str, ...], note: str
) -> None:
    found = reading([vote("p0", "A"), vote("p1", "B")], items, encoder)
    assert found.pairs == pairs
    assert any(one.startswith(note) for one in found.notes)


def test_long_texts_are_counted() -> None:
    items = [pair("p0", "ab" * 900, "def"), PAIRS[1]]
    assert reading([vote("p0", "A")], items).windows == 1
