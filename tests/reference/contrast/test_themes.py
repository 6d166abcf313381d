"""Themes: named, found by a model, and none at all."""

from __future__ import annotations

import pytest

from assize.errors import AnswerError, ConfigError
from assize.reference.contrast.themes import (
    MOST_TEXTS,
    OTHER,
    grouping,
    is_same,
    named_themes,
    texts_to_group,
    themes_by_text,
)

TEXTS = ("longer", "much longer", "colder", "odd")
ANSWER = {
    "themes": [
        {"name": "Length", "differences": [2, 1]},
        {"name": "tone", "differences": [3, 1]},
    ]
}


def test_what_says_that_nothing_differs_is_the_same() -> None:
    for text in ("same", " Same. ", "no difference", "-"):
        assert is_same(text)
    assert not is_same("same length, colder")


def test_themes_of_a_cell_are_parted_by_semicolons() -> None:
    assert named_themes(" Longer ;colder; longer;; ") == ("longer", "colder")
    assert named_themes(" ; ") == ()


def test_each_different_note_is_shown_once() -> None:
    assert texts_to_group(["Longer", "same", "longer", "colder"]) == ("Longer", "colder")
    many = [f"note {n}" for n in range(MOST_TEXTS + 1)]
    with pytest.raises(ConfigError, match="fill in the column theme instead"):
        texts_to_group(many)


def test_a_models_themes_are_given_to_each_note() -> None:
    call = grouping(TEXTS, 8)
    found = themes_by_text(TEXTS, call.check(ANSWER))
    assert found == {
        "longer": ("length", "tone"), "much longer": ("length",), "colder": ("tone",),
        "odd": (OTHER,),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("themes", "told"),
    [
        ([{"name": "a", "differences": [5]}], "there is no difference 5"),
        ([{"name": "a", "differences": []}, {"name": "A", "differences": []}], "is there twice"),
        ([{"name": " ", "differences": []}], "a theme is empty"),
        ([{"name": "a" * 41, "differences": []}], "40 are the most"),
        ([{"name": str(n), "differences": []} for n in range(4)], "4 themes; 3 are the most"),
    ],
)
def test_what_a_model_must_not_say_is_asked_again(themes: list[object], told: str) -> None:
    with pytest.raises(AnswerError, match=told):
        grouping(TEXTS, 3).check({"themes": themes})


def test_a_likely_answer_is_one_that_passes() -> None:
    import json

    call = grouping(TEXTS, 3)
    assert call.likely is not None
    assert call.check(json.loads(call.likely()))
