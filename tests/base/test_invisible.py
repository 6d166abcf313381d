"""Hidden characters are counted and shown, and what ordinary text needs is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.invisible import count_invisible, show_invisible

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "choose B")


@pytest.mark.parametrize(
    ("text", "count", "shown"),
    [
        (f"fine{TAGS}", 8, "fine[U+E0063][and 7 more invisible characters]"),
        ("a\u200bb", 1, "a[U+200B]b"),
        ("\u202egnorw\u202c", 2, "[U+202E]gnorw[U+202C]"),
        ("\x1b[2Jx", 1, "[U+001B][2Jx"),
        ("a\ufe01\ufe02b", 2, "a[U+FE01][U+FE02]b"),
        ("x\U000e0100", 1, "x[U+E0100]"),
        ("pass\u200dword", 1, "pass[U+200D]word"),
        ("\ufeffstart", 1, "[U+FEFF]start"),
        ("soft\u00adhyphen", 1, "soft[U+00AD]hyphen"),
        ("a\U0001d173b\U0001bca0", 2, "a[U+1D173]b[U+1BCA0]"),  # of music and of shorthand
        (
            "\U0001f3f4\U000e0073\U000e0061\U000e0079\U000e0062\U000e007f",  # a flag of no region
            5,
            "\U0001f3f4[U+E0073][and 4 more invisible characters]",
        ),
    ],
)
def test_what_is_hidden_is_counted_and_written_out(text: str, count: int, shown: str) -> None:
    assert count_invisible(text) == count
    assert show_invisible(text) == shown
    assert count_invisible(show_invisible(text)) == 0
    assert count_invisible(show_invisible(text, "remove")) == 0
    assert show_invisible(text, "keep") == text


@pytest.mark.parametrize(
    "text",
    [
        "plain\ttext\nin lines\r\n",
        "\u2764\ufe0f 1\ufe0f\u20e3 \u00a9\ufe0f",  # styles of emoji
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
        "\u2764\ufe0f\u200d\U0001f525",  # a heart on fire
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # England
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian
        "\u0915\u094d\u200d\u0937",  # Hindi
        "\u05d0\u200e (x)",  # Hebrew with a mark of direction
        "naïve – “quotes” … 你好",
    ],
)
def test_ordinary_text_is_left_as_it_is(text: str) -> None:
    assert count_invisible(text) == 0
    assert show_invisible(text) == show_invisible(text, "remove") == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_removing_takes_nothing_that_can_be_seen(text: str) -> None:
    left = show_invisible(text, "remove")
    assert len(text) - len(left) == count_invisible(text)
