from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assize import Continuation, Conversation, Judgment, Pair, Turn, read, reference, write
from assize.base.errors import ConfigError, DataError


def chat(id: str, *texts: str, system: str | None = None) -> Conversation:
    turns = [Turn("assistant" if n % 2 else "user", text) for n, text in enumerate(texts)]
    return Conversation(id, tuple(turns), system=system)


CHATS = [chat("c", "Hi", "Yes?", "Help", "How?"), chat("d", "Hey", "Hello.")]


def test_conversations_are_cut_and_written(tmp_path: Path) -> None:
    done = reference.cut(CHATS, out=tmp_path / "k.jsonl")
    assert [one.id for one in done] == ["c/1", "c/3", "d/1"]
    assert list(read(tmp_path / "k.jsonl")) == list(done.items)
    assert "3 continuations have no candidate yet" in done.notes[0]
    assert [(row.candidates_by, row.continuations) for row in done.sources] == [("(nobody yet)", 3)]


def test_what_a_model_filled_in_comes_back_as_candidates(tmp_path: Path) -> None:
    from dataclasses import replace

    slots = reference.cut(CHATS)
    write(tmp_path / "said.jsonl", [replace(slots.items[1], candidate="So.", source="m")])
    done = reference.cut(CHATS, candidates=tmp_path / "said.jsonl")
    assert [(one.id, one.candidate, one.references) for one in done] == [
        ("c/3/m", "So.", ("How?",))
    ]
    assert done.left_out == {"nobody else spoke in its place": 2}


@pytest.mark.parametrize(
    ("given", "options", "problem"),
    [
        ([Pair("p", (), CHATS[0].turns, CHATS[1].turns)], {}, "no conversation to cut"),
        ([chat("c", "Hi")], {}, "no turn can be held out"),
        (CHATS, {"turns": [9]}, "no conversation is long enough"),
        (CHATS, {"candidates": [chat("x", "Other", "What?")]}, "all turns before must be the same"),
    ],
)
def test_what_cannot_be_cut_is_an_error(given: Any, options: dict[str, Any], problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        reference.cut(given, **options)


@pytest.mark.parametrize(
    "options", [{"speaker": "bot"}, {"turns": [1]}, {"least": 0}, {"turns": "6"}]
)
def test_an_argument_that_fits_nothing_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        reference.cut(CHATS, **options)


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
    (found,) = reference.verification(path)
    assert found.references == ("y",)


def test_the_sixth_and_the_eighth_turn_of_people_s_dialogues_are_references() -> None:
    long, short = chat("l", *"abcdefgh"), chat("s", *"abcde")
    done = reference.verification([long, short])
    assert [(one.references, len(one.context), one.turn) for one in done] == [
        (("f",), 5, 5),
        (("h",), 7, 7),
    ]
    assert done.left_out == {"the conversation ends before": 1}


def test_without_a_winner_there_is_no_set() -> None:
    with pytest.raises(DataError, match="no answer is clearly preferred"):
        reference.verification([PAIR], judgments=votes("A", "B"))


def test_pandalm_s_annotators_give_references(corpus: Callable[[str], Path]) -> None:
    done = reference.verification(corpus("pandalm"))
    assert all(isinstance(one, Continuation) for one in done)
    assert len(done) == 269
    assert done.left_out["a side is not one turn of the assistant"] == 54


@pytest.mark.slow
def test_topical_chat_gives_two_turns_a_dialogue(corpus: Callable[[str], Path]) -> None:
    done = reference.verification(corpus("topical-chat"))
    assert len(done) == 2 * 2156
    assert {len(one.context) for one in done} == {5, 7}
    assert {one.context[-1].role for one in done} == {"user"}
