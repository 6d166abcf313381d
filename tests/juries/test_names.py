from __future__ import annotations

from collections.abc import Callable

import pytest

from assize.base.errors import ConfigError
from assize.juries import Panel
from assize.juries.names import parse_cascade, parse_panel


@pytest.mark.parametrize("written", ["da>maxim", " da > maxim ", "da >maxim", "da> maxim"])
def test_blanks_around_the_arrow_do_not_matter(written: str) -> None:
    assert parse_cascade(written) == ("da", "maxim")


def test_weights_stand_behind_an_equals_sign_that_a_name_may_hold_too() -> None:
    assert parse_panel("da = 2, reward@stored:a=b, io=.5") == {
        "da": 2.0,
        "reward@stored:a=b": 1.0,
        "io": 0.5,
    }


@pytest.mark.parametrize(
    ("parse", "written", "message"),
    [
        *(
            (parse_cascade, written, "name each judge once")
            for written in ("", "da >", "> da", "da > > io", "da > da")
        ),
        *((parse_panel, written, "name each judge once") for written in ("da, da", "da,,io", "")),
        *((Panel, f"da={weight}", "above 0") for weight in ("0", "-1", "inf", "nan")),
        (parse_panel, "da=x, maxim", "weight of da is 'x', which is no number; write da=2"),
    ],
)
def test_judges_are_named_once_with_weights_above_zero(
    parse: Callable[[str], object], written: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        parse(written)
