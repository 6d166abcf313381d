from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.simulate.voted_pairs import order_votes, pair

import assize
from assize.base.conversation import Conversation
from assize.base.errors import ConfigError, DataError
from assize.simulate import PairChoice
from assize.simulate._settings import ALL

CONSISTENT = PairChoice(balance=None)
P2 = Path(__file__).parents[3] / "shared" / "data" / "mtdeval" / "p2-mtd-sample.json"


VOTES = order_votes(
    {"p": {"x": "AA", "y": "AA"}, "q": {"x": "BB", "y": "BA"}, "r": {"x": "AA", "y": "AA"}},
    "preference",
)
RECORDS: list[Any] = [pair("p"), pair("q"), pair("r", rounds=1), *VOTES]


def test_pairs_and_votes_are_written_with_their_questions(tmp_path: Path) -> None:
    found = assize.simulate.select(RECORDS, turns="2-10", choice=CONSISTENT, out=tmp_path / "kept")
    assert [one.id for one in found] == ["p"]
    assert list(assize.read(tmp_path / "kept" / "pairs.jsonl")) == [pair("p")]
    table = assize.read_judgments([tmp_path / "kept"])
    assert table.rows() == VOTES[:4]
    assert table.questions["preference"].kind == "preference"
    assert [(row.step, row.left) for row in found.steps] == [
        ("given", 3),
        ("2 to 10 turns", 2),
        ("all consistent on preference", 1),
    ]


@pytest.mark.parametrize(
    ("more", "error", "problem"),
    [
        ({}, ConfigError, "no step is asked for"),
        ({"choice": replace(ALL, label="x")}, ConfigError, "no step is asked for"),
        ({"turns": "x"}, ConfigError, "turns 'x'"),
        ({"words": -1}, ConfigError, "words"),
        ({"choice": PairChoice()}, DataError, "no pairs can have these shares"),
        ({"apart": True, "choice": replace(ALL, question="Wit")}, DataError, "no votes on Wit"),
    ],
)
def test_what_is_not_allowed_is_said(more: Any, error: type[Exception], problem: str) -> None:
    with pytest.raises(error, match=problem):
        assize.simulate.select(RECORDS, **more)


def test_questions_that_must_be_consistent_ask_for_consistency() -> None:
    for questions in ("preference", "all"):
        choice = replace(ALL, consistent_on=questions)
        found = assize.simulate.select(RECORDS, choice=choice)
        assert [one.id for one in found] == ["p", "r"]


def test_there_must_be_pairs() -> None:
    chat = Conversation("c", pair("p").a)
    with pytest.raises(DataError, match="there is no pair to select"):
        assize.simulate.select([chat], words=1)
    found = assize.simulate.select([pair("p"), chat], words=1)
    assert "1 items are no pairs" in found.notes


@pytest.mark.skipif(not P2.exists(), reason="needs shared/data/mtdeval beside the repository")
def test_the_released_votes_name_no_order_so_consistency_cannot_be_told() -> None:
    """What P2-MTD releases is what was left: one vote a judge and pair."""
    with pytest.raises(DataError, match="no judge has votes in both orders"):
        assize.simulate.select(P2, choice=CONSISTENT)
    found = assize.simulate.select(P2, turns="2-10", words=13)
    # claude, grok, deepseek A; gpt-4o and o4-mini B; gemini Fair: A has 3 of 6
    assert found.shares == {"A": 1, "B": 0, "tie": 0}
    assert len(found.votes) == 6
    assert len(assize.simulate.select(P2, apart=True).judgments or ()) == 66
