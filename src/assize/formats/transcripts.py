"""Texts in which marks say where a part begins: transcripts, and lists of sources."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from assize.formats.messages import ROLE_ALIASES

# Words that begin a turn at the start of any line. Other names of roles (model, system, tool)
# begin lines of ordinary text too, as `Model: X200`: they count where the whole text begins so.
SPEAKERS = frozenset(
    {"user", "human", "customer", "visitor"}
    | {"assistant", "agent", "ai", "bot", "chatbot", "gpt", "chatgpt", "claude"}
)
_TIME = (
    r"[\[(]?(?:\d{1,4}[-./]\d{1,2}[-./]\d{1,4},?[T ] ?)?"
    r"\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| ?[ap]\.?m\.?)?[\])]?"
)


def _mark(names: str) -> re.Pattern[str]:
    """A speaker at the start of a line: `Agent:`, `**Agent:**`, `[10:03] Agent:`."""
    return re.compile(
        rf"(?im)^[ \t]*(?:(?P<before>{_TIME})[ \t]*(?:[-|][ \t]*)?)?"
        rf"\**(?P<speaker>{names})\**(?:[ \t]*(?P<after>{_TIME}))?[ \t]*:\**[ \t]*"
    )


_LABEL = _mark(r"[^\W\d_](?:[\w .'()-]{0,28}?[\w.)])??(?!:(?://|\d\d))")


@lru_cache(maxsize=256)
def speaker_mark(names: frozenset[str]) -> re.Pattern[str]:
    """Return the mark of these speakers, in upper or lower case; its group `speaker` is the name,
    `before` and `after` a time that stands beside it."""
    return _mark("|".join(map(re.escape, sorted(names))))


def find_labels(text: str) -> list[str]:
    """Return what may name a speaker, as `Seller` in a line `Seller: Hi`; each once, in order.

    >>> find_labels("Buyer: Hi\\nSeller (10:03): Hello\\nhttps://example.org")
    ['Buyer', 'Seller']
    """
    return list(dict.fromkeys(mark["speaker"] for mark in _LABEL.finditer(text)))


def split_transcript(text: str, names: Iterable[str] = ()) -> list[dict[str, str]]:
    """Return the messages of a transcript: role, text and, where it stands there, time.

    A turn begins on a line with its speaker: one of `names`, of `SPEAKERS`, or any known name of a
    role that begins the text. Other lines belong to the turn above. What stands before the first
    speaker is a message without a role. There are no messages where there is no speaker.

    >>> split_transcript("User: Hi\\n[10:03] Agent: Hello,\\nNote: closed.")[1]
    {'role': 'Agent', 'text': 'Hello,\\nNote: closed.', 'time': '10:03'}
    """
    text = text.strip()
    label = _LABEL.match(text)
    opening = set() if label is None else {label["speaker"].lower()} & ROLE_ALIASES.keys()
    mark = speaker_mark(SPEAKERS.union(names, opening))
    start = mark.search(text)
    if start is None:
        return []
    messages = [{"text": text[: start.start()].strip()}] if start.start() else []
    for turn, words in split_at_marks(text[start.start() :], mark):
        message = {"role": turn["speaker"], "text": words.strip()}
        if time := turn["before"] or turn["after"]:
            message["time"] = time.strip("[]()")
        messages.append(message)
    return messages


def is_transcript(text: str, names: Iterable[str] = ()) -> bool:
    """Whether a text begins with a speaker, and another one speaks later."""
    if _LABEL.match(text.lstrip()) is None:  # as in most texts
        return False
    roles = {message.get("role", "").lower() for message in split_transcript(text, names)}
    return len(roles) > 1 and "" not in roles


def split_at_marks(text: str, mark: re.Pattern[str]) -> list[tuple[re.Match[str], str]]:
    """Return each mark with the text up to the next; none where anything stands before the first.

    >>> [(mark[1], text) for mark, text in split_at_marks("A: x B: y", re.compile("([AB]): "))]
    [('A', 'x '), ('B', 'y')]
    """
    marks = list(mark.finditer(text))
    if not marks or text[: marks[0].start()].strip():
        return []
    ends = [*(found.start() for found in marks[1:]), len(text)]
    return [(found, text[found.end() : end]) for found, end in zip(marks, ends, strict=True)]
