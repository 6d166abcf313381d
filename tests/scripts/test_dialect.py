"""Names that say too little are counted wherever they are bound, and may not become more."""

from __future__ import annotations

import ast
import json

import pytest
from scripts.dialect import LIMITS, above, bindings, count, new_names, new_names_of


def names_in(source: str) -> set[str]:
    return {binding.name for binding in bindings(ast.parse(source))}


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
    assert "found" in names_in(source)


def test_a_use_and_a_promised_field_do_not_count() -> None:
    assert names_in("print(found)") == set()
    assert "at" not in names_in("class Judgment:\n    at: str")


def test_no_package_binds_more_than_it_may() -> None:
    counts = count()
    assert sum(counts.values()) > 0
    packages = above(counts, json.loads(LIMITS.read_text()))
    assert packages == [], "`python -m scripts.dialect` lists the names to change"


def test_a_package_above_its_limit_is_named() -> None:
    assert above({"web": 3, "cli": 1}, {"web": 2, "cli": 1}) == ["web"]


def test_a_new_name_is_told_with_its_line_and_better_words() -> None:
    before = "found = 1\n"
    text = "found = 1\nrows = 2\nfound = 3\n"
    (line,) = new_names("web/a.py", text, before)
    assert line.startswith("web/a.py:3: `found` says too little; name the thing, such as matches")
    assert new_names("web/a.py", text, text) == []


def test_names_are_found_in_a_file_that_no_commit_has() -> None:
    assert new_names("new.py", "def told(_place_): ...\n", "") == [
        "new.py:1: `told` says too little; name the thing, such as message, notes",
        "new.py:1: `_place_` says too little; name the thing, such as index, path, field",
    ]


def test_a_package_in_which_nothing_is_new_says_so() -> None:
    assert new_names_of("no such package") == ["(no line is new: was a file moved?)"]
