"""ShareGPT conversations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.formats.logs.conftest import ROWS, lines

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import ConfigError, DataError
from assize.formats import write
from assize.formats.logs.sharegpt import recognise, recognise_pairs
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records, open_records
from assize.formats.rows import Sample

HI = {"from": "human", "value": "hi"}


def conversation(path: Path, **row: Any) -> Conversation:
    (found,) = iter_records(lines(path / "x.jsonl", row))
    assert isinstance(found, Conversation)
    return found


def test_every_speaker_has_a_role(tmp_path: Path) -> None:
    assert [turn.role for turn in conversation(tmp_path, **ROWS["sharegpt"]).turns] == [
        "user",
        "assistant",
        "assistant",
        "tool",
        "assistant",
    ]


def test_a_system_prompt_beside_the_messages_is_the_first_turn(tmp_path: Path) -> None:
    found = conversation(tmp_path, conversations=[HI], system="S")
    assert found.turns == (Turn("system", "S"), Turn("user", "hi"))


def test_an_empty_system_prompt_is_none(tmp_path: Path) -> None:
    found = conversation(tmp_path, conversations=[HI], system="")
    assert found.turns == (Turn("user", "hi"),)


def test_the_model_is_the_system(tmp_path: Path) -> None:
    found = conversation(tmp_path, conversations=[HI], model="vicuna")
    assert (found.system, found.extra) == ("vicuna", {})


def test_roles_are_written_under_the_format_s_own_names(tmp_path: Path) -> None:
    turns = tuple(Turn(role, "x") for role in ("system", "user", "assistant", "tool"))
    write(tmp_path / "x", [Conversation("c", turns)], format="sharegpt")
    said = json.loads((tmp_path / "x").read_text())["conversations"]
    assert [one["from"] for one in said] == ["system", "human", "gpt", "tool"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [([HI], True), ([{"from": "human"}], False), ([], False), ("text", False)],
)
def test_it_is_recognised_by_a_speaker_and_a_value(said: Any, expected: bool) -> None:
    assert recognise(Sample("json", ({"conversations": said},), "x")) is expected


def test_a_pair_is_refused(tmp_path: Path) -> None:
    pair = Pair("p", (), (Turn("user", "a"),), (Turn("user", "b"),))
    with pytest.raises(DataError, match="received a pair; sharegpt holds conversations"):
        write(tmp_path / "x", [pair], format="sharegpt")


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ([{"from": "gpt", "value": None}], r"conversations\[0\]\.value: received None"),
        ([HI, {"from": "wizard", "value": "x"}], r"conversations\[1\]\.from: received 'wizard'"),
        ([HI, 7], r"conversations\[1\]: received 7"),
    ],
)
def test_a_bad_message_is_named_by_its_place(said: list[Any], problem: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=rf"x\.jsonl:1: {problem}"):
        conversation(tmp_path, conversations=said)


ROW: dict[str, Any] = {
    "id": "w1",
    "conversations": [{"from": "human", "value": "Hi"}],
    "chosen": {"from": "gpt", "value": "Hello!"},
    "rejected": {"from": "gpt", "value": "Go away."},
}


def pair(path: Path, **row: Any) -> Pair:
    (found,) = iter_records(lines(path / "x.jsonl", ROW | row))
    assert isinstance(found, Pair)
    return found


def test_the_chosen_message_is_a_and_gold(tmp_path: Path) -> None:
    assert pair(tmp_path) == Pair(
        "w1",
        (Turn("user", "Hi"),),
        (Turn("assistant", "Hello!"),),
        (Turn("assistant", "Go away."),),
        gold="A",
    )


def test_it_is_told_from_a_conversation_by_its_two_messages(tmp_path: Path) -> None:
    with open_records(lines(tmp_path / "x.jsonl", ROW)) as opened:
        assert opened.format.name == "sharegpt-pairs"


@pytest.mark.parametrize("side", ["Hello!", [ROW["chosen"]], {"from": "gpt"}, None])
def test_a_side_that_is_no_message_is_none_of_it(side: Any) -> None:
    assert not recognise_pairs(Sample("json", (ROW | {"rejected": side},), "x"))


def test_metadata_and_unknown_fields_stay_with_the_pair(tmp_path: Path) -> None:
    found = pair(tmp_path, metadata={"lang": "en"}, margin=2, source="web")
    assert (found.metadata, found.extra) == ({"lang": "en", "source": "web"}, {"margin": 2})


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"conversations": []}, r"conversations: received \[\]; expected a list of messages"),
        ({"rejected": "Go away."}, "rejected: received 'Go away.'; expected an object"),
        ({"chosen": {"from": "gpt", "value": 3}}, r"chosen\[0\]\.value: received 3"),
    ],
)
def test_a_bad_message_of_a_pair_is_named_by_its_place(
    row: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    path = lines(tmp_path / "x.jsonl", ROW | row)
    with pytest.raises(DataError, match=rf"x\.jsonl:1: {problem}"):
        list(iter_records(path, ReadOptions(format="sharegpt-pairs")))


def test_it_is_only_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="format sharegpt-pairs can be read but not written"):
        write(tmp_path / "x", [], format="sharegpt-pairs")
