from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.formats.conftest import lines, only_record, records_as
from tests.formats.logs.conftest import ROWS

from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.base.errors import ConfigError, DataError
from assize.formats import write
from assize.formats.format import Format
from assize.formats.logs.training import HH_RLHF, SHAREGPT, SHAREGPT_PAIRS, TRL, read_transcript
from assize.formats.rows import Sample

HI = {"from": "human", "value": "hi"}
ROW: dict[str, Any] = {
    "id": "w1",
    "conversations": [{"from": "human", "value": "Hi"}],
    "chosen": {"from": "gpt", "value": "Hello!"},
    "rejected": {"from": "gpt", "value": "Go away."},
}


def test_roles_are_written_under_the_format_s_own_names(tmp_path: Path) -> None:
    turns = tuple(Turn(role, "x") for role in ("system", "user", "assistant", "tool"))
    write(tmp_path / "x", [Conversation("c", turns)], format="sharegpt")
    said = json.loads((tmp_path / "x").read_text())["conversations"]
    assert [one["from"] for one in said] == ["system", "human", "gpt", "tool"]


USER, GOOD, BAD = (
    {"role": role, "content": text}
    for role, text in (("user", "Hi"), ("assistant", "Hello"), ("assistant", "Go"))
)


HELD = ROWS["sharegpt"]


@pytest.mark.parametrize(
    ("row", "roles", "system"),
    [
        (HELD, ["user", "assistant", "assistant", "tool", "assistant"], None),
        ({"conversations": [HI], "system": "S"}, ["system", "user"], None),
        ({"conversations": [HI], "system": ""}, ["user"], None),
        ({"conversations": [HI], "model": "vicuna"}, ["user"], "vicuna"),
    ],
)
def test_every_speaker_has_a_role_and_the_model_is_the_system(
    row: dict[str, Any], roles: list[str], system: str | None, tmp_path: Path
) -> None:
    found = only_record(lines(tmp_path / "x.jsonl", row))
    assert [turn.role for turn in found.turns] == roles
    assert found.system == system
    assert "model" not in found.extra


@pytest.mark.parametrize(
    ("format", "row", "expected"),
    [
        (SHAREGPT, {"conversations": [HI]}, True),
        (SHAREGPT, {"conversations": [{"from": "human"}]}, False),
        (SHAREGPT, {"conversations": []}, False),
        (SHAREGPT, {"conversations": "text"}, False),
        *(
            (SHAREGPT_PAIRS, ROW | {"rejected": side}, False)
            for side in ("Hello!", [ROW["chosen"]], {"from": "gpt"}, None)
        ),
        (TRL, ROWS["hh-rlhf"], False),
        (TRL, {"chosen": "a", "rejected": "b", "turns": []}, False),
        (TRL, {"chosen": "a", "rejected": None}, False),
        (TRL, {"chosen": "a"}, False),
        *(
            (HH_RLHF, {"chosen": text, "rejected": text}, expected)
            for text, expected in (
                ("\n\nHuman: Hi", True),
                ("Assistant: Hi", True),
                ("Hi\n\nHuman: Hi", False),
                ("Humane: Hi", False),
                (None, False),
            )
        ),
    ],
)
def test_each_is_recognised_by_its_own_fields(format: Format, row: Any, expected: bool) -> None:
    assert format.recognise(Sample("json", (row,), "x")) is expected


SIDES = {"prompt": "x", "rejected": "b"}


@pytest.mark.parametrize(
    ("format", "row", "problem"),
    [
        *(
            ("sharegpt", {"conversations": said}, rf"conversations\[{problem}")
            for said, problem in (
                ([{"from": "gpt", "value": None}], r"0\]\.value: received None"),
                ([HI, {"from": "wizard", "value": "x"}], r"1\]\.role: received 'wizard'"),
                ([HI, 7], r"1\]: received 7"),
            )
        ),
        *(
            ("sharegpt-pairs", ROW | change, problem)
            for change, problem in (
                (
                    {"conversations": []},
                    r"conversations: received \[\]; expected a list of messages",
                ),
                (
                    {"rejected": "Go away."},
                    "rejected: received 'Go away.'; expected an object",
                ),
                ({"chosen": {"from": "gpt", "value": 3}}, r"chosen\[0\]\.value: received 3"),
            )
        ),
        ("trl", SIDES | {"chosen": []}, r"chosen: received \[\]; expected a list of messages"),
        ("trl", SIDES | {"chosen": 7}, "chosen: received 7; expected text or a list of messages"),
        ("trl", SIDES | {"chosen": [{"role": "user"}]}, r"chosen\[0\]\.content: is missing"),
        *(
            ("prompt-completion", {"prompt": "Hi", "completion": completion}, problem)
            for completion, problem in (
                (
                    [{"role": "user", "content": "x"}],
                    "completion: received what user said; expected one",
                ),
                (
                    [{"role": "assistant", "content": "x"}] * 2,
                    "completion: received what assistant and assistant said",
                ),
                (5, "completion: received 5; expected text or a list of messages"),
            )
        ),
    ],
)
def test_a_bad_message_is_named_by_its_place(
    format: str, row: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=rf"x\.jsonl:1: {problem}"):
        only_record(lines(tmp_path / "x.jsonl", row), format=format)


