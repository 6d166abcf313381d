from __future__ import annotations

import pytest

from assize.base.conversation import Pair, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import PREFERENCE, Judgment
from assize.judgments import JudgmentTable
from assize.reference._continuations.tallies import tallies_of

SIDES = ((Turn("user", "?"),), (Turn("assistant", "a"),), (Turn("assistant", "b"),))
PAIRS = [
    Pair("p", *SIDES, gold="A"),
    Pair("q", *SIDES, gold={"preference": "B", "tone": "A"}),
    Pair("r", *SIDES),
]


def vote(judge: str, answer: str, order: str | None = None, item: str = "p") -> Judgment:
    return Judgment(item, judge, "preference", answer=answer, order=order)  # type: ignore[arg-type]


def table(*rows: Judgment) -> JudgmentTable:
    return JudgmentTable.of(rows, [PREFERENCE])


def test_a_pair_without_votes_has_that_of_its_gold() -> None:
    assert tallies_of(PAIRS, None, "preference") == {"p": (1, 0), "q": (0, 1), "r": (0, 0)}
    assert tallies_of(PAIRS, table(vote("gold", "B")), "preference")["p"] == (1, 0)


def test_each_voter_counts_once_and_ties_for_nobody() -> None:
    cast = table(
        vote("ann", "B"),
        vote("bob", "B", "AB"),
        vote("bob", "B", "BA"),
        vote("cyd", "A", "AB"),
        vote("cyd", "B", "BA"),
        vote("dee", "tie"),
    )
    assert tallies_of(PAIRS, cast, "preference") == {"p": (0, 2), "q": (0, 1), "r": (0, 0)}


def test_votes_on_another_question_are_an_error_that_names_what_there_is() -> None:
    with pytest.raises(ConfigError, match="no vote answers it; there are preference"):
        tallies_of(PAIRS, table(vote("ann", "A")), "tone")
