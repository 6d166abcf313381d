"""Untrusted text made fit for a page: nothing hidden in it acts, nothing is cut unseen."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Controls but tab and line ends, bidirectional embeddings, overrides and isolates,
# separators, interlinear marks, non-characters, surrogates, and tag characters save
# where they spell the flag of a region. Joiners stay: emoji and many scripts need them.
_HIDDEN = re.compile(
    "(\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f)"
    "|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    r"""The text with each character that acts unseen replaced by its number.

    Direction marks (U+200E, U+200F) and joiners stay, for scripts need them and they
    cannot turn text around.

    >>> visible("a\u202eb\x00")
    'a[U+202E]b[U+0000]'
    """
    return _HIDDEN.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    flag: str | None = match[1]
    return flag if flag is not None else f"[U+{ord(match[0]):04X}]"


@dataclass(frozen=True, slots=True)
class Abridged:
    """A text of which the middle may be left out; `left_out` counts its characters."""

    head: str
    left_out: int = 0
    tail: str = ""


def abridge(text: str, limit: int) -> Abridged:
    """At most about `limit` characters: three quarters from the start, the rest from the end.

    >>> abridge("abcdefghij", 4)
    Abridged(head='abc', left_out=6, tail='j')
    """
    if len(text) <= limit:
        return Abridged(text)
    tail = limit // 4
    head = limit - tail
    return Abridged(text[:head], len(text) - limit, text[len(text) - tail :])
