from __future__ import annotations

import pytest

from assize.evaluator._features.words import TextMarks, words


def test_words_are_lower_case_and_without_punctuation() -> None:
    assert words("Hello, WORLD! 3.5 it’s") == ("hello", "world", "3", "5", "it’s")


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("hahaha", "praises"),
        ("That makes no sense", "complains"),
        ("You said that already", "complains"),
        ("what?? no", "complains"),
        ("Sorry, what do you mean", "unsure"),
        ("I don’t understand", "unsure"),
        ("you're kind", "addresses"),
    ],
)
def test_a_mark_is_found(text: str, mark: str) -> None:
    assert getattr(TextMarks.of(text), mark)


@pytest.mark.parametrize("text", ["Greatly", "robotics", "young", "the sensei"])
def test_parts_of_words_are_no_marks(text: str) -> None:
    one = TextMarks.of(text)
    assert {one.praises, one.complains, one.unsure, one.addresses} == {False}
