from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from tests.formats.conftest import lines, turn_texts

import assize
from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError, DataError
from assize.formats import read

CHAT = {
    "chat_id": "c1",
    "bot": "v2",
    "thumbs": "up",
    "empty": None,
    "messages": [
        {"author": {"role": "client"}, "payload": {"text": "Hi"}},
        {"author": {"role": "helper"}, "payload": {"text": "Hello"}},
    ],
}
MAP = "role=author.role,text=payload.text,id=chat_id,turns=messages,metadata.version=bot"
ROLES = "client=user,helper=assistant"


def one(row: Any, map: str, roles: str | None = None) -> Any:
    (found,) = read([row], map=map, roles=roles)
    return found


def test_a_log_of_its_own_is_read(tmp_path: Path) -> None:
    (chat,) = read(lines(tmp_path / "log.jsonl", CHAT), map=MAP, roles=ROLES)
    turns = (
        Turn("user", "Hi", extra={"role_name": "client"}),
        Turn("assistant", "Hello", extra={"role_name": "helper"}),
    )
    assert chat == Conversation("c1", turns, metadata={"version": "v2", "thumbs": "up"})


def test_a_pair_takes_its_gold_from_the_usual_words() -> None:
    row = {"q": "Hi", "left": "Hey", "right": "Yo", "won": "right", "k": 1}
    found = one(row, "context=q,a=left,b=right,gold=won")
    assert turn_texts(found) == ["Hi", "Hey", "Yo"]
    assert (found.gold, found.metadata) == ("B", {"k": 1})


@pytest.mark.parametrize(("won", "gold"), [(0, "A"), (1, "B"), (None, None)])
def test_numbers_mean_what_the_mapping_says(won: int | None, gold: str | None) -> None:
    row = {"x": "Hey", "y": "Yo", "won": won, "id": "p"}
    assert one(row, "a=x,b=y,gold=won,gold:0=A,gold:1=B").gold == gold


def test_an_empty_response_or_a_number_is_a_response() -> None:
    assert turn_texts(one({"x": "", "y": 42}, "a=x,b=y")) == ["", "42"]


def test_whole_dialogues_share_their_beginning_as_context() -> None:
    start = [{"role": "user", "text": "Hi"}]
    row = {
        "x": [*start, {"role": "bot", "text": "Hey"}],
        "y": [*start, {"role": "bot", "text": "Yo"}],
    }
    assert turn_texts(one(row, "a=x,b=y")) == ["Hi", "Hey", "Yo"]


def test_a_continuation_is_read() -> None:
    row = {"h": ["Hi", "Hello", "Bye"], "out": "Ciao", "human": ["See you"], "m": "gpt", "c": 9}
    found = one(row, "context=h,candidate=out,references=human,source=m,conversation=c")
    assert (found.candidate, found.references, found.turn) == ("Ciao", ("See you",), 3)
    assert (found.source, found.conversation) == ("gpt", "9")


@pytest.mark.parametrize(
    ("row", "map", "words"),
    [
        (CHAT, "turns=messages,system=bto", "system=bto: is not there: the record has the fields"),
        ({"export": [CHAT]}, "turns=messages,system=bto", "system=bto: is not there"),
        (CHAT, "turns=chats", "turns=chats: is not there: the record has the fields chat_id"),
        (
            CHAT,
            "turns=messages,role=author.name,text=payload.text",
            r"log.jsonl:1: messages\[0\].author.name: is not there: author",
        ),
        ({"x": "Hey", "y": "Yo", "won": 1}, "a=x,b=y,gold=won", "gold:1=A,gold:OTHER=B"),
    ],
)
def test_a_mapping_that_does_not_fit_says_what_it_lacks_where(
    row: dict[str, Any], map: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=words):
        list(read(lines(tmp_path / "log.jsonl", row), map=map))


def test_a_further_field_that_is_nowhere_is_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = lines(tmp_path / "log.jsonl", CHAT)
    with caplog.at_level(logging.WARNING, "assize"):
        assert list(read(path, map=f"{MAP},metadata.plan=plan", roles=ROLES))
    assert "metadata.plan=plan" in caplog.text


@pytest.mark.parametrize("map", ["id=x", "a=x", "turns=x,candidate=y", "role=x"])
def test_a_mapping_that_is_no_record_is_refused(map: str) -> None:
    with pytest.raises(ConfigError, match="map: "):
        one({"x": "Hi"}, map)


def test_a_format_and_a_mapping_do_not_go_together(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="do not go together"):
        list(read(lines(tmp_path / "log.jsonl", CHAT), map=MAP, format="openai"))


def test_roles_are_skipped_only_with_a_mapping(tmp_path: Path) -> None:
    row = {"messages": [{"role": "user", "content": "Hi"}, {"role": "event"}]}
    path = lines(tmp_path / "log.jsonl", row)
    with pytest.raises(ConfigError, match="--map turns=messages"):
        list(read(path, roles="event=skip"))
    (chat,) = read(path, map="turns=messages", roles="event=skip")
    assert turn_texts(chat) == ["Hi"]


@pytest.mark.parametrize(
    ("row", "roles"),
    [
        ({"messages": [{"role": "buyer", "content": "Hi"}]}, "buyer=user"),
        ({"id": "c", "turns": [{"role": "Buyer", "text": "Hi"}]}, {"Buyer": "user"}),
    ],
)
def test_roles_alone_hold_for_every_format(row: Any, roles: Any, tmp_path: Path) -> None:
    (chat,) = read(lines(tmp_path / "a.jsonl", row), roles=roles)
    assert chat.turns[0].role == "user"  # type: ignore[union-attr]


def test_functions_take_items_that_say_how_they_are_read(tmp_path: Path) -> None:
    path = lines(tmp_path / "log.jsonl", CHAT)
    result = assize.check(read(path, map=MAP, roles=ROLES), quiet=True)
    assert result.to_json()["files"][0]["records"] == {"conversations": 1}


def test_of_an_object_only_the_named_field_is_taken_out() -> None:
    row = {
        "chat": {"id": "c1", "lang": "en"},
        "text": "of the record",
        "messages": [{"author": {"role": "user", "app": "web"}, "text": "Hi"}],
    }
    found = one(row, "turns=messages,role=author.role,text=text,id=chat.id")
    assert found.id == "c1"
    assert found.metadata == {"chat": {"lang": "en"}, "text": "of the record"}
    assert found.turns[0].extra == {"author": {"app": "web"}}


def test_messages_a_row_keep_what_stands_beside_a_named_field() -> None:
    rows = [
        {"chat": {"id": 1, "lang": "en"}, "who": {"role": role, "app": "web"}, "text": "Hi"}
        for role in ("user", "assistant")
    ]
    (found,) = read(rows, map="role=who.role,text=text,id=chat.id")
    assert isinstance(found, assize.Conversation)
    assert found.metadata == {"chat": {"lang": "en"}}
    assert [turn.extra for turn in found.turns] == [{"who": {"app": "web"}}] * 2
