"""Ensembles in the study: nothing is predicted by a fit that saw its conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.reference.study.examples import NAN, column, correlated, data_of, ratings, simulated

from assize.reference._ensemble.examples import Examples, weigh_corpora
from assize.reference._ratings import Unit
from assize.reference._study.data import DataSet
from assize.reference._study.ensembles import (
    BEST,
    conversation_folds,
    cross_validate,
    drawn_tree,
    examples_of,
    gain,
    predict_by,
    transfer,
    usable,
)
from assize.stats._arrays import FloatArray, IntArray


def examples(x: FloatArray, y: FloatArray, source: Sequence[int] | None = None) -> Examples:
    """Rows of conversations of their own."""
    of = np.zeros(len(y), dtype=np.int64) if source is None else np.array(source, dtype=np.int64)
    return Examples(x, y, np.arange(len(y)), of, weigh_corpora(of))


def two_sets(seed: int = 0) -> tuple[DataSet, DataSet]:
    """Ratings that go with the first metric in both, on other scales."""
    found: list[DataSet] = []
    for name, scale in (("A", 1.0), ("B", 100.0)):
        rng = np.random.default_rng([seed, len(found)])
        x, y = correlated(200, 0.8, rng)
        people = ratings(*[[one] for one in (scale * y).tolist()])
        named = replace(column(x.tolist()), name="good")
        other = replace(column(rng.normal(size=200).tolist()), name="bad")
        data = data_of(people, named, other, conversations=[f"c{at // 4}" for at in range(200)])
        found.append(replace(data, name=name))
    return found[0], found[1]


def test_too_few_conversations_have_no_folds_and_say_so() -> None:
    people = ratings([1], [2], [3])
    data = data_of(people, column([1, 2, 3]))
    assert conversation_folds(data, 5, 0) is None
    found = cross_validate(BEST, data, "content", None, "items", 0)
    assert found.reason == "too few conversations for the folds"
    assert np.isnan(found.values).all()


def fits_of(
    data: DataSet, fold: IntArray, unit: Unit, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[Examples, FloatArray]]:
    """What each fit of a cross-validation learns from, and what it predicts."""
    fits: list[tuple[Examples, FloatArray]] = []

    def predict(model: str, examples: Examples, metrics: FloatArray) -> FloatArray:
        fits.append((examples, metrics))
        return np.arange(len(metrics), dtype=float)

    monkeypatch.setattr("assize.reference._study.ensembles.predict_by", predict)
    found = cross_validate(BEST, data, "content", fold, unit, 0)
    assert not np.isnan(found.values).any()
    return fits


def test_no_fit_sees_the_conversations_that_it_predicts(monkeypatch: pytest.MonkeyPatch) -> None:
    data = simulated(conversations=10)
    fold: Any = conversation_folds(data, 5, 0)
    every = data.matrix(usable(data))
    assert len(set(map(tuple, every.tolist()))) == len(data)
    fits = fits_of(data, fold, "items", monkeypatch)
    assert sum(len(held) for _, held in fits) == len(data)
    for training, held in fits:
        predicted = set(map(tuple, held.tolist()))
        assert not predicted & set(map(tuple, training.metrics.tolist()))
        rows = np.array([tuple(row) in predicted for row in every.tolist()])
        assert len(np.unique(training.groups)) == len(np.unique(data.conversations[~rows]))
        assert not set(data.conversations[rows]) & set(data.conversations[~rows])


@pytest.mark.parametrize(("unit", "rows"), [("ratings", 6), ("items", 3)])
def test_a_row_is_a_rating_or_an_item(
    unit: Unit, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = ratings([1, 2], [2, 3], [3, 4], [5, 5])
    data = data_of(people, column([1, 2, 3, 4]))
    fits = fits_of(data, np.array([0, 1, 2, 3]), unit, monkeypatch)
    assert [len(training.target) for training, _ in fits] == [rows] * 4


def test_the_best_metric_is_turned_round_where_it_falls_as_ratings_rise() -> None:
    x = np.array([[1.0, 5.0], [2.0, 4.0], [3.0, 2.0], [4.0, 1.0]])  # 5 4 2 1: mean 3
    rows = examples(x[:, 1:], np.arange(4.0))
    assert predict_by(BEST, rows, np.array([[3.0], [1.0]])) == pytest.approx([0, 2 / np.sqrt(2.5)])


def test_data_sets_count_alike_however_large_they_are() -> None:
    y = np.tile([0.0, 1.0], 60)
    # the first goes with the large set alone, the second with both, a little less
    rng = np.random.default_rng(0)
    first = np.where(np.arange(120) < 100, y, rng.random(120))
    both = y + 0.6 * rng.normal(size=120)
    x = np.column_stack([first, both])
    asked = np.array([[1.0, 9.0]])
    assert predict_by(BEST, examples(x, y), asked)[0] < 5
    assert predict_by(BEST, examples(x, y, [0] * 100 + [1] * 20), asked)[0] > 5


def test_folds_whose_best_metrics_differ_are_put_together_in_one_unit() -> None:
    rng = np.random.default_rng(14)  # 17 folds choose one, 23 the other
    y = rng.normal(size=400)
    one, other = (y + rng.normal(size=400) for _ in range(2))
    people = ratings(*[[value] for value in y.tolist()])
    columns = [
        replace(column((1000 + 50 * one).tolist()), name="large"),
        replace(column((0.01 * other).tolist()), name="small"),
    ]
    data = data_of(people, *columns)
    fold = np.arange(400) % 40
    found = cross_validate(BEST, data, "content", fold, "items", 0)
    single = np.corrcoef(one, y)[0, 1], np.corrcoef(other, y)[0, 1]
    # somewhat less: of two that are nearly alike, a fold gets the one that does worse in it
    assert np.corrcoef(found.values, y)[0, 1] > min(single) - 0.12


def test_an_item_without_a_metric_has_no_prediction() -> None:
    x = np.arange(40.0)
    asked = np.array([[1.0], [NAN], [3.0]])
    found = predict_by("linear", examples(x[:, None], 2 * x), asked)
    assert found[[0, 2]] == pytest.approx([2, 6])
    assert np.isnan(found[1])


def test_columns_that_many_items_lack_are_left_out_but_not_for_items_that_lack_all() -> None:
    people = ratings(*[[float(one)] for one in range(40)])
    whole = np.arange(40.0)
    unreferenced = np.where(whole < 8, NAN, whole)
    holes = np.where(np.arange(40) % 4 == 1, NAN, unreferenced)
    named = {
        "whole": whole,
        "a": unreferenced,
        "b": unreferenced + 1,
        "c": unreferenced * 2,
        "holes": holes,
        "flat": np.ones(40),
    }
    columns = [replace(column(one.tolist()), name=name) for name, one in named.items()]
    assert usable(data_of(people, *columns)) == ["whole", "a", "b", "c"]


def test_transfer_is_a_fit_on_the_other_sets_alone_on_one_scale() -> None:
    first, second = two_sets()
    third = replace(two_sets(1)[0], name="C")
    for training, data, name in (([first], second, "A"), ([first, second], third, "")):
        found = transfer("linear", training, data, "content", "items", 0, trained_on=name)
        assert found.trained_on == name
        assert np.corrcoef(found.values, data.ratings["content"].means)[0, 1] > 0.7
        # on the scale that it was fitted on, not on that of the other
        assert np.std(found.values) < 2


def test_only_common_metrics_are_learnt_from() -> None:
    first, second = two_sets()
    fewer = replace(second, columns=second.columns[:1])
    found = transfer("linear", [first], fewer, "content", "items", 0)
    rows = examples_of(first, "content", ["good"], "items", 0)
    assert found.values == pytest.approx(predict_by("linear", rows, fewer.matrix(["good"])))
    other = replace(fewer, columns=[replace(fewer.columns[0], name="own")])
    without = transfer("linear", [first], other, "content", "items", 0)
    assert without.reason == "the data sets have no metric in common"


def test_the_gain_is_paired_and_units_do_not_matter() -> None:
    data = simulated(conversations=60)
    fold = conversation_folds(data, 5, 0)
    best = cross_validate(BEST, data, "content", fold, "items", 0)
    linear = cross_validate("linear", data, "content", fold, "items", 0)
    found = gain(linear, best, data, "content", permutations=500, seed=0)
    assert found.gain.estimate == pytest.approx(found.r.estimate - found.best_metric.estimate)
    assert found.gain.interval[0] > 0.05
    assert found.p < 0.01
    assert found.relative_gain == pytest.approx(found.gain.estimate / found.best_metric.estimate)
    scaled = replace(best, values=1000 * best.values + 7)
    again = gain(linear, scaled, data, "content", permutations=500, seed=0)
    assert again.p == found.p
    assert again.gain.estimate == pytest.approx(found.gain.estimate)


def test_a_tree_is_drawn_of_the_first_learner_that_has_one() -> None:
    data = simulated()
    assert drawn_tree(("linear", "blend"), data, "content", "items", 0) is None
    found: Any = drawn_tree(("linear", "paper-forest", "paper-tree"), data, "content", "items", 0)
    assert (found.learner, found.root.n) == ("paper-tree", len(data))
