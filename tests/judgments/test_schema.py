"""Rows become columns and come back as they were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judgments.conftest import judgments

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Unscored, Usage
from assize.judgments.schema import NAME, SCHEMA, from_rows, shares_array, to_rows


@given(st.lists(judgments(), max_size=12))
def test_every_judgment_comes_back_as_it_was(rows: list[Judgment]) -> None:
    table = from_rows(rows)
    assert table.schema.equals(SCHEMA, check_metadata=True)
    assert list(to_rows(table)) == rows


def test_half_a_character_becomes_a_mark() -> None:
    half = Judgment(
        "i\ud800",
        "j",
        "q",
        extra={"mood": "\ud800"},
        unscored=Unscored("x"),
        usage=Usage(1, 2, extra={"n": 1}),
        details={"a": None},
    )
    (found,) = to_rows(from_rows([half]))
    assert found == replace(half, item="i\ufffd", extra={"mood": "\ufffd"})


def test_a_count_beyond_64_bits_is_refused() -> None:
    with pytest.raises(DataError, match="a count is too large"):
        from_rows([Judgment("i", "j", "q", answer="1", repeat=1 << 70)])


def test_details_that_json_does_not_know_are_refused() -> None:
    with pytest.raises(TypeError, match="details hold a object"):
        from_rows([Judgment("i", "j", "q", details={"x": object()})])


def test_many_rows_come_back_batch_by_batch() -> None:
    rows = [Judgment(str(n), "j", "q", distribution={"1": 0.5, "2": 0.5}) for n in range(20_000)]
    assert list(to_rows(from_rows(rows))) == rows


def test_distributions_are_made_from_their_parts() -> None:
    answers = pa.array(["1", "2", "1"]).dictionary_encode().cast(NAME)
    found = shares_array(
        answers,
        pa.array([0.25, 0.75, 1.0]),
        np.array([0, 2, 2, 3]),
        missing=np.array([False, True, False]),
    )
    first = [{"answer": "1", "p": 0.25}, {"answer": "2", "p": 0.75}]
    assert found.to_pylist() == [first, None, [{"answer": "1", "p": 1.0}]]


@pytest.mark.parametrize("text", ["{", "[1]"])
def test_a_column_of_text_that_is_no_object_is_told(text: str) -> None:
    table = from_rows([Judgment("i", "j", "q", answer="1")])
    place = SCHEMA.names.index("details")
    bad = table.set_column(place, SCHEMA.field("details"), pa.array([text]))
    with pytest.raises(DataError, match="details: "):
        list(to_rows(bad))
