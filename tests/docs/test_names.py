"""The names, files and places that the pages' sentences refer to are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name

import pytest
from tests.docs.pages import PAGES, ROOT

_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"`(assize(?:\.\w+)+)")
_FILE = re.compile(
    r"\b(?:tests|benchmarks|design|scripts|examples|src/assize)/[\w./-]+\.(?:py|md|jsonl)"
)
_LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")


def sentences(page: str) -> str:
    """A page without its blocks of code."""
    return _CODE.sub("", PAGES[page].read_text())


def is_there(name: str) -> bool:
    """Whether a dotted name is a module, or stands in one, or in what stands there."""
    try:
        import_module(name)
    except ImportError:
        outer, _, last = name.rpartition(".")
        return "." in name and is_there(outer) and hasattr(resolve_name(outer), last)
    return True


def anchors(page: Path) -> Iterator[str]:
    """What a link can say behind `#`: headings as the site writes them, documented names."""
    yield from re.findall(r"^::: ([\w.]+)$", page.read_text(), re.MULTILINE)
    for heading in re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


@pytest.mark.parametrize("page", PAGES)
def test_every_name_of_the_package_is_there(page: str) -> None:
    assert not [name for name in _NAME.findall(sentences(page)) if not is_there(name)]


@pytest.mark.parametrize("page", PAGES)
def test_no_page_shows_a_private_module(page: str) -> None:
    """A user's code rests on promised names alone."""
    assert not re.findall(r"assize(?:\.\w+)*\._[a-z]\w*", PAGES[page].read_text())


@pytest.mark.parametrize("page", PAGES)
def test_every_file_of_the_repository_is_there(page: str) -> None:
    named = _FILE.findall(sentences(page))
    assert not [name for name in named if not (ROOT / name).exists()]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    here = PAGES[page]
    lost = []
    for target, anchor in _LINK.findall(sentences(page)):
        file = here.parent / target if target else here
        if not file.exists() or (anchor and anchor not in anchors(file)):
            lost.append(f"{target}#{anchor}")
    assert not lost


def test_a_name_that_is_not_there_is_noticed() -> None:
    assert is_there("assize.stats.alpha")
    assert is_there("assize.judge.plan")
    assert not is_there("assize.stats.no_such_statistic")
