"""Every log of assistants that act is the same dialogue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.formats.logs.agent_examples import EXAMPLES, EXPECTED

from assize.base.conversation import Conversation, Turn
from assize.formats import FORMATS, to_json, write
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records, open_records


def plain(turn: Turn) -> tuple[Any, ...]:
    calls = tuple((one.id, one.name, one.arguments) for one in turn.tool_calls)
    return (turn.role, turn.text, calls, turn.tool_call_id)


def saved(value: Any, path: Path, lines: bool) -> Path:
    path.write_text(json.dumps(value) + "\n" if lines else json.dumps(value, indent=1))
    return path


def only_one(path: Path, format: str | None = None) -> Conversation:
    (found,) = iter_records(path, ReadOptions(format=format))
    assert isinstance(found, Conversation)
    return found


@pytest.mark.parametrize("lines", [True, False], ids=["lines", "document"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_log_is_recognised_and_the_same_dialogue(
    name: str, lines: bool, tmp_path: Path
) -> None:
    format, value = EXAMPLES[name]
    path = saved(value, tmp_path / "log.json", lines)
    with open_records(path) as opened:
        ((_, found),) = opened.records
    assert opened.format is FORMATS[format]
    assert isinstance(found, Conversation)
    assert [plain(turn) for turn in found.turns] == EXPECTED
    assert found.id == "x1"


@pytest.mark.parametrize("through", ["jsonl", "parquet"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_way_through_our_own_format_loses_nothing(
    name: str, through: str, tmp_path: Path
) -> None:
    _, value = EXAMPLES[name]
    found = only_one(saved(value, tmp_path / "log.json", True))
    write(tmp_path / f"own.{through}", [found])
    assert only_one(tmp_path / f"own.{through}") == found
    assert to_json(only_one(tmp_path / f"own.{through}")) == to_json(found)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_log_can_be_written_as_openai_chat(name: str, tmp_path: Path) -> None:
    _, value = EXAMPLES[name]
    found = only_one(saved(value, tmp_path / "log.json", True))
    write(tmp_path / "to.jsonl", [found], format="openai")
    again = only_one(tmp_path / "to.jsonl")
    assert [plain(turn) for turn in again.turns] == EXPECTED
