"""Names that become judges: readable, distinct, and never mistaken for something else."""

from __future__ import annotations

import pytest

from assize.web._accounts.names import NameRefused, checked_name


@pytest.mark.parametrize(
    "name",
    [
        *("ana", "Ana Ruiz", "r-17", "J. O'Neil", "Zoë", "Мария", "さくら花", "王小明", "नेहा", "7"),
        "rater 2",  # not taken, though others are named nearly so
    ],
)
def test_names_of_many_scripts_are_taken(name: str) -> None:
    assert checked_name(name, ["rater 1", "rater 22"]) == name


def test_spaces_around_and_loose_accents_are_put_right() -> None:
    assert checked_name("  Zoe\u0308 ") == "Zoë"


RECORDS = (
    *("gold", "Gold", "GOLD", "ｇｏｌｄ", "adjudicated", "Adjudicated", "da", "io", "rating"),
    *("evaluator", "anonymous", "local", "unknown", "all", "deleted-1234abcd", "Deleted-x"),
)
"""Names that the records use, in every case and width."""


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
        *((name, "something else") for name in RECORDS),
        *((name, "is taken") for name in ("ana ruiz", "ANA RUIZ", "Ａna Ruiz")),
    ],
)
def test_a_name_that_would_not_stay_readable_or_its_own_is_refused(name: str, why: str) -> None:
    with pytest.raises(NameRefused, match=why):
        checked_name(name, ["Ana Ruiz"])
