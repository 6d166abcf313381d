"""Rows in memory are what they would be in a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionMessage

from assize.base.conversation import Turn
from assize.base.errors import DataError
from assize.formats.memory import arrow_table, frame_rows, is_frame, json_value, object_rows

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


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


@given(JSON)
def test_what_json_holds_stays_as_it_is(value: Any) -> None:
    assert json_value(value) == json.loads(json.dumps(value))


def test_what_python_holds_besides_becomes_what_json_has() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    values = {1: ("a", np.array([1, 2])), "at": noon, "id": UUID(int=1), "n": np.int64(7)}
    assert json_value(values) == {
        "1": ["a", [1, 2]],
        "at": "2026-01-01T12:00:00+00:00",
        "id": "00000000-0000-0000-0000-000000000001",
        "n": 7,
    }
    assert json_value([b"\0", Decimal("1.5"), Path("a")]) == ["AA==", "1.5", "a"]


def test_a_models_message_and_a_turn_are_objects_without_what_is_absent() -> None:
    message = ChatCompletionMessage(role="assistant", content="hi")
    assert json_value([message, Turn("user", "hi")]) == [
        {"content": "hi", "role": "assistant"},
        {"role": "user", "text": "hi"},
    ]


def test_what_holds_itself_nests_too_deeply() -> None:
    turns: list[Any] = []
    turns.append(turns)
    with pytest.raises(ValueError, match="nested too deeply"):
        json_value(turns)


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
