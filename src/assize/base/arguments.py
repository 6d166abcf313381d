"""Arguments of promised functions: values within their range, and shown in messages.

Wrong types of side arguments are Python's own matter. What a function takes in many forms (items,
judgments, judges) it checks itself: it knows best what to say.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from numbers import Real
from typing import TypeVar

from assize.base.errors import ConfigError, DataError

T = TypeVar("T")

_SHOWN = 60  # characters of what was received


def shown(value: object) -> str:
    """A value and its type, for a message.

    >>> print(shown(5), shown(None), shown("x" * 99), sep=", ")
    5 (int), None, 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... (str)
    """
    if value is None:
        return "None"
    kind = type(value).__name__
    if inspect.iscoroutine(value):
        value.close()  # or Python warns that nobody awaited it
        return "a coroutine, which is not awaited yet"
    if callable(value):
        return f"a {kind}, {getattr(value, '__name__', kind)}"
    said = " ".join(repr(value).split())
    return f"{said if len(said) <= _SHOWN else said[: _SHOWN - 3] + '...'} ({kind})"


def listed(given: Iterable[T], kind: type[T], argument: str, remedy: str) -> list[T]:
    """A list of records of one kind.

    >>> listed(iter([1, 2]), int, "numbers", "a list of numbers")
    [1, 2]

    Raises:
        DataError: it is no list, or something else is in it.
    """
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise DataError(f"received {shown(given)}; give {remedy}", source=argument)
    found = list(given)
    for place, one in enumerate(found):
        if not isinstance(one, kind):
            raise DataError(f"received {shown(one)}; give {remedy}", source=f"{argument}[{place}]")
    return found


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question that names what a mistyped word is nearest to; "" where nothing is near.

    >>> did_you_mean("explaned", ["io", "explained"]), did_you_mean("x", ["io"])
    ("did you mean 'explained'? ", '')
    """
    spellings = {other.lower(): other for other in known}
    near = get_close_matches(name.lower(), list(spellings), n=1)
    return f"did you mean {spellings[near[0]]!r}? " if near else ""


def plain_name(name: str) -> str:
    """Return a name as it is compared with others: without case and spaces.

    >>> plain_name("Over All ")
    'overall'
    """
    return "".join(name.casefold().split())


def match_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that this is, else the only one that differs by case and spaces alone.

    >>> match_name("overall", ["Polite", "Overall"]), match_name("tone", ["Polite"])
    ('Overall', None)
    """
    names = list(known)
    if name in names:
        return name
    alike = [other for other in names if plain_name(other) == plain_name(name)]
    return alike[0] if len(alike) == 1 else None


def check_range(name: str, value: float | None, least: float, most: float | None = None) -> None:
    """Raise ConfigError where a number is outside its range, ends included; None is none."""
    if value is None:
        return
    number = isinstance(value, Real) and not isinstance(value, bool)
    if number and value >= least and (most is None or value <= most):
        return
    allowed = f"at least {least:g}" if most is None else f"{least:g} to {most:g}"
    what = "" if number else "a number "
    raise ConfigError(f"{name}: received {value!r}, allowed is {what}{allowed}", name)


def check_word(name: str, value: str | None, allowed: Collection[str]) -> None:
    """Raise ConfigError where a word is none of those allowed; None is none."""
    if value is not None and value not in allowed:
        *others, last = allowed
        raise ConfigError(f"{name} {value}: allowed are {', '.join(others)} and {last}", name)
