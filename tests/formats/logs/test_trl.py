"""TRL preference records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.formats.logs.conftest import ROWS, lines

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import DataError
from assize.formats import write
from assize.formats.logs.trl import recognise
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records
from assize.formats.rows import Sample

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
    (pair,) = iter_records(lines(tmp_path / "x.jsonl", row))
    assert isinstance(pair, Pair)
    assert (pair.context, pair.a, pair.b, pair.gold) == (
        (Turn("user", "Hi"),),
        (Turn("assistant", "Hello"),),
        (Turn("assistant", "Go"),),
        "A",
    )


@pytest.mark.parametrize(
    "row",
    [
        ROWS["hh-rlhf"],
        {"chosen": "a", "rejected": "b", "turns": []},
        {"chosen": "a", "rejected": None},
        {"chosen": "a"},
    ],
    ids=["transcripts", "other turns", "a null", "one side"],
)
def test_other_records_with_a_chosen_side_are_none_of_it(row: dict[str, Any]) -> None:
    assert not recognise(Sample("json", (row,), "x"))


def test_a_context_is_written_as_the_prompt(tmp_path: Path) -> None:
    q, a, b = (Turn("user", "q"),), (Turn("assistant", "a"),), (Turn("assistant", "b"),)
    write(tmp_path / "x", [Pair("p", q, a, b, gold="A")], format="trl")
    assert json.loads((tmp_path / "x").read_text())["prompt"] == [{"role": "user", "content": "q"}]


@pytest.mark.parametrize("name", ["id", "prompt_id"])
def test_an_id_goes_by_either_name(name: str, tmp_path: Path) -> None:
    (pair,) = iter_records(
        lines(tmp_path / "x.jsonl", {name: "t7", "chosen": "a", "rejected": "b"})
    )
    assert isinstance(pair, Pair)
    assert pair.id == "t7"


@pytest.mark.parametrize(
    ("side", "problem"),
    [
        ([], r"chosen: received \[\]; expected a list of messages"),
        (7, "chosen: received 7; expected text or a list of messages"),
        ([{"role": "user"}], r"chosen\[0\]\.content: is missing"),
    ],
)
def test_a_bad_side_is_named_by_its_place(side: Any, problem: str, tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", {"prompt": "x", "chosen": side, "rejected": "b"})
    with pytest.raises(DataError, match=rf"x\.jsonl:1: {problem}"):
        list(iter_records(path, ReadOptions(format="trl")))


def test_a_conversation_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="received a conversation; trl holds pairs"):
        write(tmp_path / "x", [Conversation("c", (Turn("user", "x"),))], format="trl")
