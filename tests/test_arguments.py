"""Unknown arguments are refused; values are shown in messages."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any, TypedDict, Unpack

import pytest

import assize
from assize.arguments import listed, refuse_unknown, shown
from assize.errors import DataError

MADE_UP = "temprature"


class More(TypedDict, total=False):
    pace: float | None
    temperature: float


@refuse_unknown
def plain(path: str = "x", **more: Unpack[More]) -> str:
    """Says nothing."""
    return "done"


def test_known_arguments_are_passed_on() -> None:
    assert plain("y", pace=None) == plain(path="y", temperature=0.5) == "done"


def test_an_unknown_one_is_refused_and_the_one_that_was_meant_is_named() -> None:
    with pytest.raises(
        TypeError,
        match=r"plain\(\) got an unexpected keyword argument 'temprature'"
        "; did you mean 'temperature'",
    ):
        plain(temprature=1)  # type: ignore[call-arg]


def test_an_async_function_stays_one_and_refuses_when_it_is_awaited() -> None:
    @refuse_unknown
    async def later(**more: Unpack[More]) -> int:
        return len(more)

    assert inspect.iscoroutinefunction(later)
    assert asyncio.run(later(pace=1)) == 1
    with pytest.raises(TypeError, match="unexpected keyword argument 'x'"):
        asyncio.run(later(x=1))  # type: ignore[call-arg]


FUNCTIONS = [
    name
    for name in assize.__all__
    if callable(function := getattr(assize, name)) and not isinstance(function, type)
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_promised_function_refuses_a_made_up_argument(name: str) -> None:
    function = getattr(assize, name)
    arguments = [
        object()
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]

    def call() -> Any:
        value = function(*arguments, **{MADE_UP: 1})
        return asyncio.run(value) if inspect.iscoroutine(value) else value

    with pytest.raises(TypeError, match=f"unexpected keyword argument '{MADE_UP}'"):
        call()


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
