"""Numbers as they are written, by hand."""

from __future__ import annotations

import pytest

from assize.results import numbers
from assize.stats import wilson


def test_a_p_value_that_would_be_0_or_cannot_be_lower_is_below_a_bound() -> None:
    given = [0.0004, 0.0006, 0.05, NAN, numbers.LeastP(0.005), 0.005, numbers.LeastP(0.0002)]
    assert [numbers.p_value(p) for p in given] == [
        "<0.001",
        "0.001",
        "0.050",
        "–",
        "<0.005",
        "0.005",
        "<0.001",
    ]


NAN = float("nan")


@pytest.mark.parametrize(
    ("values", "digits"),
    [((0.0, 1.0), 3), ((-1.0, 1.0), 3), ((1.0, 4.0), 2), ((0.0, 100.0), 1), ((), 3), ((NAN,), 3)],
)
def test_decimals_are_as_many_as_the_scale_needs(values: tuple[float, ...], digits: int) -> None:
    assert numbers.digits_for(values) == digits


@pytest.mark.parametrize(
    ("value", "digits", "said"),
    [
        (1234567.891, 2, "1,234,567.89"),
        (-0.0004, 3, "0.000"),
        (NAN, 2, "–"),
        (0.00123, None, "0.00123"),
        (0.25, None, "0.25"),
        (2.5e7, None, "2.5e+07"),
    ],
)
def test_a_number_has_its_decimals_and_no_minus_before_nothing(
    value: float, digits: int | None, said: str
) -> None:
    assert numbers.number(value, digits) == said


def test_a_share_stands_with_its_interval_in_percent() -> None:
    share = wilson(288, 460)
    assert numbers.percent(share.estimate) == "62.6%"
    assert numbers.interval(share, 2, times=100, unit="%") == "[58.10%, 66.91%]"
    assert numbers.with_interval(share) == "0.626 [0.581, 0.669]"


def test_what_is_missing_is_a_dash_and_has_no_interval() -> None:
    nothing = wilson(0, 0)
    assert numbers.percent(nothing.estimate) == "–"
    assert numbers.interval(nothing) == ""
    assert numbers.with_interval(nothing) == "–"


def test_one_thing_is_counted_without_an_s() -> None:
    assert numbers.counted(1, "seed") == "1 seed"
    assert numbers.counted(1200, "form") == "1,200 forms"
