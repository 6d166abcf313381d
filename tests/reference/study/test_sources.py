"""Kappa, alpha, aggregate scores and distributions by source: by hand, and recovered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.reference.study.examples import FIVE, LARGE, NAN, data_of, ratings, simulated
from tests.reference.study.simulate import AGREEMENT, TARGETS

from assize.reference._study.data import DataSet
from assize.reference._study.sources import count_answers, measure_sources

PEOPLE = ratings([5, 3, 2], [1, 1, 1], [4, 4, 4], answers=FIVE)


def from_sources(*names: str) -> DataSet:
    return replace(data_of(PEOPLE), sources=np.array(names))


def test_the_aggregate_score_is_the_papers_example() -> None:
    # E.1: scores of 5, 3 and 2 with a maximum of 5 are 10 / 15
    rows = measure_sources(PEOPLE, from_sources("x", "y", "y"))
    found = {row.source: row.aggregate.estimate for row in rows}
    assert found == pytest.approx({"x": 10 / 15, "y": 15 / 30, "all": 25 / 45})


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["x", "low", "high"], ["high", "x", "low", "all"]),  # from the best to the worst
        (["x", "x", "x"], ["x"]),
        (["", "", ""], ["all"]),
    ],
)
def test_each_source_and_all_are_shown_once(names: list[str], shown: list[str]) -> None:
    assert [row.source for row in measure_sources(PEOPLE, from_sources(*names))] == shown


def test_one_rater_has_no_kappa_and_says_why() -> None:
    people = ratings([1], [2], [3], answers=FIVE)
    (found,) = measure_sources(people, data_of(people))
    assert np.isnan(found.fleiss_kappa.estimate)
    assert found.fleiss_kappa.reason == found.alpha.reason == "no item has two ratings"


def test_numbers_have_no_kappa_and_without_a_highest_value_no_aggregate() -> None:
    rng = np.random.default_rng(0)
    people = ratings(*rng.random((20, 2)).tolist())
    (found,) = measure_sources(people, data_of(people))
    assert found.fleiss_kappa.reason == "the ratings are numbers, not answers"
    assert not np.isnan(found.alpha.estimate)
    assert np.isnan(found.aggregate.estimate)
    assert found.aggregate.reason == "the scale has no highest value above 0"
    assert sum(count_answers(people, data_of(people))[0].answers.values()) == 40


def test_kappa_of_simulated_raters_is_the_square_of_their_agreement() -> None:
    data = simulated(conversations=LARGE)
    for target, asked in TARGETS.items():
        for one in measure_sources(data.ratings[target], data):
            if one.source in AGREEMENT:
                known = AGREEMENT[one.source] ** 2
                low, high = one.fleiss_kappa.interval
                wide = max(high - low, 0.02) if low == low else 0.02
                assert abs(one.fleiss_kappa.estimate - known) < wide, (target, one.source)
                mean = np.dot(asked.shares[one.source], asked.answers)
                assert one.aggregate.estimate == pytest.approx(mean / asked.answers[-1], abs=0.02)


def test_missing_ratings_count_nothing() -> None:
    people = ratings([5, NAN], [1, 3], answers=FIVE)
    (found,) = measure_sources(people, data_of(people))
    assert found.aggregate.estimate == pytest.approx(9 / 15)
