from __future__ import annotations

import pytest

from assize.arguments import check_range, check_word
from assize.errors import ConfigError


def test_ends_are_inside_a_range() -> None:
    for value in (None, 0, 0.5, 1):
        check_range("share", value, 0, 1)
    check_range("count", 10**9, 1)


@pytest.mark.parametrize(
    ("value", "most", "allowed"),
    [(-1, None, "at least 0"), (1.5, 1, "0 to 1"), (float("nan"), None, "at least 0")],
)
def test_what_is_outside_is_told(value: float, most: float | None, allowed: str) -> None:
    with pytest.raises(ConfigError, match=f"share: received {value}, allowed is {allowed}"):
        check_range("share", value, 0, most)


def test_what_is_no_number_is_told() -> None:
    for value in ("hot", True, [1]):
        with pytest.raises(ConfigError, match=r"share: received .*, allowed is a number 0 to 1"):
            check_range("share", value, 0, 1)  # type: ignore[arg-type]


def test_a_word_is_one_of_a_few() -> None:
    for word in (None, "fail"):
        check_word("on_error", word, ("fail", "skip"))
    with pytest.raises(ConfigError, match="on_error stop: allowed are fail, keep and skip"):
        check_word("on_error", "stop", ("fail", "keep", "skip"))
