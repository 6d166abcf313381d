from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from tests.formats.conftest import lines, turn_texts

import assize
from assize.base.errors import DataError

CHAT = {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yo"}]}
CHATS = [CHAT | {"id": "a"}, CHAT | {"id": "b"}]
LOG = [{"log": [{"who": "client", "said": "Hi"}, {"who": "helper", "said": "Yo"}]}]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"conversations": CHATS}, "conversations"),
        ({"status": "ok", "data": {"total": 2, "items": CHATS, "pages": []}}, "data.items"),
        ({"items": CHATS, "errors": [{"code": 1}]}, "items"),
    ],
)
def test_a_list_inside_an_object_is_read_with_a_note(
    value: Any, path: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "x.json").write_text(json.dumps(value, indent=1))
    with caplog.at_level(logging.INFO, "assize"):
        for source in (tmp_path / "x.json", value):
            assert [item.id for item in assize.read(source)] == ["a", "b"]
    assert f"x.json: read the 2 records of its list {path}" in caplog.text


def test_judgments_inside_an_object_are_read() -> None:
    row = {"item": "a", "judge": "j", "question": "q", "answer": "1"}
    assert len(assize.read_judgments({"judgments": [row]})) == 1


def test_a_mapping_speaks_of_the_records(tmp_path: Path) -> None:
    path = lines(tmp_path / "x.json", {"chats": LOG})
    with pytest.raises(DataError, match=r"reads 1 conversation .*role=who,text=said,turns=log"):
        list(assize.read(path))
    roles = "client=user,helper=assistant"
    (item,) = assize.read(path, map="role=who,text=said,turns=log", roles=roles)
    assert turn_texts(item) == ["Hi", "Yo"]


def test_the_list_with_the_conversations_is_named_and_its_fields_are_listed(tmp_path: Path) -> None:
    said = [{"by": {"n": 1}, "parts": [{"html": "Hi"}]}] * 2
    path = lines(tmp_path / "x.json", {"export": {"threads": [{"no": "t", "events": said}]}})
    words = "the records are the list export.threads; give paths within them"
    with pytest.raises(DataError, match=f"{words}; .* no .*events.*parts.*html") as error:
        list(assize.read(path))
    assert "This mapping" not in str(error.value)
    for map in ("turns=export.threads.*.event", "turns=event,id=no"):
        with pytest.raises(DataError, match=words):
            list(assize.read(path, map=map))


def test_two_lists_of_records_and_two_objects_are_refused(tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", {"chats": CHATS}, {"chats": CHATS})
    for source in (path, {"old": CHATS, "new": CHATS}):
        with pytest.raises(DataError, match="format is not known"):
            list(assize.read(source))


def test_a_chat_under_another_name_is_no_wrapper(tmp_path: Path) -> None:
    chat = {"id": "z", "mesages": CHAT["messages"], "metadata": {"lang": "de"}}
    problem = r"the fields are: id .*messages stand in mesages, .*id=id,turns=mesages"
    for source in (chat, [chat], lines(tmp_path / "x.jsonl", chat)):
        with pytest.raises(DataError, match=problem):
            list(assize.read(source))
        (item,) = assize.read(source, map="role=role,text=content,id=id,turns=mesages")
        assert item.id == "z"


def test_turns_that_name_their_conversations_are_records_of_a_list() -> None:
    turns = [{"chat_id": "a", "role": "user", "text": "Hi"}]
    assert [item.id for item in assize.read({"rows": turns})] == ["a"]
