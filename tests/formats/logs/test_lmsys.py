"""LMSYS-Chat-1M and WildChat, as they are published."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.formats.logs.conftest import lines

from assize.base.conversation import Conversation, Turn
from assize.base.errors import DataError
from assize.formats.logs import lmsys
from assize.formats.reading import iter_records, open_records
from assize.formats.rows import Sample

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


@pytest.mark.parametrize("container", ["jsonl", "parquet"])
def test_fields_that_a_table_has_only_for_other_messages_are_left_out(
    container: str, tmp_path: Path
) -> None:
    path = tmp_path / f"x.{container}"
    if container == "jsonl":
        lines(path, WILDCHAT)
    else:
        pq.write_table(pa.Table.from_pylist([WILDCHAT]), path)
    (conversation,) = iter_records(path)
    assert isinstance(conversation, Conversation)
    assert conversation.turns == (
        Turn("user", "Hi", extra={"country": "Spain", "turn_identifier": 7}),
        Turn("assistant", "Hello", extra={"turn_identifier": 7}),
    )


def test_a_message_without_words_is_an_empty_turn(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": None}]
    (conversation,) = iter_records(lines(tmp_path / "x.jsonl", LMSYS | {"conversation": said}))
    assert isinstance(conversation, Conversation)
    assert [turn.text for turn in conversation.turns] == ["Hi", ""]


def test_the_two_are_told_apart_by_the_name_of_the_id() -> None:
    one, other = (Sample("json", (row,), "x") for row in (LMSYS, WILDCHAT))
    assert (lmsys.LMSYS.recognise(one), lmsys.WILDCHAT.recognise(one)) == (True, False)
    assert (lmsys.LMSYS.recognise(other), lmsys.WILDCHAT.recognise(other)) == (False, True)


def test_a_bad_message_is_named_by_its_place(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "Hi"}, {"role": "wizard", "content": "x"}]
    path = lines(tmp_path / "x.jsonl", LMSYS | {"conversation": said})
    with pytest.raises(DataError, match=r"x\.jsonl:1: conversation\[1\]\.role: .* 'wizard'"):
        list(iter_records(path))
