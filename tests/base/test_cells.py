"""Cells that a spreadsheet would run as a formula."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.cells import guarded, unguarded
from assize.base.judgment import Judgment
from assize.formats import write
from assize.formats.reading import iter_records


def test_a_cell_that_looks_like_a_formula_is_guarded_and_restored(tmp_path: Path) -> None:
    row = Judgment("=cmd", "'+judge", "@q", answer="-1", explanation="'tis", score=-2.0)
    write(tmp_path / "x.csv", [row])
    assert "\n'=cmd,''+judge,'@q,'-1,-2.0," in (tmp_path / "x.csv").read_text()
    assert list(iter_records(tmp_path / "x.csv")) == [row]


@pytest.mark.parametrize(
    "start",
    [
        "=",
        "+",
        "-",
        "@",
        "\t",
        "\r",
        "'=",
        "''@",
        "\n=",
        " \n+",
        "\xa0@",
        "\ufeff=",
        "\uff1d",
        "\x1b=",
        "\u2060=",
        "\u202e@",
        "\xad-",
        "\U000e0041=",
    ],
)
def test_text_that_starts_like_a_formula_gets_one_more_quote(start: str) -> None:
    assert guarded(f"{start}x") == f"'{start}x"


@pytest.mark.parametrize("cell", ["", "1+1", "a=b", "'tis", " 1", "\nx", -2.0, 3, None])
def test_any_other_cell_stays_as_it_is(cell: Any) -> None:
    assert guarded(cell) == cell


@given(st.text("'=+-@\t\r\nx ", max_size=5) | st.text())
def test_any_text_comes_back_from_its_cell(text: str) -> None:
    assert unguarded(guarded(text)) == text


@given(st.text("'=+-@\t\r\nx ", max_size=5) | st.text())
def test_no_guarded_cell_starts_like_a_formula(text: str) -> None:
    assert not guarded(text).startswith(("\t", "\r"))
    assert not guarded(text).strip().startswith(("=", "+", "-", "@"))