TALK = Conversation("c", (Turn("user", "x"),))


PAIR = Pair("p", (), (Turn("user", "a"),), (Turn("user", "b"),))


@pytest.mark.parametrize(
    ("format", "record", "error", "problem"),
    [
        ("openai", PAIR, DataError, "received a pair; openai holds conversations"),
        ("sharegpt", PAIR, DataError, "received a pair; sharegpt holds conversations"),
        ("sharegpt-pairs", PAIR, ConfigError, "sharegpt-pairs can be read but not written"),
        ("trl", TALK, DataError, "received a conversation; trl holds pairs"),
        ("prompt-completion", TALK, DataError, "holds continuations"),
        (
            "prompt-completion",
            Continuation("k", (), "x", ("y",)),
            DataError,
            "there is no context",
        ),
        (
            "prompt-completion",
            Continuation("k", TALK.turns, "x", (" ",)),
            DataError,
            "there is no reference",
        ),
    ],
)
def test_what_a_format_does_not_hold_is_refused(
    format: str, record: Any, error: type[Exception], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=problem):
        write(tmp_path / "x", [record], format=format)


def test_the_chosen_message_is_a_and_gold(tmp_path: Path) -> None:
    row = ROW | {"metadata": {"lang": "en"}, "margin": 2, "source": "web"}
    assert records_as("sharegpt-pairs", tmp_path / "x.jsonl", row) == [
        Pair(
            "w1",
            (Turn("user", "Hi"),),
            (Turn("assistant", "Hello!"),),
            (Turn("assistant", "Go away."),),
            gold="A",
            metadata={"lang": "en", "source": "web"},
            extra={"margin": 2},
        )
    ]


@pytest.mark.parametrize(
    "row",
    [
        {"prompt": "Hi", "chosen": "Hello", "rejected": "Go"},
        {"prompt": [USER], "chosen": [GOOD], "rejected": [BAD]},
        {"chosen": [USER, GOOD], "rejected": [USER, BAD]},
        {"prompt": "Hi", "prompt_id": "x", "chosen": [USER, GOOD], "rejected": [USER, BAD]},
        {"prompt": "Hi", "chosen": [GOOD], "rejected": "Go"},
    ],
    ids=["texts", "messages", "implicit", "repeated", "mixed"],
)
def test_trl_prompts_in_all_their_forms(row: dict[str, Any], tmp_path: Path) -> None:
    pair = only_record(lines(tmp_path / "x.jsonl", row))
    assert (pair.context, pair.a, pair.b, pair.gold) == (
        (Turn("user", "Hi"),),
        (Turn("assistant", "Hello"),),
        (Turn("assistant", "Go"),),
        "A",
    )


@pytest.mark.parametrize("name", ["id", "prompt_id"])
def test_an_id_goes_by_either_name(name: str, tmp_path: Path) -> None:
    row = {name: "t7", "chosen": "a", "rejected": "b"}
    assert only_record(lines(tmp_path / "x.jsonl", row)).id == "t7"


def test_hh_transcripts_share_their_beginning_and_chosen_is_a(tmp_path: Path) -> None:
    pair = only_record(lines(tmp_path / "x.jsonl", ROWS["hh-rlhf"]))
    assert [turn.text for turn in pair.context] == ["Hi", "Hello\n\nmore", "And?"]
    assert ([turn.text for turn in pair.a], [turn.text for turn in pair.b]) == (["Yes."], [" No."])
    assert pair.gold == "A"


def test_two_equal_transcripts_keep_a_response_on_each_side(tmp_path: Path) -> None:
    text = "\n\nHuman: Hi\n\nAssistant: Hello"
    pair = only_record(lines(tmp_path / "x.jsonl", {"chosen": text, "rejected": text}))
    assert (len(pair.context), len(pair.a), len(pair.b)) == (1, 1, 1)


def test_a_speaker_inside_a_line_begins_no_turn() -> None:
    assert read_transcript("Human: Say Assistant: or\nHuman: so", "chosen") == (
        Turn("user", "Say Assistant: or\nHuman: so"),
    )


@pytest.mark.parametrize("text", ["Hello", "Well.\n\nHuman: Hi"])
def test_what_begins_with_no_speaker_is_an_error_that_names_the_side(text: str) -> None:
    with pytest.raises(DataError, match=r"chosen: received .* a transcript begins with `Human:`"):
        read_transcript(text, "chosen")


ONE = Continuation("c/3", (Turn("system", "Be kind"), Turn("user", "Hi")), "", ("Yes?",), "c", 2)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    write(tmp_path / "x.jsonl", [ONE], format="prompt-completion")
    assert records_as("prompt-completion", tmp_path / "x.jsonl") == [ONE]


def test_texts_are_a_user_s_and_an_assistant_s_turn(tmp_path: Path) -> None:
    row = {"prompt": "Hi", "completion": "Yes?", "topic": "t"}
    (found,) = records_as("prompt-completion", tmp_path / "x.jsonl", row)
    expected = Continuation("x-1", (Turn("user", "Hi"),), "", ("Yes?",), extra={"topic": "t"})
    assert replace(found, turn=None) == expected
    assert records_as("trl", tmp_path / "y.jsonl", row | {"chosen": "a", "rejected": "b"})
