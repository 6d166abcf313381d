"""Unknown arguments are refused; values are within their range, and shown in messages."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest
from scripts.promised import promised

from assize.base.arguments import check_range, check_word, listed, match_name, shown
from assize.base.errors import ConfigError, DataError

MADE_UP = "temprature"


FUNCTIONS = {
    name: value
    for name, value in promised().items()
    if inspect.isfunction(value) and name != "assize.results.derive"  # fields of any record
}


def test_there_are_functions_of_every_namespace() -> None:
    assert len(FUNCTIONS) > 150


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_promised_function_refuses_a_made_up_argument(name: str) -> None:
    function = FUNCTIONS[name]
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


def test_ends_are_inside_a_range() -> None:
    for value in (None, 0, 0.5, 1):
        check_range("share", value, 0, 1)
    check_range("count", 10**9, 1)


@pytest.mark.parametrize(
    ("value", "most", "said"),
    [
        (-1, None, "received -1, allowed is at least 0"),
        (1.5, 1, "received 1.5, allowed is 0 to 1"),
        (float("nan"), None, "received nan, allowed is at least 0"),
        ("hot", 1, "received .*, allowed is a number 0 to 1"),
        (True, 1, "received .*, allowed is a number 0 to 1"),
        ([1], 1, "received .*, allowed is a number 0 to 1"),
    ],
)
def test_what_is_outside_or_no_number_is_told(value: Any, most: float | None, said: str) -> None:
    with pytest.raises(ConfigError, match=f"share: {said}"):
        check_range("share", value, 0, most)


def test_a_word_is_one_of_a_few() -> None:
    for word in (None, "fail"):
        check_word("on_error", word, ("fail", "skip"))
    with pytest.raises(ConfigError, match="on_error stop: allowed are fail, keep and skip"):
        check_word("on_error", "stop", ("fail", "keep", "skip"))


def test_a_name_in_several_other_spellings_is_none_of_them() -> None:
    assert match_name("tone", ["TONE", "tone"]) == "tone"
    assert match_name("Tone", ["TONE", "tone"]) is None
