"""The tables of a comparison fit a terminal, and hide nothing."""

from __future__ import annotations

from dataclasses import replace

from tests.versions.two_versions import chats_of, two_versions

from assize.conversation import Turn
from assize.versions.comparing import Comparing, compare_all
from assize.versions.tables import EXCERPT, gist
from assize.versions.version import Version

QUICK = Comparing(permutations=499)


def test_tables_are_named_and_fit_80_columns() -> None:
    old, new = two_versions()
    found = compare_all([old, new], how=replace(QUICK, detect=0.1))
    assert list(found.tables) == ["differences", "shares", "power", "regressions"]
    shown = str(found)
    assert "new (90 conversations) against old (90 conversations)" in shown
    assert "(1 of 2)" not in shown
    assert "90 pairs, paired by id (their prompts agree); none left over" in shown
    assert "Needed: conversations a version that show a difference of 0.1" in shown


def test_versions_are_named_where_there_are_several() -> None:
    old, new = two_versions()
    found = compare_all([old, new, Version("newest", new.table, new.items)], how=QUICK)
    assert "newest" in str(found.tables["differences"])
    assert "corrected for 2 comparisons (Holm)" in str(found.tables["differences"])


def test_a_terminal_sequence_in_a_prompt_is_shown_as_text() -> None:
    old, new = two_versions()
    bad = {
        name: replace(item, turns=(Turn("user", "\x1b[31mred"), *item.turns[1:]))
        for name, item in chats_of(new).items()
    }
    before = {
        name: replace(item, turns=(Turn("user", "\x1b[31mred"), *item.turns[1:]))
        for name, item in chats_of(old).items()
    }
    found = compare_all(
        [Version("old", old.table, before), Version("new", new.table, bad)], how=QUICK
    )
    assert "\x1b" not in str(found)
    assert "\\x1b[31mred" in str(found)


def test_an_excerpt_is_the_first_words_of_a_user() -> None:
    old, _ = two_versions(3)
    long = replace(chats_of(old)["c1"], turns=(Turn("user", "word " * 200),))
    assert gist(old.items["c1"]) == "Question 1?"
    assert len(gist(long)) == EXCERPT + 1
