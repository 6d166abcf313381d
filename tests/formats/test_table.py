"""The table of formats and its page."""

from __future__ import annotations

from pathlib import Path

from assize.formats import FORMATS

PAGE = Path(__file__).parents[2] / "docs" / "formats-reference.md"


def test_every_format_stands_on_the_page() -> None:
    text = PAGE.read_text()
    assert FORMATS
    assert [name for name in FORMATS if f"`{name}`" not in text] == []


def test_what_the_page_says_is_written_can_be_written() -> None:
    rows = [
        line.split("|")
        for line in PAGE.read_text().partition("\n## ")[0].splitlines()
        if line.startswith("| `") and "`--format`" not in line
    ]
    said = {
        name.strip(" `"): written.strip() == "yes"
        for _, names, *_, written, _ in rows
        for name in names.split(",")
    }
    assert said == {name: one.unparse is not None for name, one in FORMATS.items()}
