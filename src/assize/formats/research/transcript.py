"""Reading a conversation's history from one cell: a list, or a `Human: .. AI: ..` transcript."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from typing import Any

from assize.errors import DataError

_ROLES = {
    **dict.fromkeys(("human", "user", "person", "customer"), "user"),
    **dict.fromkeys(("ai", "assistant", "bot", "gpt", "chatbot", "model", "agent"), "assistant"),
    "system": "system",
}
_SPEAKER = re.compile(rf"(?im)^[ \t]*\**({'|'.join(_ROLES)})\**[ \t]*:\**[ \t]*")
_WHO = ("role", "from", "speaker", "author")
_WHAT = ("content", "text", "value", "message")


def read_history(cell: Any) -> list[dict[str, str]]:
    """The turns of a history, `{"role", "text"}` each; an empty cell has none.

    A list may stand as JSON or as Python prints it; it holds messages with a role and a
    text, or texts alone, which then begin with the speaker or, where none does,
    alternate, the user first. In a transcript each turn begins on a line of its own
    with `Human:`, `User:`, `AI:` or `Assistant:`; other lines belong to the turn above.

    >>> read_history("Human: Hi\\nAI: Hello,\\nyou.")
    [{'role': 'user', 'text': 'Hi'}, {'role': 'assistant', 'text': 'Hello,\\nyou.'}]
    """
    listed = cell if isinstance(cell, list) else _listed(str(cell))
    if listed is None:
        return _transcript(str(cell))
    if all(isinstance(part, str) for part in listed):
        return _texts(listed)
    return [_message(part) for part in listed]


def _listed(text: str) -> list[Any] | None:
    text = text.strip()
    if not (text.startswith("[") and text.endswith("]")):
        return None
    for load in (json.loads, ast.literal_eval):
        try:
            found = load(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return found if isinstance(found, list) else None
    return None


def _texts(texts: list[str]) -> list[dict[str, str]]:
    if texts and all(_SPEAKER.match(text) for text in texts):
        return [turn for text in texts for turn in _transcript(text)]
    return [
        {"role": "assistant" if place % 2 else "user", "text": text}
        for place, text in enumerate(texts)
    ]


def _message(part: Any) -> dict[str, str]:
    if not isinstance(part, Mapping):
        raise DataError(f"received {ascii(part)[:60]}; expected a message with role and text")
    who = next((part[name] for name in _WHO if name in part), None)
    text = next((part[name] for name in _WHAT if name in part), None)
    if not isinstance(text, str):
        raise DataError(f"a message has no text under {', '.join(_WHAT)}")
    role = _ROLES.get(str(who).strip().lower())
    if role is None:
        raise DataError(f"received speaker {ascii(who)[:60]}; known are {', '.join(_ROLES)}")
    return {"role": role, "text": text}


def _transcript(text: str) -> list[dict[str, str]]:
    if not text.strip():
        return []
    marks = list(_SPEAKER.finditer(text))
    if not marks or text[: marks[0].start()].strip():
        raise DataError(
            f"received {ascii(text)[:60]}; expected a JSON list of messages, or a transcript"
            " in which every turn begins with `Human:`, `User:`, `AI:` or `Assistant:`"
        )
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return [
        {"role": _ROLES[mark[1].lower()], "text": text[mark.end() : end].strip()}
        for mark, end in zip(marks, ends, strict=True)
    ]
