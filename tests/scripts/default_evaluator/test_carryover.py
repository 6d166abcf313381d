from __future__ import annotations

import numpy as np
from scripts.default_evaluator.carryover import Learner, carry_over, learners
from scripts.default_evaluator.corpora import Corpora, Sides, Table
from scripts.default_evaluator.held_out import HeldOut, verdict
from scripts.default_evaluator.recipe import Dimension
from tests.scripts.default_evaluator.feature_names import names

from assize.base.judgment import Question
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._features.surface import LENGTH, SHAPE
from assize.evaluator._heads.ridge import RIDGES

D = 2
WIDTHS = TurnFeatures().widths(D)
F = sum(WIDTHS.values())
NAMES = names(D, TurnFeatures())
QUALITY = NAMES.index("similarity.answers_mean")
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


def carried(dimension: Dimension, found: Corpora) -> list[HeldOut]:
    """By a head on all features of `turns`, and by the two baselines."""
    ridge, shape, length = RIDGES["turns"], len(SHAPE), len(LENGTH)
    models = {
        "head": Learner(found, ridge, WIDTHS),
        "shape": Learner(found, ridge, {"shape": shape}, slice(-shape, None)),
        "length": Learner(found, ridge, {"shape": length}, slice(-shape, length - shape)),
    }
    return list(carry_over(dimension, models))


def asked(*names: str) -> Dimension:
    return Dimension(QUESTION, {name: {"good": 1.0} for name in names})


def test_a_quality_that_corpora_share_carries_over_and_baselines_do_not() -> None:
    found = carried(asked("x", "y"), corpora("x", "y"))
    assert [(one.corpus, one.left_out, one.level) for one in found] == [
        ("x", "corpus", "conversation"),
        ("y", "corpus", "conversation"),
    ]
    for one in found:
        assert one.measure().estimate > 0.6
        assert abs(one.measure("length").estimate) < 0.3
        within = one.within()
        assert within is not None
        assert within.estimate > one.measure().estimate
    assert verdict(found, np.random.default_rng(0)).ships


def test_a_single_corpus_is_cross_validated_by_bot() -> None:
    (found,) = carried(asked("x"), corpora("x"))
    assert found.left_out == "bots"
    assert found.measure().estimate > 0.6


def test_a_quality_that_is_only_length_does_not_ship() -> None:
    both = corpora("x", "y")
    place = NAMES.index("shape.assistant_length")
    long = {
        name: Table(one.rows, {"good": one.rows[:, place]}, None, one.bots, one.clusters)
        for name, one in both.conversations.items()
    }
    found = carried(asked("x", "y"), Corpora(long, {}, {}))
    assert all(one.measure().estimate > 0.5 for one in found)
    assert not verdict(found, np.random.default_rng(0)).ships


def test_pairs_are_measured_by_the_share_decided_rightly() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 300, F))
    sides = Sides(a, b, np.sign((a - b)[:, QUALITY]))
    (found,) = carried(Dimension(QUESTION, pairs=("p",)), Corpora({}, {}, {"p": sides}))
    assert found.level == "pair"
    assert found.measure().estimate > 0.85
    assert verdict([found], np.random.default_rng(0)).ships


def test_baselines_see_what_they_are_named_after() -> None:
    before = corpora("x")
    models = learners(before, before, D)
    assert models["shape"].widths == {"shape": len(SHAPE)}
    assert SHAPE[: models["length"].columns.stop] == LENGTH
    assert models["length"].widths == {"shape": len(LENGTH)}


def test_a_corpus_of_pairs_is_left_out_like_another() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 300, F))
    sides = Sides(a, b, np.sign((a - b)[:, QUALITY]))
    both = Dimension(QUESTION, {"x": {"good": 1.0}}, pairs=("p",))
    found = carried(both, Corpora({"x": table(1)}, {}, {"p": sides}))
    assert [(one.corpus, one.level) for one in found] == [("x", "conversation"), ("p", "pair")]
    assert all(one.measure().estimate > 0.6 for one in found)
