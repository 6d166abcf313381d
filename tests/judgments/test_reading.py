"""Columns from elsewhere: what is taken as it stands, and what is looked at row by row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Unscored, Usage
from assize.judgments.reading import check_version, conform, problem_of
from assize.judgments.schema import SCHEMA, VERSION, VERSION_KEY, from_rows, to_rows

GOOD = Judgment("i", "j", "q", answer="1", distribution={"1": 0.5}, outside=0.5, kind="model")


def test_a_table_in_the_schema_is_taken_as_it_is() -> None:
    table = from_rows([GOOD])
    assert conform(table).equals(table)
    assert problem_of(table) is None


def test_json_text_of_the_first_schema_is_read() -> None:
    old = pa.table(
        {
            "item": ["i"],
            "judge": ["j"],
            "question": ["q"],
            "distribution": ['{"1": 0.5}'],
            "unscored": ['{"reason": "parse", "message": "m"}'],
            "usage": ['{"input_tokens": 3}'],
            "details": ['{"a": [1]}'],
        }
    )
    assert list(to_rows(conform(old))) == [
        Judgment(
            "i",
            "j",
            "q",
            distribution={"1": 0.5},
            unscored=Unscored("parse", "m"),
            usage=Usage(3),
            details={"a": [1]},
        )
    ]


@pytest.mark.parametrize(
    "bad",
    [
        {"answer": None, "distribution": None},  # nothing was judged
        {"distribution": {"1": 1.5}},
        {"distribution": {"1": -0.1}},
        {"distribution": {"1": float("nan")}},
        {"distribution": {"1": 0.6}, "outside": 0.6},
        {"outside": 2.0},
        {"score": float("inf")},
        {"order": "CD"},
        {"kind": "dog"},
        {"turn": -1},
        {"repeat": -1},
        {"item": ""},
    ],
)
def test_a_row_that_is_no_judgment_is_seen(bad: dict[str, Any]) -> None:
    assert problem_of(from_rows([GOOD, replace(GOOD, **bad)])) is not None


def test_a_missing_name_is_seen() -> None:
    table = from_rows([GOOD])
    names = pa.array([None], pa.string()).dictionary_encode()
    assert problem_of(table.set_column(0, SCHEMA.field("item"), names)) is not None


def test_a_later_version_is_refused() -> None:
    check_version(None, "x")
    check_version({VERSION_KEY: str(VERSION).encode()}, "x")
    with pytest.raises(DataError, match=r"x: judgments of schema version 9; this assize reads 2"):
        check_version({VERSION_KEY: b"9"}, "x")


def test_a_column_of_another_kind_is_refused_by_name() -> None:
    with pytest.raises(DataError, match="column 'score' holds string"):
        conform(pa.table({"item": ["i"], "judge": ["j"], "question": ["q"], "score": ["high"]}))
