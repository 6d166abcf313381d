"""The numbers of the page for scores, as records."""

from __future__ import annotations

import math

import pytest

from assize.judgment import PREFERENCE, Question
from assize.pages.summary import Levels, Spread, levels_of, scale_of


def test_a_spread_has_quartiles_by_hand_and_none_of_nothing() -> None:
    found = Spread.of([1.0, 2.0, 3.0, 4.0])
    assert (found.n, found.least, found.lower, found.median, found.upper, found.greatest) == (
        4,
        1.0,
        1.75,
        2.5,
        3.25,
        4.0,
    )
    assert found.mean.estimate == 2.5
    assert math.isnan(Spread.of([]).median)


def test_an_interval_is_cut_at_the_ends_of_the_scale() -> None:
    assert Spread.of([0.0, 1.0], (0.0, 1.0)).mean.interval == (0.0, 1.0)
    low, high = Spread.of([0.0, 1.0]).mean.interval
    assert low < 0.0
    assert high > 1.0


def test_levels_count_what_lies_at_or_beyond_both_ends() -> None:
    found = Levels.of(0.25, 0.75, [0.1, 0.25, 0.5, 0.9])
    assert (found.low_count, found.high_count, found.n) == (2, 1, 4)
    assert [found.name(value) for value in (0.25, 0.5, 0.75)] == ["low", "middle", "high"]


@pytest.mark.parametrize(
    ("question", "scale"),
    [
        (Question("q", kind="number", range=(0, 10)), (0, 10)),
        (Question("q", kind="ordinal", answers=("a", "b"), values=(1, 4)), (1, 4)),
        (PREFERENCE, (-1.0, 1.0)),
        (Question("q", kind="number"), None),
    ],
)
def test_a_scale_is_that_of_the_question(question: Question, scale: object) -> None:
    assert scale_of(question) == scale


@pytest.mark.parametrize("given", [[0.5, 0.25], [0.5], "low", None])
def test_levels_that_do_not_fit_are_none(given: object) -> None:
    assert levels_of(Question("q", kind="number", extra={"levels": given})) is None
    assert levels_of(Question("q", kind="number", extra={"levels": [0.25, 0.5]})) == (0.25, 0.5)
