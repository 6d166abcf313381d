from __future__ import annotations

from typing import Any

import pytest
from tests.juries.conftest import table_of

from assize.base.conversation import Pair, Turn
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.juries import Decisions, collect_decisions
from assize.juries.decisions import ANSWERS, gold_answers


@pytest.mark.parametrize(
    ("letters", "answer", "reason"),
    [
        ("AA", "A", None),
        ("BB", "B", None),
        ("AB", "tie", None),
        ("tt", "tie", None),
        ("At", "tie", None),
        ("Ax", None, "refused"),
        ("xx", None, "refused"),
        ("A-", None, "missing"),
        ("--", None, "not asked"),
    ],
)
def test_both_votes_must_be_there_and_agree(
    letters: str, answer: str | None, reason: str | None
) -> None:
    decisions = collect_decisions(table_of({"da": {"p1": letters, "other": "AA"}}), "preference")
    one = decisions.select(["da"], ["p1"])
    assert (label(one), one.reasons[0, 0]) == (answer, reason or "")


def label(decisions: Decisions) -> str | None:
    """The first judge's answer about the first item."""
    return ANSWERS.get(float(decisions.values[0, 0]))


def test_a_judge_that_never_sees_both_orders_decides_by_its_one_vote() -> None:
    decisions = collect_decisions(table_of({"da": {"p1": "A-", "p2": "-B"}}), "preference")
    assert decisions.values.tolist() == [[1.0, -1.0]]


def one(*rows: Judgment) -> Decisions:
    """The only decision."""
    return collect_decisions(JudgmentTable.of(rows), "preference").select(["j"], ["p"])


def test_repeats_in_one_order_vote_by_majority() -> None:
    rows = [Judgment("p", "j", "preference", answer=a, repeat=n) for n, a in enumerate("AAB")]
    assert label(one(*rows)) == "A"
    assert label(one(*rows[1:])) == "tie"


def test_an_answer_that_is_no_preference_leaves_the_judge_unscored() -> None:
    assert one(Judgment("p", "j", "preference", answer="NA")).reasons[0, 0] == "not applicable"
    assert one(Judgment("p", "j", "preference", answer="C")).reasons[0, 0] == "no preference"


def test_votes_are_rows_sorted_by_repeat_and_order() -> None:
    rows = [Judgment("p", "j", "preference", answer="A", order=order) for order in ("BA", "AB")]
    again = [Judgment("p", "j", "preference", answer="A", order="AB", repeat=1)]
    found = one(*again, *rows).stored_votes(0, 0)
    assert [(row.repeat, row.order) for row in found] == [(0, "AB"), (0, "BA"), (1, "AB")]


def test_other_questions_single_turns_and_gold_are_no_votes() -> None:
    rows = (
        *table_of({"da": {"p": "AA"}}),
        Judgment("p", "da", "Overall", answer="B"),
        Judgment("p", "da", "preference", answer="B", turn=1),
        Judgment("p", "gold", "preference", answer="B"),
    )
    decisions = collect_decisions(JudgmentTable.of(rows), "preference")
    assert decisions.judges == ("da",)
    assert label(decisions) == "A"
    assert gold_answers(JudgmentTable.of(rows), "preference", "gold") == {"p": "B"}


def test_gold_that_contradicts_itself_is_a_tie() -> None:
    rows = [Judgment("p", "gold", "preference", answer=answer) for answer in "AB"]
    assert gold_answers(JudgmentTable.of(rows), "preference", "gold") == {"p": "tie"}


@pytest.mark.parametrize(
    ("gold", "question", "answer"),
    [
        ("A", "preference", "A"),
        ("A", "Overall", None),
        ({"Overall": "B"}, "Overall", "B"),
        (None, "preference", None),
    ],
)
def test_a_pair_s_gold_may_be_one_a_question_and_comes_first(
    gold: Any, question: str, answer: str | None
) -> None:
    turns = (Turn("assistant", "x"),)
    pairs = {"p": Pair("p", (), turns, turns, gold=gold)}
    found = gold_answers(JudgmentTable.of(()), question, "gold", pairs)
    assert found == ({} if answer is None else {"p": answer})


def test_a_decision_tells_every_vote() -> None:
    decisions = collect_decisions(table_of({"da": {"p": "Ax"}}), "preference")
    assert decisions.record(0, 0) == {
        "judge": "da",
        "answer": None,
        "unscored": "refused",
        "votes": [{"order": "AB", "answer": "A"}, {"order": "BA", "unscored": "refused"}],
    }
