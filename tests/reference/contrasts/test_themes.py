"""Themes: named, and none at all."""

from __future__ import annotations

from assize.reference._contrasts.themes import is_same, named_themes


def test_what_says_that_nothing_differs_is_the_same() -> None:
    for text in ("same", " Same. ", "no difference", "-"):
        assert is_same(text)
    assert not is_same("same length, colder")


def test_themes_of_a_cell_are_parted_by_semicolons() -> None:
    assert named_themes(" Longer ;colder; longer;; ") == ("longer", "colder")
    assert named_themes(" ; ") == ()
