"""Items and judgments that the tests of the report share."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Judgment, Question
from assize.pages.result_page import write_result

OVERALL = Question("overall", kind="number", range=(0, 1))


def conversation(name: str, *texts: str, **given: Any) -> Conversation:
    """Turns by user and assistant in turn."""
    roles = ("user", "assistant")
    turns = tuple(Turn(roles[place % 2], text) for place, text in enumerate(texts))  # type: ignore[arg-type]
    return Conversation(name, turns, **given)


def score(item: str, value: float | None = None, **given: Any) -> Judgment:
    """A judgment of `overall` by judge `j`, unless said otherwise."""
    named = {"judge": "j", "question": "overall", "score": value} | given
    return Judgment(item, **named)


@pytest.fixture
def make_conversation() -> Callable[..., Conversation]:
    return conversation


@pytest.fixture
def make_score() -> Callable[..., Judgment]:
    return score


@pytest.fixture
def overall() -> Question:
    return OVERALL


def page_of(result: Any, folder: Path, **options: Any) -> str:
    """Write the page of a result, and return its text."""
    path = folder / "page.html"
    size = write_result(path, result, **options)
    assert path.stat().st_size == size
    return path.read_text("utf-8")


class Tags(HTMLParser):
    """The elements with their attributes, and the text, as a browser would see them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture
def parse_html() -> Callable[[str], Tags]:
    return Tags
