from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import assize
from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.simulate import PairChoice
from assize.simulate._settings import ALL

CONSISTENT = PairChoice(balance=None)
P2 = Path(__file__).parents[3] / "shared" / "data" / "mtdeval" / "p2-mtd-sample.json"


def pair(id: str, rounds: int = 2) -> Pair:
    sides = [
        tuple(t for _ in range(rounds) for t in (Turn("user", "How?"), Turn("assistant", who)))
        for who in ("so", "thus")
    ]
    return Pair(id, (), sides[0], sides[1], True)


def votes(item: str, *cast: str) -> list[Judgment]:
    """Of judges x, y, ...: each two letters."""
    answers = {"A": "A", "B": "B", "T": "tie"}
    return [
        Judgment(item, judge, "preference", answer=answers[vote], order=order)  # type: ignore[arg-type]
        for judge, two in zip("xyz", cast, strict=False)
        for vote, order in zip(two, ("AB", "BA"), strict=True)
    ]


RECORDS: list[Any] = [
    pair("p"),
    *votes("p", "AA", "AA"),
    pair("q"),
    *votes("q", "BB", "BA"),
    pair("r", rounds=1),
    *votes("r", "AA", "AA"),
]


def test_pairs_and_votes_are_written_with_their_questions(tmp_path: Path) -> None:
    found = assize.simulate.select(RECORDS, turns="2-10", choice=CONSISTENT, out=tmp_path / "kept")
    assert [one.id for one in found] == ["p"]
    assert list(assize.read(tmp_path / "kept" / "pairs.jsonl")) == [pair("p")]
    table = assize.read_judgments([tmp_path / "kept"])
    assert table.rows() == votes("p", "AA", "AA")
    assert table.questions["preference"].kind == "preference"
    assert [(row.step, row.left) for row in found.steps] == [
        ("given", 3),
        ("2 to 10 turns", 2),
        ("all consistent on preference", 1),
    ]


def test_votes_may_stand_in_a_file_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "votes.jsonl"
    assize.write(path, [one for one in RECORDS if isinstance(one, Judgment)])
    pairs = [one for one in RECORDS if isinstance(one, Pair)]
    found = assize.simulate.select(pairs, votes=path, choice=CONSISTENT)
    assert [one.id for one in found] == ["p", "r"]
    assert len(found.judgments or ()) == 8


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
