"""The reference page has every promised name once, and each has something to read there."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name

import pytest
from scripts.promised import promised
from tests.test_structure import NAMESPACES

PAGE = Path(__file__).parent.parent / "docs" / "reference.md"
ENTRIES = re.findall(r"^::: (assize\.\S+)$", PAGE.read_text(), flags=re.MULTILINE)
SPACES = ("assize", *(f"assize.{name}" for name in NAMESPACES))
PROMISED = [name for name in promised() if name.rpartition(".")[0] in SPACES]


def test_every_promised_name_of_the_top_and_of_the_namespaces_has_one_entry() -> None:
    assert len(PROMISED) > 200
    assert set(PROMISED) - set(ENTRIES) == set()
    assert [name for name, n in Counter(ENTRIES).items() if n > 1] == []


def test_what_else_stands_there_is_promised_by_its_package() -> None:
    for name in set(ENTRIES) - set(PROMISED) - {"assize.base.errors"}:
        package, _, attribute = name.rpartition(".")
        assert attribute in import_module(package).__all__, name
        assert getattr(import_module(package), attribute).__doc__


def test_names_stand_below_the_heading_of_their_namespace() -> None:
    pieces = re.split(r"^## `assize\.(\w+)`$", PAGE.read_text(), flags=re.MULTILINE)
    for space, text in zip(pieces[1::2], pieces[2::2], strict=True):
        below = text.split("\n## ")[0]
        assert set(re.findall(r"^::: (assize\.\w+)\.\w+$", below, re.M)) == {f"assize.{space}"}
    assert sorted(pieces[1::2]) == sorted(NAMESPACES)


@pytest.mark.parametrize("name", PROMISED)
def test_each_says_what_it_is(name: str) -> None:
    value = resolve_name(name)
    if inspect.isfunction(value) or inspect.isclass(value):
        assert value.__doc__
        assert not value.__doc__.startswith(f"{value.__name__}(")  # a dataclass without a docstring
