"""What the chat-log formats share: recognised from content, written back where they are written."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path

import pytest
from tests.formats.conftest import lines, records_as
from tests.formats.logs.conftest import ROWS

from assize.formats import FORMATS, write
from assize.formats.reading import iter_records


@pytest.mark.parametrize("name", ROWS)
def test_a_row_is_recognised_and_survives_assizes_own_containers(name: str, tmp_path: Path) -> None:
    records = records_as(name, tmp_path / "in.jsonl", ROWS[name])
    for own in ("own.jsonl", "own.parquet"):
        write(tmp_path / own, records)
        assert list(iter_records(tmp_path / own)) == records


@pytest.mark.parametrize("name", [name for name in ROWS if FORMATS[name].unparse is not None])
def test_a_row_is_written_back_as_it_was(name: str, tmp_path: Path) -> None:
    row = deepcopy(ROWS[name])
    records = list(iter_records(lines(tmp_path / "in.jsonl", row)))
    write(tmp_path / "out.jsonl", records, format=name)
    written = json.loads((tmp_path / "out.jsonl").read_text())
    for message in row.get("messages", ()):  # no content, null and "" are one
        message["content"] = message.get("content") or ""
    metadata = written.pop("metadata", {})
    # A field with the name of one of ours is kept in the metadata.
    assert written | ({} if "metadata" in row else metadata) | {
        "metadata": row.get("metadata")
    } == (row | {"metadata": row.get("metadata")})
    assert list(iter_records(tmp_path / "out.jsonl")) == records
