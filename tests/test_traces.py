"""The traces of the page on architecture name files that are there, mostly at most eight."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "contributing" / "architecture.md").read_text()
BLOCK = re.search(r"^## Ten traces$.*?^```text\n(.*?)^```$", PAGE, re.M | re.S)
assert BLOCK is not None
TRACES = dict(re.findall(r"^(\w[\w ]*?) {2,}((?:.*\n)(?: +.*\n)*)", BLOCK[1], re.M))
LONGER = {"reference score": 11}  # the machinery of a run, and then its own


def test_there_are_ten() -> None:
    assert len(TRACES) == 10
    assert set(LONGER) < set(TRACES)


@pytest.mark.parametrize("command", TRACES)
def test_every_file_of_a_trace_is_there(command: str) -> None:
    files = re.findall(r"[\w/]+\.py", TRACES[command])
    assert [name for name in files if not (ROOT / "src" / "assize" / name).exists()] == []


@pytest.mark.parametrize("command", TRACES)
def test_a_trace_is_short_unless_it_asks_judges(command: str) -> None:
    path = re.sub(r"\[[^\]]*\]", "", TRACES[command])  # in brackets: what is read beside it
    count = len(re.findall(r"[\w/]+\.py", path))
    assert count == LONGER[command] if command in LONGER else count <= 8
