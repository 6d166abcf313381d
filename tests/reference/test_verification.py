from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assize import (
    Continuation,
    Conversation,
    Judgment,
    Pair,
    Turn,
    read,
    reference,
    simulate,
    write,
)
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import PREFERENCE
from assize.judgments import JudgmentTable
from assize.reference._verification import count_votes

ASK = (Turn("user", "Why?"),)
PAIR = Pair("p", ASK, (Turn("assistant", "x"),), (Turn("assistant", "y"),), gold="A")


def votes(*answers: str, kind: Any = "person") -> list[Judgment]:
    return [
        Judgment("p", f"v{n}", "preference", answer=one, kind=kind) for n, one in enumerate(answers)
    ]


def test_people_s_votes_decide_the_reference_and_gold_where_there_are_none() -> None:
    (found,) = reference.verification([PAIR])
    assert (found.references, found.candidate) == (("x",), "y")
    (found,) = reference.verification([PAIR], judgments=votes("B", "B", "A"))
    assert (found.references, found.metadata["reference_votes"]) == (("y",), [2, 1])
    (found,) = reference.verification([PAIR], judgments=votes("B", kind="model"))
    assert found.references == ("x",)


def test_votes_that_stand_with_the_pairs_count(tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    write(path, [PAIR, *votes("B", "B", "A")])
    done = reference.verification(path, out=tmp_path / "set.jsonl")
    assert done.items[0].references == ("y",)
    assert (done.clear, done.contexts, done.to_json()["continuations"]) == (1, 1, 1)
    assert list(read(tmp_path / "set.jsonl")) == list(done)
    with pytest.raises(DataError, match="there is no pair of answers"):
        reference.verification([Conversation("c", ASK)])


def cast(*votes: tuple[str, str, Any]) -> JudgmentTable:
    """From (judge, answer, order)."""
    rows = [Judgment("p", who, "preference", answer=one, order=order) for who, one, order in votes]
    return JudgmentTable.of(rows, [PREFERENCE])


def test_each_voter_counts_once_ties_for_nobody_and_gold_is_no_voter() -> None:
    votes = cast(
        ("ann", "B", None),
        ("bob", "B", "AB"),
        ("bob", "B", "BA"),
        ("cyd", "A", "AB"),
        ("cyd", "B", "BA"),
        ("dee", "tie", None),
        ("gold", "A", None),
    )
    assert count_votes(votes, "preference") == {"p": (0, 2)}
    assert count_votes(cast(("gold", "A", None)), "preference") == {}
    assert count_votes(None, "preference") == {}
    with pytest.raises(ConfigError, match="no vote answers it; there are preference"):
        count_votes(votes, "tone")


def test_a_pair_s_gold_may_answer_several_questions() -> None:
    pair = Pair("q", ASK, PAIR.a, PAIR.b, gold={"preference": "B", "tone": "A"})
    (found,) = reference.verification([pair])
    assert found.references == ("y",)


def test_without_a_winner_there_is_no_set() -> None:
    with pytest.raises(DataError, match="no answer is clearly preferred"):
        reference.verification([PAIR], judgments=votes("A", "B"))


def test_pandalm_s_annotators_give_references(corpus: Callable[[str], Path]) -> None:
    done = reference.verification(corpus("pandalm"))
    assert all(isinstance(one, Continuation) for one in done)
    assert len(done) == 269
    assert done.left_out["a side is not one turn of the assistant"] == 54


@pytest.mark.slow("cuts 2,156 dialogues")
def test_topical_chat_gives_two_turns_a_dialogue(corpus: Callable[[str], Path]) -> None:
    held = simulate.HeldTurns("any", (6, 8))
    done = simulate.candidates(corpus("topical-chat"), no_random=True, held=held, quiet=True)
    assert len(done) == 2 * 2156
    assert {len(one.context) for one in done} == {5, 7}
    assert {one.context[-1].role for one in done} == {"user"}
