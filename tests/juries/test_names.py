from __future__ import annotations

import pytest

from assize.base.errors import ConfigError
from assize.juries import Panel
from assize.juries.names import parse_cascade, parse_panel


@pytest.mark.parametrize("written", ["da>maxim", " da > maxim ", "da >maxim", "da> maxim"])
def test_blanks_around_the_arrow_do_not_matter(written: str) -> None:
    assert parse_cascade(written) == ("da", "maxim")


@pytest.mark.parametrize("written", ["", "da >", "> da", "da > > io", "da > da"])
def test_a_cascade_names_each_judge_once(written: str) -> None:
    with pytest.raises(ConfigError, match="name each judge once"):
        parse_cascade(written)


def test_weights_stand_behind_an_equals_sign_that_a_name_may_hold_too() -> None:
    assert parse_panel("da = 2, reward@stored:a=b, io=.5") == {
        "da": 2.0,
        "reward@stored:a=b": 1.0,
        "io": 0.5,
    }


@pytest.mark.parametrize("written", ["da=0", "da=-1", "da=inf", "da=nan"])
def test_a_weight_is_a_number_above_zero(written: str) -> None:
    with pytest.raises(ConfigError, match="above 0"):
        Panel(written)


@pytest.mark.parametrize("written", ["da, da", "da,,io", ""])
def test_a_panel_names_each_judge_once(written: str) -> None:
    with pytest.raises(ConfigError, match="name each judge once"):
        parse_panel(written)


def test_a_weight_that_is_no_number_is_named() -> None:
    with pytest.raises(ConfigError, match="weight of da is 'x', which is no number; write da=2"):
        parse_panel("da=x, maxim")
