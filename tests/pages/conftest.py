"""Items and judgments that the tests of the report share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chromium import browser

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Judgment
from assize.pages.result_page import write_result

__all__ = ["browser"]


def conversation(name: str, *texts: str, **given: Any) -> Conversation:
    """Turns by user and assistant in turn."""
    roles = ("user", "assistant")
    turns = tuple(Turn(roles[place % 2], text) for place, text in enumerate(texts))  # type: ignore[arg-type]
    return Conversation(name, turns, **given)


def score(item: str, value: float | None = None, **given: Any) -> Judgment:
    """A judgment of `overall` by judge `j`, unless said otherwise."""
    return Judgment(item, **{"judge": "j", "question": "overall", "score": value, **given})


def page_of(result: Any, folder: Path, **options: Any) -> str:
    """Write the page of a result, and return its text."""
    path = folder / "page.html"
    size = write_result(path, result, **options)
    assert path.stat().st_size == size
    return path.read_text("utf-8")
