"""The page of `assize study acts`."""

from __future__ import annotations

from pathlib import Path

from acts_voted import PAIR, Q, T, held, ours, row
from tests.pages.conftest import page_of

from assize import study

HOSTILE = "<script>alert(1)</script>"


def test_the_page_has_a_picture_of_every_figure_and_every_table(tmp_path: Path) -> None:
    rows = [
        row("da@m", ours([Q], [T], [T], a=[T], b=[Q])),
        row("maxim@m", {"maxims": held(better=2)}),
        row("maxim@m", {"maxims": held(better=1)}, order="BA"),
    ]
    result = study.acts(sets={"HH": [*rows, PAIR], HOSTILE: [*rows, PAIR]})
    text = page_of(result, tmp_path, reproduce=["assize study acts x"])
    assert text.count("<caption") == len(result.tables)
    # table 1, figure 3cd, then by set functions, dimensions and maxims, and one of distinct acts
    assert text.count("<svg") == 2 + 3 * 2 + 1
    assert "by the second 100.0% of pairs favour the chosen response" in text
    assert "assize study acts x" in text
    assert HOSTILE not in text


def test_a_page_without_acts_or_maxims_leaves_their_pictures_out(tmp_path: Path) -> None:
    result = study.acts([row("maxim@m", {"maxims": held(better=2)})], items=[PAIR])
    text = page_of(result, tmp_path)
    assert text.count("<svg") == 1
    assert "no judge of acts has a valid vote" in text
