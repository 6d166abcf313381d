r"""Characters that a reader does not see and a model does: where they stand, and how to show them.

Tags, variation selectors, zero-width and bidirectional characters and control characters such as
ESC can carry a hidden instruction, or change what a line seems to say. What ordinary text needs of
them is left alone: joiners in words of other scripts and in emoji, the style of an emoji, flags of
regions, and marks of direction beside right-to-left letters.

>>> count_invisible("flag \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f")
0
>>> print(show_invisible("a\u200bb\x1b[31m"))
a[U+200B]b[U+001B][31m
"""

from __future__ import annotations

import re
from typing import Literal

Invisible = Literal["escape", "remove", "keep"]
INVISIBLE: tuple[Invisible, ...] = ("escape", "remove", "keep")

_CLASS = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    r"\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_HIDDEN = re.compile(f"[{_CLASS}]+")
_EMOJI = r"\u203c\u2049\u2122-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_ORDINARY = (
    r"\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    r"|\U000e0077\U000e006c\U000e0073)\U000e007f"  # flags of England, Scotland and Wales
    rf"|(?<=[\u0600-\u1fff\ufe0f{_EMOJI}])[\u200c\u200d](?=[\u0600-\u1fff{_EMOJI}])"
    rf"|(?<=[0-9#*\u00a9\u00ae{_EMOJI}])[\ufe0e\ufe0f](?![\ufe00-\ufe0f])"
    r"|(?<=[\u0590-\u08ff])[\u200e\u200f\u061c]|[\u200e\u200f\u061c](?=[\u0590-\u08ff])"
)
_PARTS = re.compile(f"(?P<ordinary>{_ORDINARY})|(?P<hidden>[{_CLASS}])")
_SEVERAL = re.compile(r"(\[U\+[0-9A-F]{4,6}\])((?:\[U\+[0-9A-F]{4,6}\]){3,})")


def count_invisible(text: str) -> int:
    """Return how many characters of a text are hidden from its readers."""
    if not _may_hide(text):
        return 0
    return sum(part["hidden"] is not None for part in _PARTS.finditer(text))


def show_invisible(text: str, how: Invisible = "escape") -> str:
    """Return the text with what is hidden written out, removed, or kept.

    Args:
        how: `escape` writes `[U+200B]`, of more than three in a row the first and how many follow.
    """
    if how == "keep" or not _may_hide(text):
        return text
    if how == "remove":
        return _PARTS.sub(lambda part: part["ordinary"] or "", text)
    return _shorten(_PARTS.sub(lambda part: part["ordinary"] or _code(part[0]), text))


def _may_hide(text: str) -> bool:
    """Whether a text holds any character that can be hidden; of plain ASCII without a search."""
    if text.isascii() and text.replace("\n", " ").isprintable():
        return False
    return _HIDDEN.search(text) is not None


def _code(character: str) -> str:
    return f"[U+{ord(character):04X}]"


def _shorten(text: str) -> str:
    return _SEVERAL.sub(
        lambda run: f"{run[1]}[and {run[2].count('[')} more invisible characters]", text
    )
