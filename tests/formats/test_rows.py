"""Bytes to rows: what a damaged or an odd file is said to be, and that no row is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.conftest import FUZZ, TURN, line

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.formats.reading import iter_records
from assize.formats.rows import Row, Sample, decoded, open_rows

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
    "a number": (b"17", "the file holds no records"),
    "a header twice": (b"role,text,text\nuser,a,b\n", "names 'text' more than once"),
    "too many cells": (b"role,text\nuser,a,b\n", ":2: 3 cells where the header has 2"),
    "an open quote": (b'role,text\nuser,a\nuser,"b\nuser,c\n', ":3: a quoted cell is not closed"),
    "damaged Parquet": (b"PAR1" + b"\1" * 99, "the Parquet file is damaged or cut off"),
}


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
    (tmp_path / "x").write_text(text)
    with open_rows(tmp_path / "x") as (sample, rows):
        assert sample.container == container
        assert [row.line for row in rows] == places


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_table_s_cells_are_parted_by_what_its_header_holds_most(
    mark: str, tmp_path: Path
) -> None:
    (tmp_path / "x").write_text(f"a{mark}b\n1{mark}x y\n")
    assert [row.value for row in rows_of(tmp_path / "x")] == [{"a": "1", "b": "x y"}]


def test_a_sample_is_the_first_twenty_readable_rows_and_takes_none_away(tmp_path: Path) -> None:
    (tmp_path / "x").write_text('{"n": 0}\n{"n\n' + "".join(f'{{"n": {n}}}\n' for n in range(30)))
    with open_rows(tmp_path / "x") as (sample, rows):
        assert [one["n"] for one in sample.rows] == [0, *range(18)]
        assert len(list(rows)) == 32


def test_a_row_that_cannot_be_read_has_a_problem_and_its_beginning(tmp_path: Path) -> None:
    (tmp_path / "x").write_text('{"a": 1}\n{"a": ' + "9" * 20_000 + "\n")
    good, bad = rows_of(tmp_path / "x")
    assert (good.value, good.problem) == ({"a": 1}, None)
    assert (bad.value, bad.line, bad.raw) == (None, 2, '{"a": ' + "9" * 9_994)
    assert "not a whole JSON value" in str(bad.problem)


def test_parquet_values_that_json_lacks_become_text(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    at = datetime(2023, 4, 9, tzinfo=UTC)
    value = {"at": at, "raw": b"\xff", "deep": [{"at": at}], "n": 0.5, "no": None}
    pq.write_table(pa.Table.from_pylist([value]), tmp_path / "x")
    told = "2023-04-09T00:00:00+00:00"
    assert [row.value for row in rows_of(tmp_path / "x")] == [
        {"at": told, "raw": "/w==", "deep": [{"at": told}], "n": 0.5, "no": None}
    ]


@pytest.mark.parametrize("rows", [(), ([1],), ("text",)])
def test_the_first_row_of_a_sample_is_empty_where_it_is_no_object(rows: tuple[Any, ...]) -> None:
    assert Sample("json", rows, "x").first == {}
    assert not Sample("json", rows, "x").has("text")


def test_json_that_nests_too_deeply_is_told() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        decoded("[" * 100_000 + "]" * 100_000)


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


def test_a_turn_of_a_megabyte_is_read_whole(tmp_path: Path) -> None:
    text = "x\\u00e9" * 200_000
    for name, form in (("lines", "{}\n{}"), ("array", "[{}, {}]")):
        big = line("a", TURN.replace("hi", text))
        (tmp_path / name).write_text(form.replace("{}", big, 1).replace("{}", line("b")))
        first, second = iter_records(tmp_path / name)
        assert isinstance(first, Conversation)
        assert first.turns[0].text == "xé" * 200_000
        assert isinstance(second, Conversation)


def test_one_array_a_line_and_one_array_are_both_read(tmp_path: Path) -> None:
    message = '[{"role": "user", "content": "hi"}]'
    (tmp_path / "x").write_text(f"{message}\n{message}\n")
    assert len(list(iter_records(tmp_path / "x"))) == 2
    (tmp_path / "y").write_text(message)
    assert len(list(iter_records(tmp_path / "y"))) == 1


@pytest.mark.parametrize("start", [b"", b"{", b"[", b'{"id":"x","turns":[', b"a,b\n", b"PAR1"])
@FUZZ
@given(rest=st.binary(max_size=200))
def test_arbitrary_bytes_raise_nothing_but_a_data_error(
    start: bytes, rest: bytes, tmp_path: Path
) -> None:
    (tmp_path / "x").write_bytes(start + rest)
    only_a_data_error(lambda: list(iter_records(tmp_path / "x")))
    only_a_data_error(lambda: list(iter_records(tmp_path / "x", on_reject=lambda reject: None)))


@pytest.mark.parametrize("head", [b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd"], ids=["gzip", "zstd"])
@FUZZ
@given(rest=st.binary(max_size=100))
def test_damaged_compressed_data_raises_nothing_but_a_data_error(
    head: bytes, rest: bytes, tmp_path: Path
) -> None:
    (tmp_path / "x").write_bytes(head + rest)
    only_a_data_error(lambda: list(iter_records(tmp_path / "x")))


def only_a_data_error(action: Callable[[], object]) -> None:
    """Anything but a DataError fails the test."""
    with suppress(DataError):
        action()


def test_two_keys_of_one_name_are_told_wherever_they_stand(tmp_path: Path) -> None:
    twice = '{"id": "c", "turns": [{"role": "user", "text": "a", "text": "b"}]}'
    told = "the key 'text' stands twice in an object; keep one of them"
    for number, text in enumerate([f"{line('a')}\n{twice}\n", f"[{line('a')}, {twice}]"]):
        path = tmp_path / f"{number}.json"
        path.write_text(text)
        with pytest.raises(DataError, match=rf":2: {told}"):
            list(iter_records(path))
    with pytest.raises(ValueError, match=told):
        decoded('{"text": 1, "text": 2}')


def test_items_after_one_with_a_key_that_stands_twice_are_read(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(f'[{line("a")}, {{"id": 1, "id": 2}}, {line("b")}]')
    found = iter_records(tmp_path / "x.json", on_reject=lambda _: None)
    assert [one.id for one in found if isinstance(one, Conversation)] == ["a", "b"]


@pytest.mark.parametrize("start", [b"{not json\n{again\n", b"[{not json},\n"])
def test_a_bad_beginning_is_told_before_the_rest_is_read(start: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(start + (line("a") + "\n").encode() * 200_000)
    with open(path, "rb") as stream:
        rows = dict(enumerate(_some(stream)))
        assert rows[0].problem is not None
        assert stream.tell() < 1_000_000


def _some(stream: Any) -> list[Row]:
    from assize.formats.rows import _rows

    return list(islice(_rows(stream, "x", None)[1], 1))


def test_small_items_after_a_large_one_take_no_longer_for_it(tmp_path: Path) -> None:
    large = json.dumps({"id": "large", "turns": [{"role": "user", "text": "x" * 5_000_000}]})
    small = ", ".join([line("a")] * 50_000)
    (tmp_path / "x.json").write_text(f"[{large}, {small}]")
    assert sum(1 for _ in iter_records(tmp_path / "x.json")) == 50_001


def test_an_object_over_many_lines_is_one_record(tmp_path: Path) -> None:
    turns = [{"role": "user", "text": "x" * 500, "n": [1, 2]}] * 2000
    (tmp_path / "x.json").write_text(json.dumps({"id": "c", "turns": turns}, indent=2))
    assert [
        one.id for one in iter_records(tmp_path / "x.json") if isinstance(one, Conversation)
    ] == ["c"]


def test_a_cell_without_end_is_no_whole_file(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(b'role,text\nuser,"' + b"x\n" * 10_000_000)
    with pytest.raises(DataError, match=r"x\.csv:2: not a readable table \(field larger"):
        list(iter_records(tmp_path / "x.csv"))


def test_a_date_that_python_has_not_is_a_bad_row_and_no_bad_file(tmp_path: Path) -> None:
    days = pa.array([0, 10_000_000, 1], pa.date32())
    columns = {
        "conversation": ["a", "b", "c"],
        "role": ["user"] * 3,
        "text": ["x"] * 3,
        "day": days,
    }
    pq.write_table(pa.table(columns | {"day": days}), tmp_path / "x.parquet")
    with pytest.raises(DataError, match=r"x\.parquet:2: a value cannot be read \(Ov"):
        list(iter_records(tmp_path / "x.parquet"))
    assert len(list(iter_records(tmp_path / "x.parquet", on_reject=lambda _: None))) == 2
