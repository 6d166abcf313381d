"""Chat histories in one cell of a table: lists of messages, and transcripts, marked up or not."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from html import unescape
from itertools import pairwise
from typing import Any

from assize.base.errors import DataError, shorten
from assize.formats.transcripts import speaker_mark, split_at_marks

_ROLES = {
    **dict.fromkeys(("human", "user", "person", "customer"), "user"),
    **dict.fromkeys(("ai", "assistant", "bot", "gpt", "chatbot", "model", "agent"), "assistant"),
    "system": "system",
}
_NAMES = "|".join(_ROLES)
_SPEAKER = speaker_mark(frozenset(_ROLES))
_INSIDE = re.compile(rf"(?i)(?<=\s)({_NAMES})[ \t]?:[ \t]")
_WHO = ("role", "from", "speaker", "author")
_WHAT = ("content", "text", "value", "message")

_BLOCK = re.compile(r"(?i)</?(?:p|div|br|ol|ul|li)\b[^<>]*>")
_INLINE = re.compile(r"(?i)</?(?:i|b|em|strong|span)\b[^<>]*>")
_PAGE = re.compile(r"(?i)<(?:p|div|ol|ul|i|b|em|strong|span)\b[^<>]*>")
_TAGGED = re.compile(rf"(?i)<(i|b|em|strong|span)\b[^<>]*>({_NAMES})[ \t]*:?</\1>[ \t]*:?")
_STARRED = re.compile(rf"(?i)(\*+)({_NAMES})\1[ \t]?:")


def read_history(cell: Any) -> list[dict[str, str]]:
    """The turns of a history, `{"role", "text"}` each; an empty cell has none.

    A list may stand as JSON or as Python prints it; it holds messages with a role and a
    text, or texts alone, which then begin with the speaker or, where none does,
    alternate, the user first. In a transcript each turn begins on a line of its own
    with `Human:`, `User:`, `AI:` or `Assistant:`; other lines belong to the turn above.

    As UPHELD's tables have them, transcripts may be marked up (`<p>user: ...</p>`), and
    speakers set off (`<i>user</i> :`, `*user* :`), which then begin a turn anywhere. In a
    transcript of one line bare speakers do so too where that makes the two alternate and
    the first one has the last word, as in every history that an assistant answers.

    >>> read_history("Human: Hi\\nAI: Hello,\\nyou.")
    [{'role': 'user', 'text': 'Hi'}, {'role': 'assistant', 'text': 'Hello,\\nyou.'}]
    >>> [turn["text"] for turn in read_history("<i>user</i> : Hi. <i>assistant</i> : Yes?")]
    ['Hi.', 'Yes?']
    """
    listed = cell if isinstance(cell, list) else _listed(str(cell))
    if listed is None:
        return _transcript(_lines(str(cell)))
    if all(isinstance(part, str) for part in listed):
        return _texts(listed)
    return [_message(part) for part in listed]


def without_markup(text: str) -> str:
    """The text of a piece of a page; any other text as it is.

    A piece of a page is what begins with a tag of text, such as `<p>`: its paragraphs and
    list entries become lines, and entities what they stand for.

    >>> without_markup("<p>Two &amp; two.</p> <p><b>Four</b>.</p>"), without_markup("a <p> tag")
    ('Two & two.\\n\\nFour.', 'a <p> tag')
    """
    if _PAGE.match(text.lstrip()) is None:
        return text
    plain = unescape(_INLINE.sub("", _BLOCK.sub("\n", text)))
    lines: list[str] = []
    for line in map(str.strip, plain.strip().split("\n")):
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines)


def _lines(text: str) -> str:
    """A transcript with each turn on a line of its own."""
    start = text.lstrip()
    if _PAGE.match(start):
        text = without_markup(_TAGGED.sub(r"\n\2: ", text))
    elif _STARRED.match(start):
        text = _STARRED.sub(r"\n\2:", text)
    return _parted(text) if "\n" not in text.strip() else text


def _parted(text: str) -> str:
    """A transcript of one line in lines, where it is plain where turns begin."""
    first = _SPEAKER.match(text)
    if first is None:
        return text
    inside = list(_INSIDE.finditer(text, first.end() - 1))
    names = [first["speaker"], *(mark[1] for mark in inside)]
    alternate = all(names[0] != one for one in names[1::2]) and len(set(names)) == 2
    if not alternate or len(names) % 2 == 0 or any(one == two for one, two in pairwise(names)):
        return text
    return _INSIDE.sub(r"\n\1: ", text)


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
        raise DataError(f"received {shorten(part)}; expected a message with role and text")
    who = next((part[name] for name in _WHO if name in part), None)
    text = next((part[name] for name in _WHAT if name in part), None)
    if not isinstance(text, str):
        raise DataError(f"a message has no text under {', '.join(_WHAT)}")
    role = _ROLES.get(str(who).strip().lower())
    if role is None:
        raise DataError(f"received speaker {shorten(who)}; known are {', '.join(_ROLES)}")
    return {"role": role, "text": text}


def _transcript(text: str) -> list[dict[str, str]]:
    if not text.strip():
        return []
    parts = split_at_marks(text, _SPEAKER)
    if not parts:
        raise DataError(
            f"received {shorten(text)}; expected a JSON list of messages, or a transcript"
            " in which every turn begins with `Human:`, `User:`, `AI:` or `Assistant:`"
        )
    return [{"role": _ROLES[mark["speaker"].lower()], "text": said.strip()} for mark, said in parts]
