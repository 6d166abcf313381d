"""Every log of assistants that act is the same dialogue; back and forth, calls keep every byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.formats.logs.agent_examples import ARGUMENTS, EXAMPLES, EXPECTED

from assize.conversation import Conversation, Turn
from assize.formats import FORMATS, read, to_json, write
from assize.formats.reading import open_records
from assize.formats.tool_calls import arguments_text

# Formats of which one message, or item, is written as it was read, field by field.
EXACT = ("openai", "openai-responses", "anthropic", "langchain", "langgraph", "inspect")
# Formats that hold arguments as text.
AS_TEXT = (
    "openai",
    "openai-responses",
    "otel",
    "otel-events",
    "phoenix",
    "phoenix-frame",
    "langfuse",
)


def plain(turn: Turn) -> tuple[Any, ...]:
    calls = tuple((one.id, one.name, one.arguments) for one in turn.tool_calls)
    return (turn.role, turn.text, calls, turn.tool_call_id)


def saved(value: Any, path: Path, lines: bool) -> Path:
    path.write_text(json.dumps(value) + "\n" if lines else json.dumps(value, indent=1))
    return path


def only_one(path: Path, format: str | None = None) -> Conversation:
    (found,) = read(path, format=format)
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


@pytest.mark.parametrize("name", EXACT)
def test_what_was_read_is_written_as_it_was(name: str, tmp_path: Path) -> None:
    format, value = EXAMPLES[name]
    found = only_one(saved(value, tmp_path / "log.json", True))
    write(tmp_path / "again.jsonl", [found], format=format)
    again = json.loads((tmp_path / "again.jsonl").read_text())
    if name == "inspect":
        assert again["samples"] == [value["samples"][0] | {"metadata": {}}] or (
            again["samples"] == value["samples"]
        )
    elif name == "langgraph":
        assert again["values"] == value["values"]
    else:
        assert again == value


@pytest.mark.parametrize("through", ["jsonl", "parquet"])
@pytest.mark.parametrize("name", EXACT)
def test_the_way_through_our_own_format_loses_nothing(
    name: str, through: str, tmp_path: Path
) -> None:
    _, value = EXAMPLES[name]
    found = only_one(saved(value, tmp_path / "log.json", True))
    write(tmp_path / f"own.{through}", [found])
    assert only_one(tmp_path / f"own.{through}") == found
    assert to_json(only_one(tmp_path / f"own.{through}")) == to_json(found)


@pytest.mark.parametrize("name", AS_TEXT)
def test_arguments_in_a_string_keep_every_byte(name: str, tmp_path: Path) -> None:
    format, value = EXAMPLES[name]
    found = only_one(saved(value, tmp_path / "log.json", True))
    assert arguments_text(found.turns[1].tool_calls[0]) == ARGUMENTS
    write(tmp_path / "again.jsonl", [found], format=format)
    again = only_one(tmp_path / "again.jsonl", format)
    assert arguments_text(again.turns[1].tool_calls[0]) == ARGUMENTS
    assert json.dumps(ARGUMENTS) in _texts((tmp_path / "again.jsonl").read_text())


def _texts(line: str) -> str:
    """The line, with JSON inside JSON opened once."""
    return line + line.encode().decode("unicode_escape", "replace") + line.replace('\\"', '"')


@pytest.mark.parametrize("to", ["openai", "openai-responses", "anthropic", "langchain", "inspect"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_log_can_be_written_as_every_other(name: str, to: str, tmp_path: Path) -> None:
    _, value = EXAMPLES[name]
    found = only_one(saved(value, tmp_path / "log.json", True))
    write(tmp_path / "to.jsonl", [found], format=to)
    again = only_one(tmp_path / "to.jsonl")
    assert [plain(turn) for turn in again.turns] == EXPECTED


@pytest.mark.parametrize("to", ["otel-genai", "phoenix", "langfuse"])
@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_a_dialogue_can_be_written_as_a_trace(name: str, to: str, tmp_path: Path) -> None:
    found = only_one(saved(EXAMPLES[name][1], tmp_path / "log.json", True))
    write(tmp_path / "to.jsonl", [found], format=to)
    again = only_one(tmp_path / "to.jsonl")
    assert [plain(turn) for turn in again.turns] == EXPECTED
