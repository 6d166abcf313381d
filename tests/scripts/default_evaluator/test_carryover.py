from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from letters import Letters
from scripts.default_evaluator.carryover import HEADS, Learner, carry_over, fit_all, learners
from scripts.default_evaluator.corpora import Corpora, Sides, Table
from scripts.default_evaluator.held_out import HeldOut
from scripts.default_evaluator.recipe import Dimension
from tests.scripts.default_evaluator.conftest import dimension, two_corpora
from tests.scripts.default_evaluator.feature_names import names

from assize.base.judgment import Question
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._features.surface import LENGTH, SHAPE
from assize.evaluator._heads.ridge import RIDGES, HeadRecipe, Ridge

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
    """By a head on all features of `turns`, heads that see nothing, and one of lengths alone."""
    lengths = {"before": F - len(SHAPE), "length": len(LENGTH), "after": len(SHAPE) - len(LENGTH)}
    lone = HeadRecipe(("length",))
    only, none = (
        Ridge(dict.fromkeys(lengths, 1_000.0), heads=(head,))
        for head in (lone, replace(lone, level="turn"))  # of which there are no ratings
    )
    blind = Learner(found, none, lengths)
    models = dict.fromkeys(HEADS, blind) | {
        "all": Learner(found, RIDGES["turns"], WIDTHS),
        "length": Learner(found, only, lengths),
    }
    return list(carry_over(dimension, models))


def asked(*names: str) -> Dimension:
    return Dimension(QUESTION, {name: {"good": 1.0} for name in names})


def test_a_quality_that_corpora_share_carries_over_and_baselines_do_not() -> None:
    found = carried(asked("x", "y"), corpora("x", "y"))
    assert [one.corpus for one in found] == ["x", "y"]
    for one in found:
        assert (one.left_out, one.level) == ("corpus", "conversation")
        assert one.measure().estimate > 0.6
        assert abs(one.measure("length").estimate) < 0.3
        assert one.measure("inside").estimate > 0.6
        within: Any = one.within(one.raters)
        assert within.estimate > one.measure().estimate
        assert one.above_chance


def test_a_single_corpus_is_cross_validated_by_bot() -> None:
    (found,) = carried(asked("x"), corpora("x"))
    assert found.left_out == "bots"
    assert found.measure().estimate > 0.6


def sides() -> Sides:
    a, b = np.random.default_rng(3).normal(size=(2, 300, F))
    return Sides(a, b, np.sign((a - b)[:, QUALITY]))


def test_baselines_see_what_they_are_named_after() -> None:
    fitted = fit_all(dimension("overall"), learners(two_corpora(), Letters()))
    every = names(Letters.dimension)
    for model, blocks in (("shape", SHAPE), ("length", LENGTH)):
        weights = fitted[model].weights
        seen = [name for name, weight in zip(every, weights, strict=True) if weight]
        assert seen == [f"shape.{name}" for name in blocks]


def test_a_corpus_of_pairs_is_left_out_like_another() -> None:
    both = Dimension(QUESTION, {"x": {"good": 1.0}}, pairs=("p",))
    found = carried(both, Corpora({"x": table(1)}, {}, {"p": sides()}))
    assert [(one.corpus, one.level) for one in found] == [("x", "conversation"), ("p", "pair")]
    rated, paired = found
    assert rated.measure().estimate > 0.6
    assert paired.measure().estimate > 0.85
    assert paired.above_chance
