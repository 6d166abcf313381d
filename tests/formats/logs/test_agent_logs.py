"""Every log of assistants that act is the same dialogue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.formats.conftest import lines, only_record, records_as
from tests.formats.logs.agent_examples import EXAMPLES, EXPECTED

from assize.base.conversation import Turn
from assize.formats import write


def plain(turn: Turn) -> tuple[Any, ...]:
    calls = tuple((one.id, one.name, one.arguments) for one in turn.tool_calls)
    return (turn.role, turn.text, calls, turn.tool_call_id)


@pytest.mark.parametrize("indent", [None, 1], ids=["lines", "document"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_log_is_recognised_and_the_same_dialogue(
    name: str, indent: int | None, tmp_path: Path
) -> None:
    format, value = EXAMPLES[name]
    (tmp_path / "log.json").write_text(json.dumps(value, indent=indent))
    (found,) = records_as(format, tmp_path / "log.json")
    assert [plain(turn) for turn in found.turns] == EXPECTED
    assert found.id == "x1"


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_way_through_other_formats_loses_nothing(name: str, tmp_path: Path) -> None:
    found = only_record(lines(tmp_path / "log.json", EXAMPLES[name][1]))
    for own in ("own.jsonl", "own.parquet"):
        write(tmp_path / own, [found])
        assert only_record(tmp_path / own) == found
    write(tmp_path / "to.jsonl", [found], format="openai")
    assert [plain(turn) for turn in only_record(tmp_path / "to.jsonl").turns] == EXPECTED
