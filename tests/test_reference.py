"""The reference page has every promised name once, and each has something to read there."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import assize

PAGE = Path(__file__).parent.parent / "docs" / "reference.md"
ENTRIES = re.findall(r"^::: assize\.(\S+)$", PAGE.read_text(), flags=re.MULTILINE)


def test_every_promised_name_has_one_entry() -> None:
    assert set(assize.__all__) <= set(ENTRIES)
    assert [name for name, n in Counter(ENTRIES).items() if n > 1] == []


def test_what_else_stands_there_is_there() -> None:
    for name in set(ENTRIES) - set(assize.__all__):
        module, _, attribute = f"assize.{name}".rpartition(".")
        found = __import__(module, fromlist=[attribute])
        assert getattr(found, attribute).__doc__


@pytest.mark.parametrize("name", [one for one in assize.__all__ if one != "__version__"])
def test_each_says_what_it_is(name: str) -> None:
    said = getattr(assize, name).__doc__
    assert said
    assert not said.startswith(f"{name}(")  # what a dataclass says without a docstring
