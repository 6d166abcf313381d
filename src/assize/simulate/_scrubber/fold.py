"""A text as patterns read it: plain digits, blanks, dashes and whole letters, with the way back.

Full-width digits, no-break spaces, long dashes and decomposed letters give the same away as plain
signs. Texts are therefore searched in a folded form, and what is found is cut out of the text as
it stands.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_QUOTES = dict.fromkeys("\u2018\u2019\u02bc\u2032", "'")
_LONG_VOWEL = re.compile(r"(?<=\d)\u30fc(?=\d)")  # typed for a dash between Japanese digits
_DASHES = dict.fromkeys("\u2212\u00b7", "-")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text.

    Args:
        text: (n) characters.
        starts: (n + 1) where each of them, and the end, stands in the text that was folded.
    """

    text: str
    starts: Sequence[int]


def fold(text: str) -> Folded:
    """Return a text with letters composed, signs made plain, and what cannot be seen left out.

    >>> fold("A\\u0308rger \\u2013 \\uff11\\u200b2").text
    'Ärger - 12'
    """
    if text.isascii():
        return Folded(text, range(len(text) + 1))
    signs: list[str] = []
    starts: list[int] = []
    start = 0
    while start < len(text):
        end = start + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        plain = _fold_letter(text[start:end])
        signs.append(plain)
        starts += [start] * len(plain)
        start = end
    return Folded(_LONG_VOWEL.sub("-", "".join(signs)), [*starts, len(text)])


@lru_cache(maxsize=4096)
def _fold_letter(letter: str) -> str:
    """Return a letter with its marks in plain signs; nothing where it cannot be seen."""
    return "".join(map(_fold_sign, unicodedata.normalize("NFKC", letter)))


def _fold_sign(sign: str) -> str:
    kind = unicodedata.category(sign)
    if kind == "Cf":
        return ""
    if kind == "Nd":
        return str(unicodedata.digit(sign))
    if kind == "Zs":
        return " "
    return "-" if kind == "Pd" else _QUOTES.get(sign) or _DASHES.get(sign) or sign
