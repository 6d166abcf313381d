"""The numbers of the page for scores, as records."""

from __future__ import annotations

import pytest

from assize.base.judgment import PREFERENCE, Question
from assize.pages.scores.groups import Levels, levels_of, scale_of


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
