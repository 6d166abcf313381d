from __future__ import annotations

from collections.abc import Callable

import pytest

from assize.base.conversation import Pair, Turn
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.juries import Ballot, gather
from assize.juries.ballots import ballot_details, gold_in, gold_of

Make = Callable[[dict[str, dict[str, str]]], JudgmentTable]


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
    letters: str, answer: str | None, reason: str | None, table: Make
) -> None:
    ballots = gather(table({"da": {"p1": letters, "other": "AA"}}), "preference")
    one = ballots.of("da", "p1")
    assert (one.answer, one.reason) == (answer, reason)
    assert one.decides == (answer in ("A", "B"))


def test_a_judge_that_never_sees_both_orders_decides_by_its_one_vote(table: Make) -> None:
    ballots = gather(table({"da": {"p1": "A-", "p2": "-B"}}), "preference")
    assert [ballots.of("da", item).answer for item in ("p1", "p2")] == ["A", "B"]


def one(*rows: Judgment) -> Ballot:
    """The only ballot."""
    return gather(JudgmentTable.of(rows), "preference").of("j", "p")


def test_repeats_in_one_order_vote_by_majority() -> None:
    rows = [Judgment("p", "j", "preference", answer=a, repeat=n) for n, a in enumerate("AAB")]
    assert one(*rows).answer == "A"
    assert one(*rows[1:]).answer == "tie"


def test_an_answer_that_is_no_preference_leaves_the_judge_unscored() -> None:
    assert one(Judgment("p", "j", "preference", answer="NA")).reason == "not applicable"
    assert one(Judgment("p", "j", "preference", answer="C")).reason == "no preference"


def test_votes_are_rows_sorted_by_repeat_and_order() -> None:
    rows = [Judgment("p", "j", "preference", answer="A", order=order) for order in ("BA", "AB")]
    again = [Judgment("p", "j", "preference", answer="A", order="AB", repeat=1)]
    found = one(*again, *rows)
    assert [(row.repeat, row.order) for row in found.votes] == [(0, "AB"), (0, "BA"), (1, "AB")]
    assert (len(found.votes), found.votes[-1].repeat) == (3, 1)


def test_other_questions_single_turns_and_gold_are_no_votes(table: Make) -> None:
    rows = (
        *table({"da": {"p": "AA"}}),
        Judgment("p", "da", "Overall", answer="B"),
        Judgment("p", "da", "preference", answer="B", turn=1),
        Judgment("p", "gold", "preference", answer="B"),
    )
    ballots = gather(JudgmentTable.of(rows), "preference")
    assert ballots.judges == ("da",)
    assert ballots.of("da", "p").answer == "A"
    assert gold_of(JudgmentTable.of(rows), "preference") == {"p": "B"}


def test_gold_that_contradicts_itself_is_a_tie() -> None:
    rows = [Judgment("p", "gold", "preference", answer=answer) for answer in "AB"]
    assert gold_of(JudgmentTable.of(rows), "preference") == {"p": "tie"}


def test_a_pair_s_gold_may_be_one_a_question() -> None:
    turns = (Turn("assistant", "x"),)
    assert gold_in(Pair("p", (), turns, turns, gold="A"), "preference") == "A"
    assert gold_in(Pair("p", (), turns, turns, gold="A"), "Overall") is None
    assert gold_in(Pair("p", (), turns, turns, gold={"Overall": "B"}), "Overall") == "B"
    assert gold_in(Pair("p", (), turns, turns), "preference") is None


def test_a_ballot_tells_every_vote(table: Make) -> None:
    ballot = gather(table({"da": {"p": "Ax"}}), "preference").of("da", "p")
    assert ballot_details(ballot) == {
        "judge": "da",
        "answer": None,
        "unscored": "refused",
        "votes": [{"order": "AB", "answer": "A"}, {"order": "BA", "unscored": "refused"}],
    }
