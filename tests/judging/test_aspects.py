"""The aspects are MTDEval's."""

from __future__ import annotations

from assize.judging.aspects import ASPECTS, OVERALL


def test_there_are_ten_and_the_overall_one_is_none_of_them() -> None:
    assert len(ASPECTS) == len(set(ASPECTS.values())) == 10
    assert OVERALL not in ASPECTS
