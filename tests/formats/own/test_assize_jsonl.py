"""assize's own records, one JSON object a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Conversation, Turn
from assize.base.errors import DataError
from assize.formats import write
from assize.formats.format import Options
from assize.formats.own.assize_jsonl import ASSIZE, recognise
from assize.formats.reading import iter_records
from assize.formats.rows import Row, Sample

SAID = {"role": "user", "text": "hi"}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"id": "c", "turns": [SAID]}, True),
        ({"id": "p", "a": [SAID], "b": [SAID]}, True),
        ({"id": "k", "context": [SAID], "candidate": "x"}, True),
        ({"item": "i", "judge": "j"}, True),
        ({"turns": [SAID]}, False),  # published data has turns without an id of ours
        ({"item": "i"}, False),
        ({"candidate": "x"}, False),
    ],
)
def test_one_of_the_four_records_is_recognised_by_its_fields(
    row: dict[str, Any], expected: bool
) -> None:
    assert recognise(Sample("json", (row,), "x")) is expected


def test_a_record_is_one_line_with_the_fields_that_it_has(tmp_path: Path) -> None:
    turns = (Turn("user", "one\ntwo"), Turn("assistant", "é"))
    write(tmp_path / "x.jsonl", [Conversation("c", turns)])
    (line,) = (tmp_path / "x.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line) == {
        "id": "c",
        "turns": [{"role": "user", "text": "one\ntwo"}, {"role": "assistant", "text": "é"}],
    }
    assert "é" in line


def test_an_item_without_an_id_is_called_after_its_file_and_line(tmp_path: Path) -> None:
    pair = {"a": [SAID], "b": [SAID]}
    for name, row in (("chats", {"turns": [SAID]}), ("pairs", pair)):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row))
        (item,) = iter_records(tmp_path / f"{name}.jsonl")
        assert item.id == f"{name}-1"  # type: ignore[union-attr]
    with pytest.raises(DataError, match=r"^id: received None"):
        list(ASSIZE.parse(Row(pair | {"id": None}, "x", 1), Options()))
