"""Two sources compared, from ratings to themes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.reference.rating_sheets.filling import filled, items

import assize
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.reference._sheets import SheetWritten

GIVEN = items(20, turns=2)
RATINGS = [
    Judgment(
        one.id,
        rater,
        "content",
        answer="2" if one.source == "m1" and at % 3 else "4",
        kind="person",
    )
    for at, one in enumerate(GIVEN)
    for rater in ("r1", "r2")
]


def contrasted(folder: Path, **more: Any) -> SheetWritten:
    arguments = {"ratings": RATINGS, "sources": ("m1", "m2")} | more
    return assize.reference.contrast(GIVEN, out=folder, **arguments)


def label(folder: Path, place: Path) -> Path:
    """m1's rows sound like a template and are longer, m2's are human and the same."""
    from assize.reference._rating_sheets.workbook import read_key

    by_row = {entry.row: entry for entry in read_key(folder).entries}

    def fill(row: str, column: str) -> str:
        first = by_row[row].source == "m1"
        said = ("template", "much longer") if first else ("human", "same")
        return {"phrasing": said[0], "difference": said[1]}.get(column, "")

    return filled(folder, place, fill)


def test_planted_differences_come_back(tmp_path: Path) -> None:
    written = contrasted(tmp_path / "out", n=15)
    differing = written.key.about["differing"]
    assert written.key.about["compared"] == 40
    assert written.key.about["higher"] == [0, differing]
    assert len(written.key.entries) == 30
    sheets = [label(tmp_path / "out", tmp_path / name) for name in ("anna.xlsx", "ben.csv")]
    found = assize.reference.themes(tmp_path / "out", sheets)
    assert [row.sounds_human.estimate for row in found.phrasing] == [0.0, 1.0]
    assert found.difference[0].p < 0.01
    assert [row.theme for row in found.themes] == ["much longer"] * 2 + ["same"] * 2
    assert len(found.judgments) == 30 * 2 * 2


def test_the_draw_hangs_on_the_seed(tmp_path: Path) -> None:
    one = contrasted(tmp_path / "a", n=4).key.entries
    assert one == contrasted(tmp_path / "b", n=4).key.entries
    assert one != contrasted(tmp_path / "c", n=4, seed=1).key.entries


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sources": ("m1", "m1")}, "give two different ones"),
        ({"question": "style"}, "no question 'style'; asked were content"),
        (
            {"ratings": [replace(row, answer="3") for row in RATINGS]},
            "differs at none of the 40 turns",
        ),
        ({"least": -1}, "least: received -1"),
    ],
)
def test_what_is_not_allowed_is_said(
    arguments: dict[str, Any], message: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with pytest.raises((ConfigError, DataError), match=message):
        contrasted(out, **arguments)
    assert not out.exists()


def test_themes_are_in_no_sheet_for_ratings(tmp_path: Path) -> None:
    assize.reference.sheet(GIVEN, tmp_path / "out")
    with pytest.raises(ConfigError, match=r"ratings; read it with assize\.reference\.labels"):
        assize.reference.themes(tmp_path / "out", [tmp_path / "anna.csv"])
