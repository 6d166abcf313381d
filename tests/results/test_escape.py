from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.results.escape import printable, printable_line, shortened, visible


@pytest.mark.parametrize(
    "char",
    list("\x00\x1b\x7f\x9b\u202a\u202e\u2066\u2069\ufeff\ud800\U000e0041"),  # the last a hidden tag
)
def test_what_acts_unseen_is_shown_by_its_number(char: str) -> None:
    assert visible(f"a{char}b") == f"a[U+{ord(char):04X}]b"


@pytest.mark.parametrize(
    "text", ["👩🏽‍🚀", "🏳️‍🌈", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "שָׁלוֹם", "می‌خواهم", "e\u0301", "a\n\tb", "\u200fאב"]
)
def test_what_scripts_and_emoji_need_stays(text: str) -> None:
    assert visible(text) == text


@given(st.text())
def test_no_control_override_or_surrogate_survives(text: str) -> None:
    shown = visible(text)
    assert not [
        one
        for one in shown
        if unicodedata.category(one) in {"Cc", "Cs"} - {"Zs"} and one not in "\t\n\r"
    ]
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert visible(shown) == shown


def test_a_terminal_is_shown_no_control_character() -> None:
    assert printable("a\x1b[31mb\u202e\n") == "a\\x1b[31mb\\u202e\n"


@pytest.mark.parametrize(
    "text",
    ["::stop-commands::x", "a\n ::error::x", ":::add-mask::x", "a ##[set-env]", "##vso[task]"],
)
def test_a_ci_server_finds_no_command_in_a_log(text: str) -> None:
    for line in printable(text).splitlines():
        assert not line.strip().startswith("::")
        assert "##[" not in line
        assert "##vso[" not in line


def test_no_line_of_a_note_begins_with_what_it_quotes() -> None:
    assert printable_line("item a\nassize: error: b").splitlines()[1].startswith("  ")


def test_a_long_name_keeps_both_its_ends() -> None:
    found = shortened("the-conversation-with-a-long-id-17")
    assert (len(found), found[:5], found[-3:]) == (24, "the-c", "-17")
    assert shortened("short") == "short"
