"""Kappa, alpha, aggregate scores and distributions by source: by hand, and recovered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.reference.study.examples import LARGE, NAN, data_of, ratings, simulated

from assize.reference._study.data import DataSet
from assize.reference._study.sources import count_answers, measure_sources

FIVE = (1.0, 2.0, 3.0, 4.0, 5.0)


def from_sources(*names: str, **given: object) -> tuple[DataSet, object]:
    people = ratings([5, 3, 2], [1, 1, 1], [4, 4, 4], answers=FIVE)
    data = replace(data_of(people), sources=np.array(names))
    return data, people


def test_the_aggregate_score_is_the_papers_example() -> None:
    # E.1: scores of 5, 3 and 2 with a maximum of 5 are 10 / 15
    data, people = from_sources("x", "y", "y")
    found = {one.source: one for one in measure_sources(people, data)}  # type: ignore[arg-type]
    assert found["x"].aggregate.estimate == pytest.approx(10 / 15)
    assert found["y"].aggregate.estimate == pytest.approx(15 / 30)
    assert found["all"].aggregate.estimate == pytest.approx(25 / 45)


def test_sources_stand_from_the_best_to_the_worst_and_all_comes_last() -> None:
    data, people = from_sources("x", "low", "high")
    assert [one.source for one in measure_sources(people, data)] == ["high", "x", "low", "all"]  # type: ignore[arg-type]


def test_one_source_or_none_is_shown_once() -> None:
    data, people = from_sources("x", "x", "x")
    assert [one.source for one in measure_sources(people, data)] == ["x"]  # type: ignore[arg-type]
    data, people = from_sources("", "", "")
    assert [one.source for one in measure_sources(people, data)] == ["all"]  # type: ignore[arg-type]


def test_every_rating_is_counted_under_its_answer() -> None:
    data, people = from_sources("x", "y", "y")
    row = count_answers(people, data)[-1]  # type: ignore[arg-type]
    assert (row.source, row.ratings) == ("all", 9)
    assert row.answers == {"1": 3, "2": 1, "3": 1, "4": 3, "5": 1}


def test_one_rater_has_no_kappa_and_says_why() -> None:
    people = ratings([1], [2], [3], answers=FIVE)
    (found,) = measure_sources(people, data_of(people))
    assert np.isnan(found.fleiss_kappa.estimate)
    assert found.fleiss_kappa.reason == found.alpha.reason == "no item has two ratings"


def test_ratings_without_a_highest_value_have_no_aggregate() -> None:
    people = ratings([0.2, 0.4], [0.1, 0.9])
    (found,) = measure_sources(people, data_of(people))
    assert np.isnan(found.aggregate.estimate)
    assert found.aggregate.reason == "the scale has no highest value above 0"


def test_numbers_have_no_kappa() -> None:
    rng = np.random.default_rng(0)
    people = ratings(*rng.random((20, 2)).tolist())
    (found,) = measure_sources(people, data_of(people))
    assert found.fleiss_kappa.reason == "the ratings are numbers, not answers"
    assert not np.isnan(found.alpha.estimate)
    assert sum(count_answers(people, data_of(people))[0].answers.values()) == 40


def test_kappa_of_simulated_raters_is_the_square_of_their_agreement() -> None:
    data, made = simulated(conversations=LARGE)
    for target, known in made.known.items():
        for one in measure_sources(data.ratings[target], data):
            if one.source in known.kappa:
                low, high = one.fleiss_kappa.interval
                wide = max(high - low, 0.02) if low == low else 0.02
                assert abs(one.fleiss_kappa.estimate - known.kappa[one.source]) < wide, (
                    target,
                    one.source,
                )
                assert one.aggregate.estimate == pytest.approx(
                    known.aggregate[one.source], abs=0.02
                )


def test_missing_ratings_count_nothing() -> None:
    people = ratings([5, NAN], [1, 3], answers=FIVE)
    (found,) = measure_sources(people, data_of(people))
    assert found.aggregate.estimate == pytest.approx(9 / 15)
