from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.reference._metrics.surface.style import BLOCK, BLOCKS, WIDTH, Style


def value(text: str, name: str, of: str = "shape") -> float:
    names: Any = BLOCKS[of]
    return float(Style.of(text).row[BLOCK[of]][names.index(name)])


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("question", "Which one?", 1),
        ("question", "Which one", 1),
        ("question", "Which one is best. Say so.", 0),
        ("question", "哪一个？", 1),
        ("question", "你要吗", 1),
        ("question", "I know which.", 0),
        ("question", "", 0),
        ("sentiment", "That is great, thanks!", 2 / 3),
        ("sentiment", "That is not good.", -0.5),
        ("sentiment", "I don't think this is terrible", -0.5),  # too far from the not
        ("sentiment", "🙂", 0.5),
        ("repetition", "go on go on go on", 3 / 5),  # of the pairs were said before
        ("repetition", "go", 0),
        ("polarity", "Yes.", 1),
        ("polarity", "No, sorry.", -1),
        ("polarity", "Perhaps.", 0),
    ],
)
def test_marks_of_style_by_hand(name: str, text: str, expected: float) -> None:
    assert value(text, name) == pytest.approx(expected)


def test_a_letter_is_formal_and_a_chat_is_not() -> None:
    assert value("We would kindly request your assistance.", "formality") > 0.5
    assert value("yeah gonna be soooo cool!!", "formality") < -0.5


def test_format_is_seen() -> None:
    found = Style.of("# Head\n\n- one\n- **two**\n\n1. three `code`\n| a | b |\nhttps://x.y").row
    assert list(found[BLOCK["format"]]) == [1, 1, 1, 1, 1, 1, 1, 1]
    assert not any(Style.of("No format here - at all.").row[BLOCK["format"]])


def test_names_and_numbers_are_found() -> None:
    found = Style.of("Then Ann met NATO in Leeds. Two of 1,200 came at 9:30.")
    assert list(found.names) == ["ann", "nato", "leeds"]
    assert list(found.numbers) == ["1200", "9:30", "2"]


@given(st.text())
def test_any_text_has_a_row_of_finite_numbers(text: str) -> None:
    row = np.array(Style.of(text).row)
    assert row.shape == (WIDTH,)
    assert np.isfinite(row).all()
    assert -1 <= value(text, "sentiment") <= 1
    assert -1 <= value(text, "formality") <= 1


@pytest.mark.parametrize(
    "piece", [".", "\n", " ", "|", "`", "*", "_", "?!", "a-", "1.", "as an ", "i am "]
)
def test_no_text_is_read_more_than_a_few_times(piece: str) -> None:
    # what looks at each place for all that follows would take hours here
    assert np.isfinite(Style.of("x" + piece * 100_000 + "x").row).all()
