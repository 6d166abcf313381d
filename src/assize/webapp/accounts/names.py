"""Names of people: each is the judge of somebody's judgments, in files and tables that others read.

Two names that look alike count as one. Names that the records use for something else, such as
`gold`, are taken, in every spelling that looks like them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from assize.errors import DataError

LONGEST = 60  # characters
GONE = "deleted-"  # how the pseudonym of who was deleted begins
TAKEN = (
    "gold", "adjudicated", "anonymous", "local", "admin", "all", "unknown", "none", "null", "na",
    "nan", "person", "model", "metric", "human", "jury", "reference",
)  # fmt: skip
_MARKS = " .-_'"
# What is drawn like a Latin letter in usual fonts; whole words of another script may hold some.
_ALIKE = str.maketrans(
    {
        "0": "o", "1": "l", "i": "l", "|": "l", "ı": "l", "ɩ": "l", "ɡ": "g", "ɑ": "a", "ᴏ": "o",
        "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "і": "l", "ј": "j", "ӏ": "l",
        "к": "k", "м": "m", "н": "h", "о": "o", "р": "p", "ѕ": "s", "т": "t", "у": "y", "х": "x",
        "α": "a", "β": "b", "ε": "e", "ι": "l", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "τ": "t",
        "υ": "u", "χ": "x", "ց": "g", "օ": "o", "լ": "l", "ժ": "d", "ս": "u", "հ": "h", "ո": "n",
        "վ": "u", "ա": "w", "ᴀ": "a", "ᴅ": "d", "ʟ": "l", "ɢ": "g",
    }
)  # fmt: skip


class NameRefused(DataError):
    """A name that cannot be taken; the text says why."""


def checked_name(name: str, others: Iterable[str] = ()) -> str:
    """A chosen name as it is kept: composed characters, no spaces around it.

    Letters and digits of one script, and `. - _ '` or single spaces between them.

    Args:
        others: the names that there are.

    Raises:
        NameRefused: it is empty, too long, holds another character, mixes scripts, or looks
            like a name that is taken; says which.

    >>> checked_name(" Ana Ruiz ")
    'Ana Ruiz'
    """
    found = unicodedata.normalize("NFKC", name).strip()
    if not found:
        raise NameRefused("Choose a name.")
    if len(found) > LONGEST:
        raise NameRefused(f"The name has {len(found)} characters; at most {LONGEST} are taken.")
    _check_characters(found)
    seen = likeness(found)
    if seen in _taken() or seen.startswith(likeness(GONE)):
        raise NameRefused(
            f"The name {found!r} means something else in the records; choose another."
        )
    if seen in {likeness(one) for one in others}:
        raise NameRefused(f"The name {found!r}, or one that looks like it, is taken.")
    return found


def likeness(name: str) -> str:
    """The same text for all names that look alike: case, accents and look-alike letters are gone.

    >>> likeness("G0LD") == likeness("gold")
    True
    """
    parts = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(one for one in parts if not unicodedata.combining(one))
    return bare.translate(_ALIKE)


def _taken() -> set[str]:
    from assize.judging.table import JUDGES

    return {likeness(one) for one in (*TAKEN, *JUDGES)}


def _check_characters(name: str) -> None:
    for one in name:
        if one in "@#":
            raise NameRefused(
                f"A name holds no {one!r}: it stands in files that others read. Take no address."
            )
        if not (one.isalnum() or one in _MARKS or unicodedata.category(one) in ("Mn", "Mc")):
            raise NameRefused(
                f"The name holds {_said(one)}; letters, digits, spaces and . - _ ' are taken."
            )
    if not name[0].isalnum() or "  " in name:
        raise NameRefused("A name begins with a letter or a digit and holds no double spaces.")
    scripts = {_script(one) for one in name if one.isalpha()}
    if len(scripts - _JAPANESE if scripts & _JAPANESE else scripts) > 1:
        raise NameRefused("The name mixes alphabets; write it in one.")


_JAPANESE = {"CJK", "HIRAGANA", "KATAKANA"}


def _script(letter: str) -> str:
    return unicodedata.name(letter, "?").split()[0]


def _said(one: str) -> str:
    return repr(one) if one.isprintable() else f"U+{ord(one):04X}"
