"""What the chat-log formats share: recognised from content, written back as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.conversation import Conversation, Pair, Turn
from assize.errors import DataError
from assize.formats import read, write
from assize.formats.messages import ROLE_ALIASES
from assize.formats.reading import open_records

TOOL_CALL = {"id": "call_1", "type": "function", "function": {"name": "now", "arguments": "{}"}}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}

# One row of each format as it is found in the wild.
ROWS: dict[str, dict[str, Any]] = {
    "openai": {
        "id": "chatcmpl-1",
        "model": "gpt-4o",
        "messages": [
            {"role": "developer", "content": "Answer briefly."},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "What is"},
                    IMAGE,
                    {"type": "text", "text": "this?"},
                ],
                "name": "ada",
            },
            {"role": "assistant", "content": None, "tool_calls": [TOOL_CALL]},
            {"role": "tool", "content": "noon", "tool_call_id": "call_1"},
            {"role": "function", "content": "noon", "name": "now"},
            {"role": "assistant", "tool_calls": [TOOL_CALL]},
            {"role": "assistant", "content": "It is noon."},
        ],
        "metadata": {"team": "a"},
        "tools": [{"type": "function"}],
        "temperature": 0.2,
    },
    "sharegpt": {
        "id": "s1",
        "conversations": [
            {"from": "human", "value": "Hi", "weight": 0},
            {"from": "gpt", "value": "Hello!"},
            {"from": "function_call", "value": "{}"},
            {"from": "observation", "value": "42"},
            {"from": "chatgpt", "value": "42."},
        ],
        "source": "web",
        "tools": "[]",
    },
    "hh-rlhf": {
        "id": "h1",
        "chosen": "\n\nHuman: Hi\n\nAssistant: Hello\n\nmore\n\nHuman: And?\n\nAssistant: Yes.",
        "rejected": "\n\nHuman: Hi\n\nAssistant: Hello\n\nmore\n\nHuman: And?\n\nAssistant:  No.",
    },
    "trl": {
        "id": "t1",
        "prompt": [{"role": "user", "content": "Hi"}],
        "chosen": [{"role": "assistant", "content": "Hello!"}],
        "rejected": [{"role": "assistant", "content": "Go away."}],
        "score_chosen": 9.5,
    },
}


def lines(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


@pytest.mark.parametrize("name", ROWS)
def test_a_row_is_recognised_and_written_back_as_it_was(name: str, tmp_path: Path) -> None:
    row = ROWS[name]
    with open_records(lines(tmp_path / "in.jsonl", row)) as opened:
        assert opened.format.name == name
        records = [record for _, record in opened.records]
    write(tmp_path / "out.jsonl", records, format=name)
    written = json.loads((tmp_path / "out.jsonl").read_text())
    metadata = written.pop("metadata", {})
    # A field with the name of one of ours is kept in the metadata.
    assert written | ({} if "metadata" in row else metadata) | {
        "metadata": row.get("metadata")
    } == (row | {"metadata": row.get("metadata")})
    assert list(read(tmp_path / "out.jsonl")) == records


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("container", ["jsonl", "parquet"])
def test_a_row_survives_assizes_own_containers(name: str, container: str, tmp_path: Path) -> None:
    records = list(read(lines(tmp_path / "in.jsonl", ROWS[name])))
    write(tmp_path / f"own.{container}", records)
    assert list(read(tmp_path / f"own.{container}")) == records


def test_openai_parts_null_and_roles(tmp_path: Path) -> None:
    (conversation,) = read(lines(tmp_path / "x.jsonl", ROWS["openai"]))
    assert isinstance(conversation, Conversation)
    assert [(turn.role, turn.text) for turn in conversation.turns] == [
        ("system", "Answer briefly."),
        ("user", "What is\nthis?"),
        ("assistant", ""),
        ("tool", "noon"),
        ("tool", "noon"),
        ("assistant", ""),
        ("assistant", "It is noon."),
    ]
    assert conversation.system == "gpt-4o"
    assert conversation.turns[1].extra["content"][1] == IMAGE
    assert conversation.turns[2].extra["tool_calls"] == [TOOL_CALL]


def test_an_id_is_made_of_file_and_line(tmp_path: Path) -> None:
    row = {"messages": [{"role": "user", "content": "hi"}]}
    path = lines(tmp_path / "day.v2.jsonl", row, row)
    assert [record.id for record in read(path)] == ["day-1", "day-2"]  # type: ignore[union-attr]


def test_a_file_that_is_one_list_of_messages_is_one_conversation(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]
    (tmp_path / "a.json").write_text(json.dumps(said, indent=1))
    lines(tmp_path / "b.jsonl", *said)
    for name in ("a.json", "b.jsonl"):
        (conversation,) = read(tmp_path / name)
        assert isinstance(conversation, Conversation)
        assert [turn.text for turn in conversation.turns] == ["hi", "ho"]


def test_a_system_prompt_beside_the_messages_is_the_first_turn(tmp_path: Path) -> None:
    said = {
        "messages": [{"role": "user", "content": "hi"}],
        "system": [{"type": "text", "text": "S"}],
    }
    talk = {"conversations": [{"from": "human", "value": "hi"}], "system": "S"}
    for row in (said, talk):
        (conversation,) = read(lines(tmp_path / "x.jsonl", row))
        assert isinstance(conversation, Conversation)
        assert [(turn.role, turn.text) for turn in conversation.turns] == [
            ("system", "S"),
            ("user", "hi"),
        ]


def test_hh_transcripts_share_their_beginning_and_chosen_is_a(tmp_path: Path) -> None:
    (pair,) = read(lines(tmp_path / "x.jsonl", ROWS["hh-rlhf"]))
    assert isinstance(pair, Pair)
    assert [turn.text for turn in pair.context] == ["Hi", "Hello\n\nmore", "And?"]
    assert ([turn.text for turn in pair.a], [turn.text for turn in pair.b]) == (["Yes."], [" No."])
    assert pair.gold == "A"


def test_two_equal_transcripts_keep_a_response_on_each_side(tmp_path: Path) -> None:
    text = "\n\nHuman: Hi\n\nAssistant: Hello"
    (pair,) = read(lines(tmp_path / "x.jsonl", {"chosen": text, "rejected": text}))
    assert isinstance(pair, Pair)
    assert (len(pair.context), len(pair.a), len(pair.b)) == (1, 1, 1)


USER, GOOD, BAD = (
    {"role": role, "content": text}
    for role, text in (("user", "Hi"), ("assistant", "Hello"), ("assistant", "Go"))
)


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
    (pair,) = read(lines(tmp_path / "x.jsonl", row))
    assert isinstance(pair, Pair)
    assert (pair.context, pair.a, pair.b, pair.gold) == (
        (Turn("user", "Hi"),),
        (Turn("assistant", "Hello"),),
        (Turn("assistant", "Go"),),
        "A",
    )


@pytest.mark.parametrize("name", ["hh-rlhf", "trl"])
def test_the_preferred_side_is_written_as_chosen(name: str, tmp_path: Path) -> None:
    a, b = (Turn("assistant", "a"),), (Turn("assistant", "b"),)
    write(tmp_path / "x", [Pair("p", (Turn("user", "q"),), a, b, gold="B")], format=name)
    assert "b" in str(json.loads((tmp_path / "x").read_text())["chosen"])
    for gold in (None, "tie", {"overall": "A"}):
        with pytest.raises(
            DataError, match=r"gold: received .* can only say that A or B is better"
        ):
            write(tmp_path / "x", [Pair("p", (), a, b, gold=gold)], format=name)


def test_a_transcript_refuses_what_it_would_not_give_back(tmp_path: Path) -> None:
    turns = (Turn("assistant", "He said:\n\nHuman: no"),)
    with pytest.raises(DataError, match="begins like a speaker"):
        write(tmp_path / "x", [Pair("p", (), turns, turns, gold="A")], format="hh-rlhf")
    turns = (Turn("tool", "x"),)
    with pytest.raises(DataError, match="received 'tool'; hh-rlhf holds only assistant, user"):
        write(tmp_path / "x", [Pair("p", (), turns, turns, gold="A")], format="hh-rlhf")


LMSYS = {
    "conversation_id": "abc",
    "model": "vicuna-13b",
    "conversation": [{"content": "Hi", "role": "user"}, {"content": "Hello", "role": "assistant"}],
    "turn": 1,
    "language": "English",
    "openai_moderation": [{"flagged": False}],
    "redacted": False,
}
WILDCHAT = {
    "conversation_hash": "f00",
    "model": "gpt-4",
    "conversation": [
        {"content": "Hi", "role": "user", "country": "Spain", "turn_identifier": 7, "toxic": None},
        {"content": "Hello", "role": "assistant", "country": None, "turn_identifier": 7},
    ],
    "turn": 1,
    "language": "English",
    "toxic": False,
}


@pytest.mark.parametrize("container", ["jsonl", "parquet"])
@pytest.mark.parametrize(
    ("name", "row", "id"), [("lmsys", LMSYS, "abc"), ("wildchat", WILDCHAT, "f00")]
)
def test_published_chats_are_read_from_both_containers(
    name: str, row: dict[str, Any], id: str, container: str, tmp_path: Path
) -> None:
    import datetime

    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / f"train-00000.{container}"
    if container == "jsonl":
        lines(path, row | {"timestamp": "2023-04-09T00:02:53+00:00"})
    else:
        at = datetime.datetime(2023, 4, 9, 0, 2, 53, tzinfo=datetime.UTC)
        pq.write_table(pa.Table.from_pylist([row | {"timestamp": at}]), path)
    with open_records(path) as opened:
        assert opened.format.name == name
        ((_, conversation),) = opened.records
    assert isinstance(conversation, Conversation)
    assert (conversation.id, conversation.system) == (id, row["model"])
    assert [(turn.role, turn.text) for turn in conversation.turns] == [
        ("user", "Hi"),
        ("assistant", "Hello"),
    ]
    assert conversation.metadata["language"] == "English"
    assert conversation.metadata["timestamp"] == "2023-04-09T00:02:53+00:00"
    if name == "wildchat":
        assert conversation.turns[0].extra == {"country": "Spain", "turn_identifier": 7}


BAD_ROWS: list[tuple[dict[str, Any], str]] = [
    ({"messages": [{"role": "wizard", "content": "x"}]}, r"messages\[0\]\.role: received 'wizard'"),
    ({"messages": [{"role": "user", "content": 3}]}, r"messages\[0\]\.content: received 3"),
    (
        {"messages": [{"role": "user", "content": "x"}, {"role": "user"}]},
        r"messages\[1\]\.content: is missing",
    ),
    ({"messages": [{"role": "user", "content": "x"}, 7]}, r"messages\[1\]: received 7"),
    (
        {"conversations": [{"from": "gpt", "value": None}]},
        r"conversations\[0\]\.value: received None",
    ),
    ({"prompt": "x", "chosen": [], "rejected": "b"}, "chosen: received "),
]


@pytest.mark.parametrize(("row", "message"), BAD_ROWS)
def test_a_bad_message_is_named_by_its_place(
    row: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=rf"x\.jsonl:1: {message}"):
        list(read(lines(tmp_path / "x.jsonl", row)))


def test_names_of_roles_are_read_in_any_case() -> None:
    from assize.formats.messages import role

    assert {role(name.upper(), "role") for name in ROLE_ALIASES} == {
        "user",
        "assistant",
        "system",
        "tool",
    }
