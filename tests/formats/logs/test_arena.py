from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize import reference
from assize.base.conversation import Pair
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.formats import read
from assize.formats.reading import iter_records, recognise
from assize.formats.rows import open_rows


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


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return path


def split(path: Path) -> tuple[list[Pair], list[Judgment]]:
    found = list(iter_records(path))
    return (
        [one for one in found if isinstance(one, Pair)],
        [one for one in found if isinstance(one, Judgment)],
    )


def test_a_row_is_a_pair_and_a_vote(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", row())
    with open_rows(path) as (sample, _):
        assert recognise(sample).name == "arena"
    (pair,), (vote,) = split(path)
    assert [turn.text for turn in (*pair.context, *pair.a, *pair.b)] == ["2+2?", "Four.", "Five."]
    assert pair.metadata == {
        "question_id": "q1",
        "model_a": "m1",
        "model_b": "m2",
        "language": "English",
    }
    assert (vote.item, vote.judge, vote.answer, vote.kind) == (pair.id, "u1", "A", "person")


def test_several_votes_on_a_pair_are_told_apart(tmp_path: Path) -> None:
    rows = [row(), row(judge="u2", winner="tie"), row(), row(b="Six.", judge="u2")]
    pairs, votes = split(written(tmp_path / "a.jsonl", *rows))
    assert len(pairs) == 2
    assert [(one.judge, one.repeat) for one in votes] == [
        ("u1", 0),
        ("u2", 0),
        ("u1", 1),
        ("u2", 0),
    ]
    assert votes[0].item == votes[2].item != votes[3].item


def test_what_comes_after_the_judged_turn_is_left_out(tmp_path: Path) -> None:
    long: dict[str, Any] = {
        "conversation_a": chat("Hi", "Yo", "So?", "No"),
        "conversation_b": chat("Hi", "Oh", "So?", "Ah"),
    }
    first, second = split(written(tmp_path / "a.jsonl", row(**long), row(**long, turn=2)))[0]
    assert [len(side) for side in (first.context, first.a, first.b)] == [1, 1, 1]
    assert [len(side) for side in (second.context, second.a, second.b)] == [1, 3, 3]


def test_a_judge_that_is_a_list_is_a_program_and_one_that_is_missing_nobody_known(
    tmp_path: Path,
) -> None:
    rows = [row(judge=["gpt-4", "pair-v2"]), row(judge=None, winner="tie (bothbad)")]
    _, (program, nobody) = split(written(tmp_path / "a.jsonl", *rows))
    assert (program.judge, program.kind) == ("gpt-4/pair-v2", "model")
    assert (nobody.judge, nobody.anonymous, nobody.answer) == ("arena", True, "tie")
    assert nobody.details == {"winner": "tie (bothbad)"}


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
    with pytest.raises(DataError) as caught:
        list(read(written(tmp_path / "a.jsonl", row(**change)), format="arena"))
    assert problem in str(caught.value)


def test_an_arena_becomes_a_verification_set(tmp_path: Path) -> None:
    rows = [
        row(),
        row(judge="u2"),
        row(judge="u3", winner="model_b"),
        row(b="Six.", model_b="m3"),
        row(judge=["gpt-4"], winner="model_b"),
    ]
    done = reference.verification(written(tmp_path / "a.jsonl", *rows))
    assert [(one.references, one.candidate, one.source) for one in done] == [
        (("Four.",), "Five.", "m2"),
        (("Four.",), "Six.", "m3"),
    ]
    assert done.items[0].metadata["reference_votes"] == [3, 1]


def test_a_verdict_that_changed_with_the_order_is_a_tie_by_a_program(tmp_path: Path) -> None:
    rows = [row(judge="gpt4_pair", winner="tie (inconsistent)"), row(judge="expert_3")]
    _, (program, person) = split(written(tmp_path / "a.jsonl", *rows))
    assert (program.judge, program.kind, program.answer) == ("gpt4_pair", "model", "tie")
    assert program.details == {"winner": "tie (inconsistent)"}
    assert (person.kind, person.anonymous) == ("person", False)


def test_the_second_turn_of_two_models_is_asked_by_one_user(tmp_path: Path) -> None:
    sides = [chat("2+2?", first, "Sure?", second) for first, second in (("4", "Yes"), ("5", "No"))]
    held: dict[str, Any] = {"conversation_a": sides[0], "conversation_b": sides[1]}
    other = {**held, "conversation_b": chat("2+2?", "5", "Really?", "No")}
    rows = [row(turn=turn, **given) for turn, given in ((1, held), (2, held), (2, other))]
    (short, whole, apart), _ = split(written(tmp_path / "a.jsonl", *rows))
    assert [len(one.a) for one in (short, whole, apart)] == [1, 3, 3]
    assert [one.shared_user for one in (short, whole, apart)] == [False, True, False]


def test_an_arena_row_holds_the_number_of_rounds_where_mt_bench_holds_a_turn(
    tmp_path: Path,
) -> None:
    """In chatbot_arena_conversations `turn` counts the user's turns, so the whole is judged."""
    sides = [chat("2+2?", first, "Sure?", "Yes") for first in ("4", "5")]
    given = row(
        turn=2,
        judge="arena_user_7",
        conversation_a=sides[0],
        conversation_b=sides[1],
        anony=True,
        tstamp=1682351591.1,
        toxic_chat_tag={"roberta": {}},
    )
    (one,), (vote,) = split(written(tmp_path / "a.jsonl", given))
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
    (pair,), (vote,) = split(written(tmp_path / "a.jsonl", given))
    assert [turn.text for turn in (*pair.context, *pair.a, *pair.b)] == ["2+2?", "Four.", "Five."]
    assert (vote.answer, vote.details, vote.anonymous) == ("tie", {"winner": "both_bad"}, True)
    assert pair.id.startswith("u-1-")
    assert "full_conversation" not in pair.metadata
