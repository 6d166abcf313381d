"""Paired tests between juries: by hand, corrected, and with the right error rate."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.juries.study.conftest import PAIRS, data_set

from assize.base.errors import ConfigError
from assize.juries import Cascade
from assize.juries.decide import decide
from assize.juries.study.paired import best, compare_juries, right_on
from assize.stats import Estimate


def right(**said: str) -> dict[str, dict[str, float]]:
    """By jury, `1` right, `0` wrong, `?` unscored."""
    worth = {"1": 1.0, "0": 0.0, "?": math.nan}
    return {
        name: {f"p{n}": worth[one] for n, one in enumerate(text)} for name, text in said.items()
    }


def test_ties_are_not_right_and_what_is_unscored_is_as_the_jury_counts_it() -> None:
    table = data_set(**{"da@x": "AtBx"}).table
    found = right_on(decide(table, Cascade(("da",)), pairs=PAIRS))
    assert [found[f"p{n}"] for n in (1, 2, 3)] == [1.0, 0.0, 0.0]
    assert math.isnan(found["p4"])
    lost = right_on(decide(table, Cascade(("da",), unscored="loss"), pairs=PAIRS))
    assert lost["p4"] == 0.0


def test_a_pair_that_a_jury_was_not_asked_about_is_not_its() -> None:
    table = data_set(**{"da@x": "AtB", "maxim@x": "AAAA"}).table
    assert list(right_on(decide(table, Cascade(("da",)), pairs=PAIRS))) == ["p1", "p2", "p3"]


def test_two_juries_are_tested_on_what_only_one_has_right() -> None:
    # 5 pairs only the first has right, none only the second: p = 2 * 0.5^5 = 0.0625
    (found,) = compare_juries(right(a="1111111", b="0000011"))
    assert (found.only_first, found.only_second) == (5, 0)
    assert found.p_value == pytest.approx(0.0625)
    assert found.difference.estimate == pytest.approx(5 / 7)
    assert found.difference.interval[0] > 0.25
    assert found.n == 7
    assert found.p_holm == pytest.approx(0.0625)
    back = found.exchanged()
    assert (back.first, back.second, back.only_first, back.only_second) == ("b", "a", 0, 5)
    assert back.difference.estimate == -found.difference.estimate
    assert back.difference.interval[1] == -found.difference.interval[0]


def test_p_values_are_corrected_for_all_pairs_or_for_those_with_one_jury() -> None:
    juries = right(a="1" * 12, b="0" * 10 + "11", c="1" * 12)
    every = {(one.first, one.second): one for one in compare_juries(juries)}
    alone = 2 * 0.5**10
    assert every["a", "b"].p_holm == pytest.approx(3 * alone)  # the smallest of three, as is b, c
    assert every["a", "c"].p_holm == 1.0
    fixed = compare_juries(juries, against="b")
    assert [(one.first, one.second) for one in fixed] == [("b", "a"), ("b", "c")]
    assert fixed[0].p_holm == pytest.approx(2 * alone)
    with pytest.raises(ConfigError, match="no jury 'd' to compare with; there are a, b, c"):
        compare_juries(juries, against="d")


def test_items_that_one_of_the_two_lacks_are_unscored() -> None:
    (found,) = compare_juries(right(a="110?", b="100"))
    assert (found.n, found.unscored) == (3, 1)
    (nothing,) = compare_juries(right(a="??", b="11"))
    assert math.isnan(nothing.difference.estimate)
    assert nothing.difference.reason == "no items with both"


def test_juries_right_on_the_same_items_have_no_interval_that_claims_certainty() -> None:
    (found,) = compare_juries(right(a="110", b="110"))
    assert found.difference.estimate == 0
    assert math.isnan(found.difference.interval[0])
    assert found.difference.reason == "both are right on the same items"


def test_the_interval_covers_the_true_difference_of_simulated_juries() -> None:
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(200):
        hard = rng.random(150)
        first, second = (hard < 0.7).astype(float), ((hard + rng.normal(0, 0.2, 150)) < 0.6)
        columns = {"a": dict(enumerate(first)), "b": dict(enumerate(second.astype(float)))}
        (found,) = compare_juries(
            {name: {str(k): v for k, v in one.items()} for name, one in columns.items()}
        )
        low, high = found.difference.interval
        covered += low <= _TRUE <= high
    assert 180 <= covered <= 198  # 95% of 200 is 190, standard deviation 3


_DRAWN = np.random.default_rng(0)
_TRUE = 0.7 - float(np.mean(_DRAWN.random(400_000) + _DRAWN.normal(0, 0.2, 400_000) < 0.6))


def test_the_best_jury_is_the_one_that_is_right_most_often() -> None:
    shares = {"a": Estimate(0.5), "b": Estimate(0.7), "c": Estimate(math.nan)}
    assert best(shares) == "b"
    assert best(shares, but=["b"]) == "a"
    assert best({"c": Estimate(math.nan)}) is None
