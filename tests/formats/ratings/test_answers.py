from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.judgment import PREFERENCE, Question
from assize.formats.ratings.answers import (
    are_answers,
    cell_text,
    defined,
    is_blank,
    odd_answers,
    said,
    spellings,
)


@pytest.mark.parametrize(
    ("cell", "answer", "words"),
    [
        ("4", "4", None),
        ("4.50", "4.5", None),
        ("3,5", "3.5", None),
        ("-1", "-1", None),
        ("4: agree", "4", "agree"),
        ("5 (very good)", "5", "very good"),
        ("2 of 5", "2", None),
        ("4 stars", "4", None),
        ("★★★☆", "3", None),
        ("n/a", "NA", None),
        ("Agree", "Agree", None),
        ("1-2 days", "1-2 days", None),
        ("2026-03-01", "2026-03-01", None),
    ],
)
def test_what_a_cell_says(cell: str, answer: str, words: str | None) -> None:
    assert said(cell) == (answer, words)


def test_blank_cells() -> None:
    assert all(map(is_blank, ["", "NaN", "missing", cell_text(math.nan), cell_text(None)]))
    assert not is_blank("no")


@pytest.mark.parametrize("cell", ["NA", "n/a", "N.A.", "-", "--", "–", "Not applicable"])
def test_what_does_not_apply(cell: str) -> None:
    assert (said(cell).answer, is_blank(cell)) == ("NA", False)


@pytest.mark.parametrize(
    ("odd", "answers"),
    [
        (["3?"], ["1", "2", "3", "4"] * 50),
        (["44"], ["1", "2", "3", "4"] * 50),
        (["3?", "44", "bad"], ["1", "2", "3", "4"] * 50),
        (["x"], ["1", "2"] * 5),
        ([], ["1", "2", "3", "4", "5"] * 50 + ["6"]),  # may be a longer scale
        ([], ["yes", "no"] * 50 + ["3"]),  # no ordered scale
        ([], ["1", "2", "3"] * 10 + ["n.a.", "-", ""]),  # not applicable, and missing
        ([], ["1", "2", "3", "x"]),  # too few to tell
        ([], [str(n) for n in range(90)] + ["900"]),  # no scale of few numbers
        ([], ["1", "2"] * 10 + ["x"] * 5),  # not rare
    ],
)
def test_rare_cells_that_fit_no_scale_are_odd(odd: list[str], answers: list[str]) -> None:
    assert odd_answers([*answers, *odd]) == set(odd)


@given(st.text(max_size=30))
def test_any_cell_says_something(text: str) -> None:
    cell = cell_text(text)
    assert is_blank(cell) or said(cell).answer


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["4", "", "NA", "5 - good"], True),
        (["yes", "No"], True),
        (["", "NA"], False),
        (["it took far too long, and then nothing happened at all", "fine"], False),
        ([f"word {n}" for n in range(20)], False),
    ],
)
def test_free_text_is_no_answer(cells: list[str], expected: bool) -> None:
    assert are_answers(cells) is expected


def test_a_column_has_one_spelling_of_a_word() -> None:
    assert spellings(["Yes", "NO", "yes"])["no"] == "no"
    assert spellings(["Agree", "agree"])["agree"] == "Agree"
    assert spellings(["a", "Fair", "B"]) == {"a": "A", "fair": "tie", "b": "B"}
    assert spellings(["both", "same"])["both"] == "both"  # nothing here says that it is a choice


@pytest.mark.parametrize(
    ("cell", "question", "answer"),
    [
        ("N/A indeed", Question("why", kind="text"), "N/A indeed"),
        ("3.0", Question("n", kind="number"), "3"),
        ("response a", PREFERENCE, "A"),
        ("perhaps", PREFERENCE, None),
        ("n/a", PREFERENCE, "NA"),
    ],
)
def test_a_definition_says_which_answer_is_meant(
    cell: str, question: Question, answer: str | None
) -> None:
    assert defined(cell, question) == answer
