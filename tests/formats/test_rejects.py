"""Records that could not be read: in memory, or in a file of their own."""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from pathlib import Path

import pytest
from tests.formats.conftest import line, write_text

from assize.formats import Reject, read
from assize.formats.rejects import Rejects

BAD = Reject("x.jsonl", 2, "turns[0].role", "received 'wizard'", '{"id": "é"}')


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(row) for row in path.read_text().splitlines()]


def test_rejects_make_a_file_only_when_there_are_some(tmp_path: Path) -> None:
    with Rejects().saved_to(tmp_path / "r.jsonl"):
        pass
    assert not (tmp_path / "r.jsonl").exists()


def test_a_line_says_what_was_wrong_where_and_is_kept_when_later_work_fails(tmp_path: Path) -> None:
    rejects = Rejects()
    with suppress(RuntimeError), rejects.saved_to(tmp_path / "r.jsonl"):
        rejects(BAD)
        raise RuntimeError("later")
    assert rows(tmp_path / "r.jsonl") == [
        {
            "source": "x.jsonl",
            "line": 2,
            "field": "turns[0].role",
            "problem": "received 'wizard'",
            "raw": '{"id": "é"}',
        }
    ]


def test_those_in_memory_stand_first_and_each_place_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_text(
        tmp_path / "x.jsonl",
        "\n".join([line("a"), '{"half', line("b"), "{}", "[1]"]),
    )
    items = read(path, on_error="skip")
    assert [item.id for item in items] == ["a", "b"]
    assert [reject.line for reject in items.rejects] == [2, 4, 5]
    with caplog.at_level(logging.WARNING), items.rejects.saved_to(tmp_path / "new" / "r.jsonl"):
        assert len(list(items)) == 2  # a second pass
        items.rejects(BAD)
    assert len(items.rejects) == 4
    assert [row["line"] for row in rows(tmp_path / "new" / "r.jsonl")] == [2, 4, 5, 2]
    assert "4 bad records were left out: see" in caplog.text
