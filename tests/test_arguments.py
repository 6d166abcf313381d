"""Arguments are checked against annotations, as far as these are plain."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
import pytest

from assize.arguments import checked, listed, shown
from assize.errors import ConfigError, DataError


class Thing:
    """Of its own kind, which the function checks."""


class More(TypedDict, total=False):
    pace: float | None


@checked
def plain(
    path: str | Path = "x",
    *,
    n: int = 1,
    share: float | None = None,
    names: str | Sequence[str] = (),
    way: Literal["up", "down"] | None = None,
    same: Mapping[str, str] | None = None,
    sure: bool = False,
    free: Any = None,
    made: str | Thing | None = None,
    **more: Unpack[More],
) -> str:
    """Says nothing."""
    return "done"


GOOD: list[dict[str, Any]] = [
    {},
    {"path": Path("y"), "n": np.int64(3), "share": 1, "names": ["a"], "way": "up"},
    {"names": "a,b", "same": {"a": "b"}, "sure": np.True_, "free": object()},
    {"names": (one for one in "ab"), "share": np.float32(0.5), "pace": 2, "made": Thing()},
]
BAD: list[tuple[dict[str, Any], str]] = [
    ({"path": 5}, "path: received 5 (int); give text or a path"),
    ({"path": b"x"}, "path: received b'x' (bytes); give text or a path"),
    ({"n": "3"}, "n: received '3' (str); give a whole number"),
    ({"n": None}, "n: received None; give a whole number"),
    ({"share": "half"}, "share: received 'half' (str); give a number or None"),
    ({"names": [1]}, "names: received [1] (list); give text or a list of text"),
    ({"names": {"a": 1}}, "names: received {'a': 1} (dict); give text or a list of text"),
    ({"way": 1}, "way: received 1 (int); give 'up', 'down' or None"),
    ({"same": []}, "same: received [] (list); give a dict or None"),
    ({"sure": "yes"}, "sure: received 'yes' (str); give True or False"),
    ({"pace": "fast"}, "pace: received 'fast' (str); give a number or None"),
    ({"path": len}, "path: received a builtin_function_or_method, len; give text or a path"),
]


@pytest.mark.parametrize("given", GOOD)
def test_what_is_allowed_is_passed_on(given: dict[str, Any]) -> None:
    assert plain(**given) == "done"


@pytest.mark.parametrize(("given", "said"), BAD)
def test_what_is_not_is_refused_with_argument_and_remedy(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        plain(**given)
    assert str(caught.value) == said


def test_unknown_arguments_are_pythons_own_matter() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        checked(lambda one: one)()  # type: ignore[call-arg]


def test_an_async_function_stays_one_and_refuses_when_it_is_awaited() -> None:
    @checked
    async def later(n: int) -> int:
        return n + 1

    assert inspect.iscoroutinefunction(later)
    assert asyncio.run(later(1)) == 2
    with pytest.raises(ConfigError, match="n: received 'x'"):
        asyncio.run(later("x"))  # type: ignore[arg-type]


def test_a_coroutine_is_named_and_leaves_no_warning() -> None:
    async def nothing() -> None:
        return None

    assert shown(nothing()) == "a coroutine, which is not awaited yet"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "rows: received None; give numbers"),
        ({1: 2}, "rows: received {1: 2} (dict); give numbers"),
        ([1, "2"], "rows[1]: received '2' (str); give numbers"),
    ],
)
def test_a_list_of_one_kind(given: Any, said: str) -> None:
    with pytest.raises(DataError) as caught:
        listed(given, int, "rows", "numbers")
    assert str(caught.value) == said
