"""Bytes to rows: what a damaged or an odd file is said to be, and that no row is lost."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.conftest import FUZZ, TURN, line, turn_texts, write_text

from assize.base.errors import DataError
from assize.formats.reading import iter_records
from assize.formats.rows import Row, Sample, _rows, decoded, open_rows

TWICE = '{"id": "c", "turns": [{"role": "user", "text": "a", "text": "b"}]}'


TOLD_TWICE = "the key 'text' stands twice in an object; keep one of them"

BAD_FILES = {
    "empty": (b"", "the file is empty"),
    "blank": (b" \r\n\n", "the file holds only blanks"),
    "binary": (bytes(range(256)) * 9, "binary file or not UTF-8"),
    "zeros": (b"a\0b,c\n1,2\n", "this is a binary file"),
    "utf-16": (line("a").encode("utf-16"), "the file is UTF-16; save it as UTF-8"),
    "half a line": (b'{"id": "c", "turns": [', ":1: not a whole JSON value"),
    "half a second line": ((line("a") + '\n{"id": "b').encode(), ":2: not a whole JSON value"),
    "an array cut off": (f"[{line('a')}, {line('b')[:9]}".encode(), ":2: not a whole JSON value"),
    "an array not closed": (f"[{line('a')}".encode(), ":2: .*the array is not closed"),
    "text after an array": (f"[{line('a')}] {{}}".encode(), ":2: text after the end of the array"),
    "a NUL in JSON": (line("a\0").encode(), ":1: not a whole JSON value .Invalid control"),
    "bytes that are no text": (
        line("a").encode() + b"\n" + line("b").encode().replace(b"hi", b"\xff\xfe"),
        r":2: byte \d+ of the line is not UTF-8",
    ),
    "surrogates as bytes": (line("é").encode().replace("é".encode(), b"\xed\xa0\x80"), "UTF-8"),
    "deep JSON": (b'{"id": "c", "turns": [' + b"[" * 99_999, ":1: .*nested too deeply"),
    "a key twice in a line": (f"{line('a')}\n{TWICE}\n".encode(), f":2: {TOLD_TWICE}"),
    "a key twice in an array": (f"[{line('a')}, {TWICE}]".encode(), f":2: {TOLD_TWICE}"),
    "a number": (b"17", "the file holds no records"),
    "a header twice": (b"role,text,text\nuser,a,b\n", "names 'text' more than once"),
    "too many cells": (b"role,text\nuser,a,b\n", ":2: 3 cells where the header has 2"),
    "an open quote": (b'role,text\nuser,a\nuser,"b\nuser,c\n', ":3: a quoted cell is not closed"),
    "a cell without end": (
        b'role,text\nuser,"' + b"x\n" * 10_000_000,
        r":2: not a readable table \(field larger",
    ),
    "damaged Parquet": (b"PAR1" + b"\1" * 99, "the Parquet file is damaged or cut off"),
}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ('{"text": 1, "text": 2}', TOLD_TWICE),
    ],
    ids=["deep", "twice"],
)
def test_json_that_is_none_of_ours_is_told(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        decoded(text)


LARGE = line("a", TURN.replace("hi", "x\\u00e9" * 1_000_000))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{LARGE}\n{line('b')}", ["a", "b"]),
        (f"[{LARGE}, {', '.join([line('b')] * 50_000)}]", ["a", *["b"] * 50_000]),
        (json.dumps({"id": "c", "turns": [json.loads(TURN)] * 2000}, indent=2), ["c"]),
        ('[{"role": "user", "content": "hi"}]\n' * 2, ["x-1", "x-2"]),
        ('[{"role": "user", "content": "hi"}]', ["x-1"]),
        # Items after one with a key that stands twice.
        (f'[{line("a")}, {{"id": 1, "id": 2}}, {line("b")}]', ["a", "b"]),
    ],
    ids=["large line", "large in an array", "many lines", "arrays", "array", "after a bad one"],
)
def test_no_record_of_a_file_is_lost(text: str, expected: list[str], tmp_path: Path) -> None:
    found = list(iter_records(write_text(tmp_path / "x", text), on_reject=lambda _: None))
    assert [one.id for one in found] == expected  # type: ignore[union-attr]
    assert "".join(turn_texts(found[0])) in ("xé" * 1_000_000, "hi", "hi" * 2000)


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_file_says_where_what_and_why(case: str, tmp_path: Path) -> None:
    data, message = BAD_FILES[case]
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(DataError, match=f"/x.*{message}"):
        list(iter_records(tmp_path / "x"))


def rows_of(path: Path) -> list[Row]:
    with open_rows(path) as (_, rows):
        return list(rows)


@pytest.mark.parametrize(
    ("text", "container", "places"),
    [
        ('{"a": 1}\n\n{"a": 2}\n', "json", [1, 3]),
        ('[{"a": 1},\n\n{"a": 2}]', "json", [1, 2]),
        ('{"a":\n1}', "json", [1]),
        ('a,b\n1,"x\ny"\n2,z\n', "csv", [2, 4]),
    ],
    ids=["lines", "array", "one object", "table"],
)
def test_a_row_knows_its_line_or_its_place_in_the_array(
    text: str, container: str, places: list[int], tmp_path: Path
) -> None:
    with open_rows(write_text(tmp_path / "x", text)) as (sample, rows):
        assert sample.container == container
        assert [row.line for row in rows] == places


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_table_s_cells_are_parted_by_what_its_header_holds_most(
    mark: str, tmp_path: Path
) -> None:
    path = write_text(tmp_path / "x", f"a{mark}b\n1{mark}x y\n")
    assert [row.value for row in rows_of(path)] == [{"a": "1", "b": "x y"}]


def test_a_sample_is_the_first_twenty_readable_rows_and_takes_none_away(tmp_path: Path) -> None:
    (tmp_path / "x").write_text('{"n": 0}\n{"n\n' + "".join(f'{{"n": {n}}}\n' for n in range(30)))
    with open_rows(tmp_path / "x") as (sample, rows):
        assert [one["n"] for one in sample.rows] == [0, *range(18)]
        assert len(list(rows)) == 32


def test_a_row_that_cannot_be_read_has_a_problem_and_its_beginning(tmp_path: Path) -> None:
    good, bad = rows_of(write_text(tmp_path / "x", '{"a": 1}\n{"a": ' + "9" * 20_000 + "\n"))
    assert (good.value, good.problem) == ({"a": 1}, None)
    assert (bad.value, bad.line, bad.raw) == (None, 2, '{"a": ' + "9" * 9_994)
    assert "not a whole JSON value" in str(bad.problem)


def test_parquet_values_that_json_lacks_become_text(tmp_path: Path) -> None:
    at, told = datetime(2023, 4, 9, tzinfo=UTC), "2023-04-09T00:00:00+00:00"
    value = {"at": at, "raw": b"\xff", "deep": [{"at": at}], "n": 0.5, "no": None}
    pq.write_table(pa.Table.from_pylist([value]), tmp_path / "x")
    assert [row.value for row in rows_of(tmp_path / "x")] == [
        {"at": told, "raw": "/w==", "deep": [{"at": told}], "n": 0.5, "no": None}
    ]


@pytest.mark.parametrize("rows", [(), ([1],), ("text",)])
def test_the_first_row_of_a_sample_is_empty_where_it_is_no_object(rows: tuple[Any, ...]) -> None:
    assert Sample("json", rows, "x").first == {}
    assert not Sample("json", rows, "x").has("text")


def test_half_a_character_becomes_a_mark_and_a_whole_one_stays() -> None:
    assert decoded(r'{"\ud800": ["\ud83d\ude00", "x\udfff"]}') == {"\ufffd": ["😀", "x\ufffd"]}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n\n"])
def test_byte_order_marks_blank_lines_and_line_ends_do_not_matter(
    start: str, end: str, tmp_path: Path
) -> None:
    text = start + line("a") + end + end + line("b") + end
    (tmp_path / "x").write_bytes(text.encode())
    assert [record.id for record in iter_records(tmp_path / "x")] == ["a", "b"]  # type: ignore[union-attr]


@pytest.mark.parametrize("start", [b"", b"{", b"[", b'{"id":"x","turns":[', b"a,b\n", b"PAR1"])
@FUZZ
@given(rest=st.binary(max_size=200))
def test_arbitrary_bytes_raise_nothing_but_a_data_error(
    start: bytes, rest: bytes, tmp_path: Path
) -> None:
    (tmp_path / "x").write_bytes(start + rest)
    for on_reject in (None, lambda _: None):
        with suppress(DataError):
            list(iter_records(tmp_path / "x", on_reject=on_reject))


@pytest.mark.parametrize("head", [b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd"], ids=["gzip", "zstd"])
@FUZZ
@given(rest=st.binary(max_size=100))
def test_damaged_compressed_data_raises_nothing_but_a_data_error(
    head: bytes, rest: bytes, tmp_path: Path
) -> None:
    (tmp_path / "x").write_bytes(head + rest)
    with suppress(DataError):
        list(iter_records(tmp_path / "x"))


@pytest.mark.parametrize("start", [b"{not json\n{again\n", b"[{not json},\n"])
def test_a_bad_beginning_is_told_before_the_rest_is_read(start: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(start + (line("a") + "\n").encode() * 200_000)
    with open(path, "rb") as stream:
        assert next(_rows(stream, "x", None)[1]).problem is not None
        assert stream.tell() < 1_000_000


def test_a_date_that_python_has_not_is_a_bad_row_and_no_bad_file(tmp_path: Path) -> None:
    columns = {
        "conversation": ["a", "b", "c"],
        "role": ["user"] * 3,
        "text": ["x"] * 3,
        "day": pa.array([0, 10_000_000, 1], pa.date32()),
    }
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    with pytest.raises(DataError, match=r"x\.parquet:2: a value cannot be read \(Ov"):
        list(iter_records(tmp_path / "x.parquet"))
    assert len(list(iter_records(tmp_path / "x.parquet", on_reject=lambda _: None))) == 2
