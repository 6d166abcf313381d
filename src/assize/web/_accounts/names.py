"""Names of people: each is the judge of somebody's judgments, in files and tables that others read.

Two names that differ by case or widths only count as one. Names that the records use for something
else, such as `gold`, are taken.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from assize.base.errors import DataError

LONGEST = 60  # characters
GONE = "deleted-"  # how the pseudonym of who was deleted begins
TAKEN = (
    "gold",
    "adjudicated",
    "anonymous",
    "local",
    "admin",
    "all",
    "unknown",
    "none",
    "null",
    "na",
    "nan",
    "person",
    "model",
    "metric",
    "human",
    "jury",
    "reference",
)
_MARKS = " .-_'"


class NameRefused(DataError):
    """A name that cannot be taken; the text says why."""


def checked_name(name: str, others: Iterable[str] = ()) -> str:
    """A chosen name as it is kept: composed characters, no spaces around it.

    Letters, digits, and `. - _ '` or single spaces between them.

    Args:
        others: the names that there are.

    Raises:
        NameRefused: it is empty, too long, holds another character, or is taken; says which.

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
        raise NameRefused(f"The name {found!r} is taken.")
    return found


def likeness(name: str) -> str:
    """Return the same text for all names that count as one: case and widths are gone.

    >>> likeness("Ｇold") == likeness("gold")
    True
    """
    return unicodedata.normalize("NFKC", name).casefold()


def _taken() -> set[str]:
    from assize.judging.table import JUDGES

    return {likeness(one) for one in (*TAKEN, *JUDGES)}


def _check_characters(name: str) -> None:
    for sign in name:
        if not (sign.isalnum() or sign in _MARKS or unicodedata.category(sign) in ("Mn", "Mc")):
            shown = repr(sign) if sign.isprintable() else f"U+{ord(sign):04X}"
            raise NameRefused(
                f"The name holds {shown}; letters, digits, spaces and . - _ ' are taken. It stands"
                " in files that others read, so take no address."
            )
    if not name[0].isalnum() or "  " in name:
        raise NameRefused("A name begins with a letter or a digit and holds no double spaces.")
