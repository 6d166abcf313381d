"""The page about studies shows what its code prints."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "studies.md"


def test_the_page_shows_what_its_code_prints(capsys: pytest.CaptureFixture[str]) -> None:
    page, _, data = PAGE.read_text().partition("## The data and the methods")
    blocks = re.findall(r"^```(python|text)\n(.*?)^```$", data + page, re.M | re.S)
    assert [kind for kind, _ in blocks].count("text") == 2
    names: dict[str, Any] = {}
    for kind, block in blocks:
        if kind == "python":
            exec(block, names)
        else:
            assert capsys.readouterr().out == block
