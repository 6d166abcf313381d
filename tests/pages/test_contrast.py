"""The page of two sources."""

from __future__ import annotations

from pathlib import Path

from tests.pages.conftest import page_of
from tests.reference.contrasts.test_result import contrast, planted, said


def test_the_page_shows_both_charts_and_how_turns_were_chosen(tmp_path: Path) -> None:
    found = contrast(planted() + planted("ben"))
    command = "assize reference themes out anna.xlsx"
    page = page_of(found, tmp_path, reproduce=[command])
    assert page.count("<svg role=") == 2
    assert "6 turns drawn (seed 0) from 9 of 12 at which people&#39;s content differs" in page
    assert command in page
    assert "alpha between raters" in page
    assert found.signature in page


def test_what_raters_wrote_is_text_and_nothing_else(tmp_path: Path) -> None:
    rows = planted() + said("k0m1", "ben", phrasing="human", difference="<script>x</script>")
    page = page_of(contrast(rows), tmp_path)
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_without_notes_there_are_no_themes(tmp_path: Path) -> None:
    found = contrast(said("k0m1", "anna", phrasing="human"))
    assert "In what they differ" not in page_of(found, tmp_path)
