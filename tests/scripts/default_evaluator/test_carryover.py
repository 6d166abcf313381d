from __future__ import annotations

import numpy as np
import pytest
from scripts.default_evaluator.carryover import HeldOut, carry_over, verdict, visible, without_means
from scripts.default_evaluator.recipe import Corpora, Dimension, Sides, Table

from assize.evaluator.features.surface import LENGTH
from assize.evaluator.features.turns import names, widths
from assize.judgment import Question

D = 2
F = sum(widths(D).values())
QUALITY = names(D).index("similarity.answers_mean")
QUESTION = Question("overall", extra={"levels": [0.25, 0.75]})


def table(seed: int, n: int = 200) -> Table:
    """Ratings that follow one similarity feature, by ten raters with habits."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, F))
    raters = np.array([f"r{number % 10}" for number in range(n)])
    habits = (np.arange(n) % 10) * 0.1
    ratings = {"good": rows[:, QUALITY] + habits + 0.5 * rng.normal(size=n)}
    bots = np.array([f"b{number % 4}" for number in range(n)])
    return Table(rows, ratings, raters, bots, raters)


def corpora(*names: str) -> Corpora:
    found = {name: table(seed) for seed, name in enumerate(names)}
    return Corpora(found, {}, {})


def asked(*names: str) -> Dimension:
    return Dimension(QUESTION, {name: {"good": 1.0} for name in names})


def test_a_quality_that_corpora_share_carries_over_and_baselines_do_not() -> None:
    found = list(carry_over(asked("x", "y"), corpora("x", "y"), D))
    assert [(one.corpus, one.left_out, one.level) for one in found] == [
        ("x", "corpus", "conversation"), ("y", "corpus", "conversation"),
    ]  # fmt: skip
    for one in found:
        assert one.measure().estimate > 0.6
        assert abs(one.measure("length").estimate) < 0.3
        within = one.within()
        assert within is not None
        assert within.estimate > one.measure().estimate
    assert verdict(found, np.random.default_rng(0)).ships


def test_a_single_corpus_is_cross_validated_by_bot() -> None:
    (found,) = carry_over(asked("x"), corpora("x"), D)
    assert found.left_out == "bots"
    assert found.measure().estimate > 0.6


def test_a_quality_that_is_only_length_does_not_ship() -> None:
    both = corpora("x", "y")
    place = names(D).index("shape.assistant_length")
    long = {
        name: Table(one.rows, {"good": one.rows[:, place]}, None, one.bots, one.clusters)
        for name, one in both.conversations.items()
    }
    found = list(carry_over(asked("x", "y"), Corpora(long, {}, {}), D))
    assert all(one.measure().estimate > 0.5 for one in found)
    assert not verdict(found, np.random.default_rng(0)).ships


def test_pairs_are_measured_by_the_share_decided_rightly() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 300, F))
    sides = Sides(a, b, np.sign((a - b)[:, QUALITY]))
    (found,) = carry_over(Dimension(QUESTION, pairs=("p",)), Corpora({}, {}, {"p": sides}), D)
    assert found.level == "pair"
    assert found.measure().estimate > 0.85
    assert verdict([found], np.random.default_rng(0)).ships


def test_baselines_see_what_they_are_named_after() -> None:
    seen = {model: set(np.array(names(D))[visible(model, D)]) for model in ("shape", "length")}
    assert seen["length"] == {f"shape.{name}" for name in LENGTH}
    assert seen["length"] < seen["shape"]
    assert visible("head", D).all()


def test_the_lowest_quarter_by_hand() -> None:
    # predicted lowest: rows 0 and 1; people's lowest: rows 0 and 2
    predicted = np.array([0.0, 1, 2, 3, 4, 5, 6, 7])
    target = np.array([0.0, 5, 1, 6, 7, 8, 9, 10])
    found = HeldOut("c", "corpus", "turn", {"head": predicted}, target, np.arange(8))
    assert found.lowest().estimate == 0.5
    assert found.chance() == 0.25


def test_means_of_groups_are_taken_out() -> None:
    found = without_means(np.array([1.0, 3.0, 10.0]), np.array(["a", "a", "b"]))
    assert found.tolist() == pytest.approx([-1, 1, 0])
