"""Which judges are spared, exchanged and added."""

from __future__ import annotations

import pytest
from tests.evaluator.study.planted import planted

from assize.base.errors import ConfigError
from assize.evaluator._study.juries import by_reliability, juries_of

FIVE = {"a": 0.7, "best": 0.95, "second": 0.88, "worst": 0.55, "b": 0.8}


def test_the_order_is_that_of_reliability_and_not_of_appearance() -> None:
    found = by_reliability(planted(FIVE, n=2000))
    assert [name for name, _ in found] == ["best", "second", "b", "a", "worst"]
    assert found[0][1] == pytest.approx(0.95, abs=0.03)


def test_of_five_the_weakest_and_the_second_are_spared() -> None:
    found = juries_of(planted(FIVE, n=2000))
    assert [(one.name, one.judges) for one in found] == [
        ("default", ("a", "best", "b")),
        ("- best", ("a", "b")),
        ("worst for best", ("a", "b", "worst")),
        ("+ second", ("a", "best", "b", "second")),
    ]


def test_names_decide_where_they_are_given() -> None:
    found = juries_of(planted(FIVE, n=2000), weak="a", strong="best")
    assert [one.name for one in found] == ["default", "- second", "a for second", "+ best"]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"weak": "nobody"}, "no judge 'nobody' voted here"),
        ({"weak": "a", "strong": "a"}, "cannot be the weak judge and the strong one"),
    ],
)
def test_names_that_cannot_be_are_refused(names: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        juries_of(planted(FIVE, n=60), **names)


def test_of_few_nobody_is_spared() -> None:
    three = juries_of(planted({"a": 0.9, "b": 0.8, "c": 0.7}, n=1000))
    assert [(one.name, len(one.judges)) for one in three] == [("default", 3), ("- a", 2)]
    (one,) = juries_of(planted({"a": 0.9}, n=200))
    assert one.judges == ("a",)
