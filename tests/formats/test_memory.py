"""Rows in memory are what they would be in a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from assize.base.errors import DataError
from assize.formats.memory import arrow_table, frame_rows, is_frame, object_rows


class Stored:
    """What reading needs of a `datasets.Dataset` (the code was tried with datasets 5.2)."""

    num_rows = 2

    def with_format(self, kind: str) -> Stored:
        assert kind == "arrow"
        return self

    def __getitem__(self, rows: slice) -> pa.Table:
        return pa.table({"n": [3, 1]})[rows]

    def __iter__(self) -> Iterator[Any]:
        raise AssertionError("read as columns")


def test_a_row_that_json_has_not_has_a_problem_and_the_next_is_read() -> None:
    bad, good = object_rows([(2, {"x": {"a set"}}), (3, {"x": 1})], "items")
    assert (bad.value, bad.line, good.value, good.line) == (None, 3, {"x": 1}, 4)
    assert bad.problem == ("holds {'a set'} of type set; give text, numbers, lists and dicts")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"n": [3, 1]}, index=["x", "y"]),
        pa.table({"n": [3, 1]}),
        pa.record_batch({"n": [3, 1]}),
        pa.table({"n": [3, 1]}).to_reader(),
        Stored(),
    ],
    ids=lambda frame: type(frame).__name__,
)
def test_frames_are_told_and_give_their_rows(frame: Any) -> None:
    assert is_frame(frame)
    rows = frame_rows(frame, arrow_table(frame, "items"), "items")
    assert [(row.value, row.line) for row in rows] == [({"n": 3}, 1), ({"n": 1}, 2)]


@pytest.mark.parametrize("other", [[], {}, "x", pd.Series([1]), pa.array([1]), pd.DataFrame, 1])
def test_a_column_or_a_list_is_no_frame(other: Any) -> None:
    assert not is_frame(other)


def test_a_pandas_column_of_several_kinds_is_read_row_by_row() -> None:
    frame = pd.DataFrame({"said": ["text", ["a", "list"]], "n": [1.5, np.nan]})
    assert arrow_table(frame, "items") is None
    rows = [row.value for row in frame_rows(frame, None, "items")]
    assert rows == [{"said": "text", "n": 1.5}, {"said": ["a", "list"], "n": None}]


def test_two_columns_of_one_name_are_refused() -> None:
    for frame in (
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        pa.table([[1], [2]], names=["a", "a"]),
    ):
        with pytest.raises(DataError, match=r"^items: the header names 'a' more than once"):
            arrow_table(frame, "items")


def test_what_holds_itself_is_a_row_with_a_problem() -> None:
    turns: list[Any] = []
    turns.append(turns)
    (row,) = object_rows([(0, turns)], "items")
    assert row.problem == "nested too deeply"
