"""Words of a text, and its marks of praise, complaint and excuse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PRAISE = (
    r"thanks?|great|awesome|cool|perfect|wonderful|nice|(?:ha){2,}h?|lol|love|exactly|interesting"
    r"|amazing|excellent|good"
)
_COMPLAINT = (
    r"huh|pardon|confus\w*|sense|already|again|weird|strange|(?:don['’]?t|do not) understand"
    r"|not what i|answer my|repeat\w*|wrong|incorrect|random|off topic|bot|robot|stop|stupid"
    r"|useless"
)
_EXCUSE = (
    r"i (?:don['’]?t|do not) know|not sure|sorry|(?:don['’]?t|do not) understand"
    r"|what do you mean|can you repeat"
)
_YOU = r"you(?:['’]re|rs?)?"


def _any_of(parts: str, more: str = "") -> re.Pattern[str]:
    return re.compile(rf"\b(?:{parts})\b{more}", re.IGNORECASE)


_PRAISES, _EXCUSES, _ADDRESSES = _any_of(_PRAISE), _any_of(_EXCUSE), _any_of(_YOU)
_COMPLAINS = _any_of(_COMPLAINT, r"|\bwhat\?|\?\?|^what\W*$")


class TextMarks(NamedTuple):
    """One text: made once for each distinct text."""

    words: tuple[str, ...]
    length: float  # log(1 + words)
    praises: bool
    complains: bool
    asks: bool
    exclaims: bool
    unsure: bool
    addresses: bool

    @classmethod
    def of(cls, text: str) -> TextMarks:
        """The words and marks of a text."""
        own = words(text)
        return cls(
            own,
            float(np.log1p(len(own))),
            _PRAISES.search(text) is not None,
            _COMPLAINS.search(text) is not None,
            "?" in text,
            "!" in text,
            _EXCUSES.search(text) is not None,
            _ADDRESSES.search(text) is not None,
        )


def words(text: str) -> tuple[str, ...]:
    """The words of a text in lower case; digits count, punctuation does not.

    >>> words("Don't panic: it's 42!")
    ("don't", 'panic', "it's", '42')
    """
    return tuple(_WORD.findall(text.lower()))


def mean_of(values: Sequence[float]) -> float:
    """Return the mean; NaN without any value."""
    return sum(values) / len(values) if values else float("nan")
