"""Scripts that tests name as `scripted:scripts_for_tests:NAME`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assize.base.errors import AuthenticationError
from assize.models import Request
from assize.models.scripted import any_answer

_left = 0


def reset(*, good: int) -> None:
    """Allows so many answers more."""
    global _left
    _left = good


def loses_key(request: Request) -> str:
    """Answers a few times, then the key is no longer accepted."""
    global _left
    if _left <= 0:
        raise AuthenticationError("the key was withdrawn")
    _left -= 1
    return any_answer(request)


def breaks(request: Request) -> str:
    """Fails as nothing should, now and then."""
    if any("response to pair 3" in message.text for message in request.messages):
        raise _BREAKS[0]
    return any_answer(request)


_BREAKS: list[Exception] = [TypeError("unhashable type")]


def breaks_with(error: Exception) -> None:
    """What `breaks` raises from now on."""
    _BREAKS[0] = error


def by_words(scores: dict[str, Any]) -> Callable[[Request], Any]:
    """Answers by the first of some words that the last message holds."""

    def script(request: Request) -> Any:
        said = " ".join(message.text for message in request.messages)
        found = next(value for word, value in scores.items() if word in said)
        if isinstance(found, Exception):
            raise found
        return found

    return script
