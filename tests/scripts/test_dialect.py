"""Names of the old dialect are counted wherever they are bound, and may not become more."""

from __future__ import annotations

import ast
import json

import pytest
from scripts.dialect import LIMITS, above, bindings, count


@pytest.mark.parametrize(
    "source",
    [
        "found = 1",
        "def f(found): ...",
        "for found in x: ...",
        "[1 for found in x]",
        "with x as found: ...",
        "def found(): ...",
        "class C:\n    found: int",
        "x = (found := 1)",
    ],
)
def test_every_way_to_bind_a_name_counts(source: str) -> None:
    assert "found" in set(bindings(ast.parse(source)))


def test_a_use_and_a_promised_field_do_not_count() -> None:
    assert set(bindings(ast.parse("print(found)"))) == set()
    assert "at" not in set(bindings(ast.parse("class Judgment:\n    at: str")))


def test_no_package_binds_more_than_it_may() -> None:
    counts = count()
    assert sum(counts.values()) > 0
    assert above(counts, json.loads(LIMITS.read_text())) == []


def test_a_package_above_its_limit_is_named() -> None:
    assert above({"web": 3}, {"web": 2}) == ["web binds 3 names of the old dialect; it may bind 2"]
