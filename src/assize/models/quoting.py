"""An answer out of what a request shows: sentences that fit the question, with their sources.

For demonstrations and tests, where no model is at hand and an answer is to look like one.
"""

from __future__ import annotations

import re

from assize.models.model import Request

LONGEST = 3  # sentences
UNKNOWN = "I found nothing about that. Could you tell me more about what you need?"

_SOURCE = re.compile(r"^\[(?P<mark>[0-9a-f]+)\] source (?P<number>\d+):$", re.MULTILINE)
_TITLE = re.compile(r"\A\s*[^\n.!?]{1,80}\n(?=[^\w]*[^\W\d_a-z])")  # before a line of its own
_PARAGRAPH = re.compile(r"\n\s*\n|^#.*$", re.MULTILINE)
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-z])")
_WORD = re.compile(r"[^\W\d_]{4,}")


def quoted(request: Request) -> str:
    """The sentences of the sources with most words of the last message, each with its number.

    Sources are those that stand between lines such as `[K7] source 1:`. Without any, or where no
    sentence shares a word with the message, the answer asks for more.
    """
    asked = _words(request.messages[-1].text) if request.messages else frozenset()
    found = [
        (len(asked & _words(sentence)), sentence, number)
        for number, text in _sources(request)
        for sentence in _sentences(text)
    ]
    best = sorted((one for one in found if one[0]), key=lambda one: -one[0])[:LONGEST]
    if not best:
        return UNKNOWN
    return " ".join(f"{sentence[:-1]} [{number}]{sentence[-1]}" for _, sentence, number in best)


def _sentences(text: str) -> list[str]:
    """Whole sentences of the paragraphs; titles and headings are none."""
    paragraphs = (" ".join(one.split()) for one in _PARAGRAPH.split(_TITLE.sub("", text)))
    found = (sentence for one in paragraphs for sentence in _SENTENCE_ENDS.split(one))
    return [one for one in found if one.endswith((".", "!", "?"))]


def _sources(request: Request) -> list[tuple[str, str]]:
    """Number and text of each source in the system message."""
    found = []
    for message in request.messages:
        if message.role != "system":
            continue
        parts = list(_SOURCE.finditer(message.text))
        for place, part in enumerate(parts):
            end = parts[place + 1].start() if place + 1 < len(parts) else len(message.text)
            text = message.text[part.end() : end].partition(f"[{part['mark']}] end")[0]
            found.append((part["number"], text))
    return found


def _words(text: str) -> frozenset[str]:
    """The longer words of a text, each cut to its first six letters, so that plurals fit."""
    return frozenset(word.casefold()[:6] for word in _WORD.findall(text))
