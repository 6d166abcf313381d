"""A table with one turn a row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.formats.conftest import lines, only_record, records_as, turn_texts, write_text

from assize.base.conversation import Conversation, Reference, Turn
from assize.base.errors import DataError
from assize.formats import Reject, write
from assize.formats.reading import iter_records

TABLE = """dialog_id,Turn Index,speaker,utterance,mood
7,2,bot,ho,
7,1,human,hi,calm
8,1,User,=1+1,
"""


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_columns_go_by_several_names_and_turns_by_their_numbers(
    delimiter: str, tmp_path: Path
) -> None:
    path = write_text(tmp_path / "x.csv", TABLE.replace(",", delimiter))
    first, second = records_as("turns-csv", path)
    assert [(turn.role, turn.text) for turn in first.turns] == [("user", "hi"), ("assistant", "ho")]
    assert first.turns[0].extra["mood"] == "calm"
    assert (second.id, turn_texts(second)) == ("8", ["=1+1"])


def test_a_table_without_a_conversation_column_is_one_conversation(tmp_path: Path) -> None:
    talk = write_text(tmp_path / "talk.csv", "role,text\nuser,hi\nassistant,ho\n")
    conversation = only_record(talk)
    assert (conversation.id, turn_texts(conversation)) == ("talk-1", ["hi", "ho"])


def test_json_lines_with_the_same_columns_are_read(tmp_path: Path) -> None:
    rows = [{"conversation_id": "a", "role": "user", "content": text} for text in ("x", "y")]
    assert turn_texts(only_record(lines(tmp_path / "x.jsonl", *rows))) == ["x", "y"]


def test_rows_of_a_conversation_may_stand_apart_and_one_without_parts_none(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(
        "chat_id,role,text,lang\na,user,1,en\nb,user,2,de\n,user,0,en\na,bot,3,en\n"
    )
    rejects: list[Reject] = []
    found: Any = list(iter_records(tmp_path / "x.csv", on_reject=rejects.append))
    assert {one.id: turn_texts(one) for one in found} == {"a": ["1", "3"], "b": ["2"]}
    assert found[0].metadata == {"lang": "en"}
    assert [one.line for one in rejects] == [4]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a,0,wizard,x\n", ":2: role: received 'wizard'"),
        ("a,0,user,x\na,1,wizard,y\n", ":3: role: received 'wizard'"),
        ("a,0,user,x\na,,user,y\n", ":3: turn is empty or missing"),
        (",0,user,x\n", ":2: conversation: received ''"),
    ],
)
def test_a_bad_row_is_named_by_its_line(rows: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("conversation,turn,role,text\n" + rows)
    with pytest.raises(DataError, match=message):
        list(iter_records(tmp_path / "x.csv"))


def test_a_conversation_comes_back_as_it_was(tmp_path: Path) -> None:
    reference = Reference("1", "T", "said", {"url": "u"})
    turns = (
        Turn("system", "'=quoted"),
        Turn("user", '-1 "two"\r\nlines, and\ta tab', (reference,), {"mood": "calm"}),
        Turn("assistant", ""),
    )
    records = [
        Conversation("=c", turns, "bot", {"a": [1]}, {"b": None}),
        Conversation("d", (Turn("tool", "42"),)),
    ]
    write(tmp_path / "x.csv", records, format="turns-csv")
    assert list(iter_records(tmp_path / "x.csv")) == records


def test_what_no_cell_holds_is_refused_before_a_row_is_written(tmp_path: Path) -> None:
    turns = (Turn("user", "fine"), Turn("assistant", "\0"))
    with pytest.raises(DataError, match=r"received a NUL.*write \.jsonl"):
        write(tmp_path / "x.csv", [Conversation("c", turns)], format="turns-csv")
    assert "fine" not in (tmp_path / "x.csv.part").read_text()


def test_own_columns_may_hold_json(tmp_path: Path) -> None:
    row = {"conversation": "c", "turn": 1, "role": "user", "text": "x", "system": None}
    more = {"metadata": {"a": 1}, "extra": None, "message": None}
    found = only_record(lines(tmp_path / "x.jsonl", row | more), format="turns-csv")
    assert found == Conversation("c", (Turn("user", "x"),), metadata={"a": 1})
