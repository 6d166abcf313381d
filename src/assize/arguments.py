"""Arguments of promised functions: unknown names are refused, values are shown in messages.

Wrong types of side arguments are Python's own matter. What a function takes in many forms (items,
judgments, judges) it checks itself: it knows best what to say.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from numbers import Real
from typing import Any, TypeVar, cast, get_args, get_type_hints

from assize.errors import ConfigError, DataError

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

_SHOWN = 60  # characters of what was received


def refuse_unknown(function: F) -> F:
    """Make a function with `**named: Unpack[Options]` refuse names that it does not declare.

    Python refuses them only where every parameter is written out.

    Raises (the function returned):
        TypeError: an argument has another name; says which was meant.

    >>> from typing import TypedDict, Unpack
    >>> class Options(TypedDict, total=False):
    ...     pace: float
    >>> @refuse_unknown
    ... def ask(text: str, **named: Unpack[Options]) -> str:
    ...     return text
    >>> ask("Hi", pase=2)
    Traceback (most recent call last):
    TypeError: ask() got an unexpected keyword argument 'pase'; did you mean 'pace'?
    """

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def awaited(*args: Any, **named: Any) -> Any:
            _check_names(function, named)
            return await function(*args, **named)

        return cast(F, awaited)

    @functools.wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        _check_names(function, named)
        return function(*args, **named)

    return cast(F, called)


def _check_names(function: Callable[..., Any], named: Mapping[str, Any]) -> None:
    known = _known_names(function)
    for name in named:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            problem = f"got an unexpected keyword argument {name!r}"
            raise TypeError(f"{function.__name__}() {problem}{hint}")


@functools.cache
def _known_names(function: Callable[..., Any]) -> frozenset[str]:
    """Every keyword that a function declares, those of its `Unpack` included."""
    names = set[str]()
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            names.add(name)
            continue
        annotation = parameter.annotation
        if isinstance(annotation, str):
            annotation = eval(annotation, inspect.unwrap(function).__globals__)  # noqa: S307
        names |= get_type_hints(get_args(annotation)[0]).keys()
    return frozenset(names)


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
            problem = f"received {shown(one)}; give {remedy}"
            raise DataError(problem, source=f"{argument}[{place}]")
    return found


def check_range(name: str, value: float | None, least: float, most: float | None = None) -> None:
    """Raise ConfigError where a number is outside its range, ends included; None is none."""
    if value is None:
        return
    number = isinstance(value, Real) and not isinstance(value, bool)
    if number and value >= least and (most is None or value <= most):
        return
    allowed = f"at least {least:g}" if most is None else f"{least:g} to {most:g}"
    what = "" if number else "a number "
    raise ConfigError(f"{name}: received {value!r}, allowed is {what}{allowed}")


def check_word(name: str, value: str | None, allowed: Collection[str]) -> None:
    """Raise ConfigError where a word is none of those allowed; None is none."""
    if value is not None and value not in allowed:
        *others, last = allowed
        raise ConfigError(f"{name} {value}: allowed are {', '.join(others)} and {last}")
