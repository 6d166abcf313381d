"""What was given is told apart piece by piece."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.formats.conftest import OWN

from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.formats.given import pieces_of, read_piece
from assize.formats.read_options import ReadOptions
from assize.formats.rejects import Reject
from assize.judgments import JudgmentTable

ROW = {"id": "r", "turns": [{"role": "user", "text": "hi"}]}
TABLE = JudgmentTable.of([Judgment("c", "ann", "q", answer="1")])


def pieces(given: Any) -> list[tuple[str, str, int]]:
    """Of each piece its kind, its place, and how many it holds."""
    return [
        (one.kind, one.place, len(list(one.value)) if one.kind in ("rows", "records") else 1)
        for one in pieces_of(given, "items", "items")
    ]


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("chats.jsonl", "source"),
        (Path("chats.jsonl"), "source"),
        ("s3://bucket/chats.jsonl", "source"),
        (OWN, "records"),
        (ROW, "rows"),
        (pa.table({"id": ["r"]}), "frame"),
        (TABLE, "judgments"),
    ],
)
def test_one_piece_alone_has_the_place_of_the_argument(given: Any, kind: str) -> None:
    assert pieces(given) == [(kind, "items", 1)]


def test_records_and_rows_that_follow_each_other_are_one_piece() -> None:
    message = [{"role": "user", "content": "hi"}]
    given = [OWN, OWN, ROW, message, "a.jsonl", "b.jsonl", TABLE, ROW]
    assert pieces(given) == [
        ("records", "items", 2),
        ("rows", "items", 2),
        ("source", "items[4]", 1),
        ("source", "items[5]", 1),
        ("judgments", "items[6]", 1),
        ("rows", "items", 1),
    ]


def test_what_can_be_nothing_is_refused_before_anything_is_read() -> None:
    with pytest.raises(DataError, match=r"^items: received None; give items$"):
        pieces_of(None, "items", "items")
    waiting = pieces_of(iter([7]), "items", "items")
    with pytest.raises(DataError, match=r"^items\[0\]: received 7 \(int\); give items$"):
        next(waiting)


@pytest.mark.parametrize("text", ["", " ", '{"a": 1}', '[{"a": 1}]', "x" * 5000])
def test_text_that_is_no_path_is_refused_and_cut(text: str) -> None:
    with pytest.raises(
        DataError, match=r"^items: received the text .*, which is no path"
    ) as caught:
        pieces_of(text, "items", "items")
    assert len(str(caught.value)) < 250


def test_a_piece_is_read_like_a_file_and_rejects_say_the_place_from_1() -> None:
    rejects: list[Reject] = []
    piece = next(pieces_of([ROW, {"id": "bad", "turns": []}], "items", "items"))
    found = read_piece(piece, ReadOptions(), rejects.append)
    assert found.format.name == "assize"
    assert [(line, record.id) for line, record in found.records] == [(1, "r")]  # type: ignore[union-attr]
    assert [(one.source, one.line, one.field) for one in rejects] == [("items", 2, "turns")]
