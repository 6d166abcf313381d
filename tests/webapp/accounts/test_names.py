"""Names that become judges: readable, distinct, and never mistaken for something else."""

from __future__ import annotations

import pytest

from assize.webapp.accounts.names import NameRefused, checked_name, likeness


@pytest.mark.parametrize(
    "name",
    ["ana", "Ana Ruiz", "r-17", "J. O'Neil", "Zoë", "Мария", "さくら花", "王小明", "नेहा", "7"],
)
def test_names_of_many_scripts_are_taken(name: str) -> None:
    assert checked_name(name) == name


def test_spaces_around_and_loose_accents_are_put_right() -> None:
    assert checked_name("  Zoe\u0308 ") == "Zoë"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "Choose"),
        ("   ", "Choose"),
        ("x" * 61, "61 characters"),
        ("ana@example.org", "'@'"),
        ("ana#2", "'#'"),
        ("calibration:ana", "':'"),
        ("a,b", "','"),
        ("a/b", "'/'"),
        ("<b>", "'<'"),
        ("=1+1", "'='"),
        ("-1", "begins"),
        (".hidden", "begins"),
        ("a  b", "double spaces"),
        ("a\nb", r"U\+000A"),
        ("a\x00b", r"U\+0000"),
        ("a\u202eb", r"U\+202E"),
        ("a\u200db", r"U\+200D"),
        ("a\u200bb", r"U\+200B"),
        ("аna", "mixes alphabets"),  # a Cyrillic letter first
    ],
)
def test_what_would_not_stay_readable_is_refused(name: str, why: str) -> None:
    with pytest.raises(NameRefused, match=why):
        checked_name(name)


@pytest.mark.parametrize(
    "name",
    ["gold", "Gold", "GOLD", "g0ld", "goId", "gօld", "ɡold", "ｇｏｌｄ", "góld", "adjudicated",
     "Adjudlcated", "da", "io", "rating", "evaluator", "anonymous", "local", "unknown", "all",
     "deleted-1234abcd", "De1eted-x"],
)  # fmt: skip
def test_names_that_the_records_use_are_refused_in_every_spelling(name: str) -> None:
    with pytest.raises(NameRefused, match=r"something else|mixes"):
        checked_name(name)


@pytest.mark.parametrize("name", ["ana ruiz", "ANA RUIZ", "Aná Ruiz", "Ana Rulz"])
def test_a_name_that_looks_like_another_is_taken(name: str) -> None:
    with pytest.raises(NameRefused, match="is taken"):
        checked_name(name, ["Ana Ruiz"])


def test_names_that_differ_are_both_taken() -> None:
    assert checked_name("rater 2", ["rater 1", "rater 22"]) == "rater 2"


def test_a_word_of_another_alphabet_may_look_like_one_that_is_taken() -> None:
    assert likeness("соса") == likeness("coca")
