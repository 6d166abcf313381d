from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.browser.example_project import write_project
from tests.web.browser.pictures import PICTURES, make_pictures
from tests.web.browser.serving import served

IMAGES = Path(__file__).parents[3] / "docs" / "images"
LARGEST = 150_000
"""Bytes that a picture may have, so that pages load fast."""


def test_the_pictures_are_made_anew_from_the_example_project(browser: Any, tmp_path: Path) -> None:
    pytest.importorskip("PIL", reason="pillow is not installed")
    write_project(tmp_path / "examples")
    with served(tmp_path / "examples" / "web") as server:
        assert make_pictures(browser, server, tmp_path) == {name: [] for name in PICTURES}
    for name in PICTURES:
        assert 5_000 < (tmp_path / f"{name}.png").stat().st_size < LARGEST, name


@pytest.mark.parametrize("name", PICTURES)
def test_the_documentation_has_the_picture(name: str) -> None:
    assert (IMAGES / f"{name}.png").stat().st_size < LARGEST
    pages = IMAGES.parent.glob("*.md")
    assert any(f"images/{name}.png" in page.read_text(encoding="utf-8") for page in pages)
