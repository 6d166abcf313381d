"""What readers of published data share: fields of a raw row, scales, and what is missing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from assize.base.errors import DataError, shorten
from assize.base.judgment import NOT_APPLICABLE, Question

_Kind = TypeVar("_Kind")
_NAMES = {dict: "an object", list: "a list", str: "text", int: "a whole number", bool: "true/false"}
MISSING = "missing"


def take(value: Any, name: str, kind: type[_Kind]) -> _Kind:
    """Return the field `name` of a raw object, which must be of that kind.

    Raises:
        DataError: it is missing, or of another kind; names the field.

    >>> take({"id": "c1"}, "id", str)
    'c1'
    """
    if not isinstance(value, Mapping):
        raise DataError(f"expected an object, received {shorten(value)}")
    if name not in value:
        raise DataError("is missing", field=name)
    part = value[name]
    if not isinstance(part, kind):
        wanted = _NAMES.get(kind, kind.__name__)
        raise DataError(f"received {shorten(part)}; expected {wanted}", field=name)
    return part


def optional(value: Any, name: str, kind: type[_Kind]) -> _Kind | None:
    """As `take`, but None where the field is missing or null."""
    if isinstance(value, Mapping) and value.get(name) is None:
        return None
    return take(value, name, kind)


def others(value: Mapping[str, Any], used: Collection[str | None]) -> dict[str, Any]:
    """Return the fields that a reader did not use and that hold something; they are metadata."""
    return {key: part for key, part in value.items() if key not in used and part is not None}


def unscored(message: str, reason: str = MISSING) -> dict[str, Any]:
    """Return the fields of a judgment that a source does not hold, or holds unreadably."""
    return {"unscored": {"reason": reason, "message": message}}


def rating(value: Any, *, whole: bool = True) -> dict[str, Any]:
    """Return the fields of a judgment for a published rating: `N/A` does not apply, and what is no
    number is unscored.

    Args:
        whole: whether whole numbers are answers; other numbers are scores.

    >>> rating(3), rating("2.5"), rating(None)["unscored"]["reason"]
    ({'answer': '3'}, {'score': 2.5}, 'missing')
    """
    word = "" if value is None else str(value).strip()
    if word.upper() == "N/A":
        return {"answer": NOT_APPLICABLE}
    if not word:
        return unscored("the source holds no answer")
    try:
        score = float(word)
    except ValueError:
        return unscored(f"the source holds {shorten(word)}", "parse")
    return {"answer": str(int(score))} if whole and score.is_integer() else {"score": score}


def ordinal(id: str, text: str, answers: Sequence[int]) -> Question:
    """Return a question answered by whole numbers, lowest first, which are their own values.

    >>> ordinal("tone", "How warm?", (1, 2)).answers
    ('1', '2')
    """
    return Question(
        id=id,
        text=text,
        kind="ordinal",
        answers=tuple(map(str, answers)),
        values=tuple(map(float, answers)),
        higher="better",
    )


def number(id: str, text: str, low: float, high: float) -> Question:
    """Return a question answered by any number of a range."""
    return Question(id=id, text=text, kind="number", range=(low, high), higher="better")
