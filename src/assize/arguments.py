"""What a function is called with, checked against its annotations, before it does anything.

    @checked
    def load(folder: str | Path) -> Any: ...

    load(5)  ──►  ConfigError: folder: received 5 (int); give text or a path

Looked at are words, paths, numbers, truth values, and lists and dicts of these. What a function
takes in many forms (items, judgments, judges) it checks itself: it knows better what to say.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    TypeVar,
    Union,
    Unpack,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from assize.errors import ConfigError, DataError
from assize.secrets import keep_urls

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

_SHOWN = 60  # characters of what was received
_SEVERAL = (Sequence, Iterable, list, tuple, set, frozenset)


def checked(function: F) -> F:
    """The function, which refuses arguments that its annotations do not allow.

    >>> @checked
    ... def times(n: int) -> int:
    ...     return 2 * n
    >>> times(4)
    8
    """
    signature = inspect.signature(function)

    def check(args: tuple[Any, ...], named: dict[str, Any]) -> None:
        try:
            given = {**signature.bind(*args, **named).arguments, **named}
        except TypeError:  # one is lacking, or is none of its own: Python says it best
            return
        _keep_urls(given)
        for name, hint in _hints(function).items():
            if name in given and not _fits(given[name], hint):
                raise ConfigError(f"{name}: received {shown(given[name])}; give {_allowed(hint)}")

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def awaited(*args: Any, **named: Any) -> Any:
            check(args, named)
            return await function(*args, **named)

        return cast(F, awaited)

    @functools.wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        check(args, named)
        return function(*args, **named)

    return cast(F, called)


def _keep_urls(value: object) -> None:
    """Keeps the secrets of URLs among the arguments out of whatever is written."""
    if isinstance(value, str):
        keep_urls(value)
    elif isinstance(value, os.PathLike):
        keep_urls(str(value))
    elif isinstance(value, Mapping):
        for one in value.values():
            _keep_urls(one)
    elif isinstance(value, list | tuple):
        for one in value:
            if isinstance(one, str):
                keep_urls(one)


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


@functools.cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The annotations that can be checked, by parameter."""
    scope = vars(inspect.getmodule(function))
    found: dict[str, Any] = {}
    for name, written in inspect.get_annotations(function).items():
        try:
            hint = eval(written, scope) if isinstance(written, str) else written  # noqa: S307
        except NameError:  # imported for type checkers only
            continue
        inner = get_args(hint)
        if get_origin(hint) is Unpack and is_typeddict(inner[0]):
            found |= get_type_hints(inner[0])
        elif name != "return":
            found[name] = hint
    return {name: hint for name, hint in found.items() if _known(hint)}


def _known(hint: Any) -> bool:
    """Whether it is made of words, paths, numbers and truth values alone."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return all(isinstance(one, str) for one in inner)
    if origin in (Union, UnionType):
        return all(map(_known, inner))
    if origin is Mapping or origin is dict:
        return True
    if origin in _SEVERAL:
        return all(_known(one) for one in inner if one is not Ellipsis)
    return origin is os.PathLike or hint in (str, Path, bool, int, float, NoneType)


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is of the kind; what words are allowed is the function's to say."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in inner)
    if origin is Literal or hint is str:
        return isinstance(value, str)
    if origin is Mapping or origin is dict:
        return isinstance(value, Mapping)
    if origin in _SEVERAL:
        return _several(value, [one for one in inner if one is not Ellipsis])
    if hint is Path or origin is os.PathLike:
        return isinstance(value, os.PathLike)
    if hint is int:
        return isinstance(value, Integral)
    if hint is float:
        return isinstance(value, Real)
    if hint is bool:
        return isinstance(value, bool) or type(value).__name__ == "bool"  # numpy's own too
    return value is None


def _several(value: Any, hints: Sequence[Any]) -> bool:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        return False
    if not isinstance(value, Sequence | Set):
        return isinstance(value, Iterator)  # looked at as it is read
    return all(any(_fits(one, hint) for hint in hints) for one in value)


def _allowed(hint: Any) -> str:
    """The kinds in words."""
    words = list(dict.fromkeys(_words(hint)))
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _words(hint: Any) -> Iterable[str]:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return [word for one in inner for word in _words(one)]
    if origin is Literal:
        return [repr(one) for one in inner]
    if origin is Mapping or origin is dict:
        return ["a dict"]
    if origin in _SEVERAL:
        kinds = [word for one in inner if one is not Ellipsis for word in _words(one)]
        return [f"a list of {' or '.join(dict.fromkeys(kinds))}"]
    names = {str: "text", Path: "a path", bool: "True or False", int: "a whole number",
             float: "a number", NoneType: "None"}  # fmt: skip
    return [names.get(hint, "a path")]
