from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.formats.conftest import lines, records_as, turn_texts

from assize import reference
from assize.base.conversation import Pair
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.formats import read


def split(path: Path, *rows: dict[str, Any]) -> tuple[list[Pair], list[Judgment]]:
    """The pairs of a file of these rows, and the votes on them."""
    found = records_as("arena", path / "a.jsonl", *rows)
    return (
        [one for one in found if isinstance(one, Pair)],
        [one for one in found if isinstance(one, Judgment)],
    )


def chat(*texts: str) -> list[dict[str, str]]:
    return [
        {"role": "assistant" if n % 2 else "user", "content": text} for n, text in enumerate(texts)
    ]


def row(a: str = "Four.", b: str = "Five.", winner: Any = "model_a", **more: Any) -> dict[str, Any]:
    return {
        "question_id": "q1",
        "model_a": "m1",
        "model_b": "m2",
        "winner": winner,
        "judge": "u1",
        "turn": 1,
        "conversation_a": chat("2+2?", a),
        "conversation_b": chat("2+2?", b),
        "language": "English",
    } | more


def test_a_row_is_a_pair_and_a_vote(tmp_path: Path) -> None:
    (pair,), (vote,) = split(tmp_path, row())
    assert turn_texts(pair) == ["2+2?", "Four.", "Five."]
    assert pair.metadata == {
        "question_id": "q1",
        "model_a": "m1",
        "model_b": "m2",
        "language": "English",
    }
    assert (vote.item, vote.judge, vote.answer, vote.kind) == (pair.id, "u1", "A", "person")


def test_several_votes_on_a_pair_are_told_apart(tmp_path: Path) -> None:
    rows = [row(), row(judge="u2", winner="tie"), row(), row(b="Six.", judge="u2")]
    (first, second), votes = split(tmp_path, *rows)
    assert [(one.item, one.judge, one.repeat) for one in votes] == [
        (first.id, "u1", 0),
        (first.id, "u2", 0),
        (first.id, "u1", 1),
        (second.id, "u2", 0),
    ]


def test_what_comes_after_the_judged_turn_is_left_out(tmp_path: Path) -> None:
    long: dict[str, Any] = {
        "conversation_a": chat("Hi", "Yo", "So?", "No"),
        "conversation_b": chat("Hi", "Oh", "So?", "Ah"),
    }
    pairs, _ = split(tmp_path, row(**long), row(**long, turn=2))
    assert [(len(one.context), len(one.a), len(one.b)) for one in pairs] == [(1, 1, 1), (1, 3, 3)]


def test_a_judge_is_a_person_a_program_or_nobody_known(tmp_path: Path) -> None:
    rows = [
        row(judge=["gpt-4", "pair-v2"]),
        row(judge="gpt4_pair", winner="tie (inconsistent)"),
        row(judge=None, winner="tie (bothbad)"),
        row(judge="expert_3"),
    ]
    _, votes = split(tmp_path, *rows)
    assert [(one.judge, one.kind, one.anonymous, one.answer, one.details) for one in votes] == [
        ("gpt-4/pair-v2", "model", False, "A", None),
        ("gpt4_pair", "model", False, "tie", {"winner": "tie (inconsistent)"}),
        ("arena", "person", True, "tie", {"winner": "tie (bothbad)"}),
        ("expert_3", "person", False, "A", None),
    ]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"winner": "model_c"}, "winner: received 'model_c'; allowed are model_a, model_b, tie"),
        ({"winner": ["x"]}, "winner: received"),
        ({"conversation_b": "Hi"}, "conversation_b: received 'Hi'"),
    ],
)
def test_a_bad_row_is_an_error_with_its_field(
    change: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=problem):
        list(read(lines(tmp_path / "a.jsonl", row(**change)), format="arena"))


def test_an_arena_becomes_a_verification_set(tmp_path: Path) -> None:
    rows = [
        row(),
        row(judge="u2"),
        row(judge="u3", winner="model_b"),
        row(b="Six.", model_b="m3"),
        row(judge=["gpt-4"], winner="model_b"),
    ]
    done = reference.verification(lines(tmp_path / "a.jsonl", *rows))
    assert [(one.references, one.candidate, one.source) for one in done] == [
        (("Four.",), "Five.", "m2"),
        (("Four.",), "Six.", "m3"),
    ]
    assert done.items[0].metadata["reference_votes"] == [3, 1]


def test_the_second_turn_of_two_models_is_asked_by_one_user(tmp_path: Path) -> None:
    sides = [chat("2+2?", first, "Sure?", second) for first, second in (("4", "Yes"), ("5", "No"))]
    held: dict[str, Any] = {"conversation_a": sides[0], "conversation_b": sides[1]}
    other = {**held, "conversation_b": chat("2+2?", "5", "Really?", "No")}
    pairs, _ = split(tmp_path, row(**held), row(turn=2, **held), row(turn=2, **other))
    assert [(len(one.a), one.shared_user) for one in pairs] == [(1, False), (3, True), (3, False)]


def test_an_arena_row_holds_the_number_of_rounds_where_mt_bench_holds_a_turn(
    tmp_path: Path,
) -> None:
    """In chatbot_arena_conversations `turn` counts the user's turns, so the whole is judged."""
    given = row(
        turn=2,
        judge="arena_user_7",
        conversation_a=chat("2+2?", "4", "Sure?", "Yes"),
        conversation_b=chat("2+2?", "5", "Sure?", "Yes"),
        anony=True,
        tstamp=1682351591.1,
        toxic_chat_tag={"roberta": {}},
    )
    (one,), (vote,) = split(tmp_path, given)
    assert [turn.text for turn in one.a] == ["4", "Sure?", "Yes"]
    assert one.metadata["anony"] is True
    assert (vote.judge, vote.kind, vote.anonymous) == ("arena_user_7", "person", False)


def test_the_release_of_140k_is_read(tmp_path: Path) -> None:
    def parts(text: str) -> list[dict[str, Any]]:
        return [{"type": "text", "text": text, "image": None, "mimeType": None}]

    sides = {
        f"conversation_{side}": [
            {"role": "user", "content": parts("2+2?")},
            {"role": "assistant", "content": parts(said)},
        ]
        for side, said in (("a", "Four."), ("b", "Five."))
    }
    given = {
        "id": "u-1",
        "model_a": "m1",
        "model_b": "m2",
        "winner": "both_bad",
        "evaluation_order": 1,
        "full_conversation": [{}],
        **sides,
    }
    (pair,), (vote,) = split(tmp_path, given)
    assert turn_texts(pair) == ["2+2?", "Four.", "Five."]
    assert (vote.answer, vote.details, vote.anonymous) == ("tie", {"winner": "both_bad"}, True)
    assert pair.id.startswith("u-1-")
    assert "full_conversation" not in pair.metadata
