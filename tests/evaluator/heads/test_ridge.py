from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.evaluator._features.blocks import ExchangeFeatures, TurnFeatures
from assize.evaluator._heads.ridge import (
    RIDGES,
    HeadData,
    HeadRecipe,
    Preferences,
    Ratings,
    Ridge,
    Source,
    fit_heads,
    fit_ridge,
    fit_scaling,
    fit_weights,
    read_axes,
)
from assize.evaluator._heads.scored_question import Population
from assize.stats._arrays import FloatArray

D = 2
WIDTHS = TurnFeatures().widths(D)
F = sum(WIDTHS.values())
USUAL = RIDGES["turns"]


def ridge(vectors: float, others: float) -> Ridge:
    penalties = {name: others if width > D else vectors for name, width in WIDTHS.items()}
    return Ridge(penalties)


WEAK = ridge(1e-3, 1e-3)
QUESTION = Question("overall", extra={"levels": [0.25, 0.75]})


def simulated(
    n: int, truth: FloatArray, seed: int, noise: float = 0.0, shift: float = 0.0
) -> Ratings:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, F)) * 3 + shift
    return Ratings(f"c{seed}", rows, rows @ truth + noise * rng.normal(size=n))


def fitted(source: Source, ridge: Ridge = WEAK) -> FloatArray:
    return fit_weights([source], fit_scaling([source]), ridge, WIDTHS)


def test_known_weights_are_recovered() -> None:
    truth = np.random.default_rng(1).normal(size=F)
    source = simulated(5000, truth, 2)
    # standardised features: the weight is truth times the deviation, up to the target's scale
    found, expected = fitted(source), truth * fit_scaling([source]).scale
    np.testing.assert_allclose(found / found[0], expected / expected[0], rtol=1e-3)


def test_fewer_rows_than_features_have_the_solution_of_the_normal_equations() -> None:
    few = [simulated(F // 3, np.ones(F), seed, noise=1.0) for seed in (20, 21)]
    scaling = fit_scaling(few)
    gram, moment = np.diag(USUAL.per_feature(WIDTHS)), np.zeros(F)
    for source in few:
        rows, targets = scaling(source.rows), source.targets - source.targets.mean()
        rows -= rows.mean(axis=0)
        gram += USUAL.corpus_rows * rows.T @ rows / len(rows)
        moment += USUAL.corpus_rows * rows.T @ targets / len(rows) / targets.std()
    found = fit_ridge(few, scaling, USUAL, WIDTHS)
    np.testing.assert_allclose(found, np.linalg.solve(gram, moment), rtol=1e-9, atol=1e-12)


def test_preferences_recover_the_direction_of_the_weights() -> None:
    rng = np.random.default_rng(3)
    truth = rng.normal(size=F)
    a, b = rng.normal(size=(2, 4000, F))
    found = fitted(Preferences("p", a, b, np.sign((a - b) @ truth + rng.logistic(size=4000))))
    assert np.corrcoef(found, truth)[0, 1] > 0.98


def test_exchanging_the_sides_of_all_pairs_changes_nothing() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(2, 50, F))
    target = rng.choice([-1.0, 0.0, 1.0], 50)
    one, two = Preferences("p", a, b, target), Preferences("p", b, a, -target)
    np.testing.assert_allclose(fitted(one, USUAL), fitted(two, USUAL), atol=1e-12)


def test_a_corpus_counts_alike_whatever_its_size() -> None:
    small = simulated(200, np.eye(F)[0], 5)
    large = Ratings("large", np.tile(small.rows, (9, 1)), np.tile(-small.targets, 9))
    found = fit_weights([small, large], fit_scaling([small]), USUAL, WIDTHS)
    np.testing.assert_allclose(found, 0, atol=1e-9)  # they contradict each other exactly


def test_stronger_penalties_shrink_embeddings_and_leave_the_rest() -> None:
    found = np.abs(fitted(simulated(2000, np.ones(F), 7), ridge(1e9, 1e-3)))
    assert found[: 4 * D].max() < 1e-3 * found[4 * D :].min()


def test_every_feature_has_the_penalty_of_its_block() -> None:
    widths, recipe = ExchangeFeatures().widths(2), RIDGES["exchanges"]
    expected = [recipe.penalties[name] for name, width in widths.items() for _ in range(width)]
    assert recipe.per_feature(widths).tolist() == expected


PARTS = {"shape": 3, "manner": 2, "reactions": 2}  # names that are known; of any width
AXES = np.array([[1.0], [0.0]])  # of two dimensions the first


def parts(seed: int, signs: FloatArray, noise: float = 0.1, n: int = 4000) -> Ratings:
    """Ratings that follow features by so much each."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 7))
    return Ratings(f"c{seed}", rows, rows @ signs + noise * rng.normal(size=n))


def added(*heads: HeadRecipe) -> Ridge:
    return Ridge(dict.fromkeys(PARTS, 1.0), heads=heads)


def test_heads_are_fitted_apart_brought_to_one_spread_and_added() -> None:
    sources = [parts(seed, np.array([1.0, 0, 0, 9, 0, 0, 0])) for seed in (1, 2)]
    scaling = fit_scaling(sources)
    one, two = HeadRecipe(("shape",)), HeadRecipe(("manner",), 0.5)
    alone = [fit_weights(sources, scaling, added(head), PARTS) for head in (one, two)]
    found = fit_weights(sources, scaling, added(one, two), PARTS)
    np.testing.assert_allclose(found, alone[0] + alone[1])
    spreads = [
        np.sqrt(np.mean([np.var(scaling(source.rows) @ weights) for source in sources]))
        for weights in alone
    ]
    np.testing.assert_allclose(spreads, [1.0, 0.5])
    assert not np.any(alone[0][3:])  # a head sees its own blocks alone


def test_a_maximin_head_weighs_by_where_a_feature_helps_least() -> None:
    # shape.0 helps in both, shape.1 more in one than in the other, shape.2 in one only;
    # the second vector lies across the axis
    one = parts(1, np.array([1.0, 1.0, 1.0, 0, 0, 1.0, 5.0]), 0.0)
    two = parts(2, np.array([1.0, 0.1, -1.0, 0, 0, 1.0, 5.0]), 0.0)
    head = added(HeadRecipe(("shape", "reactions"), maximin=True))
    scaling = fit_scaling([one, two])
    found = fit_weights([one, two], scaling, head, PARTS, AXES)
    sizes = [np.corrcoef(source.rows.T, source.targets)[-1, :-1] for source in (one, two)]
    weakest = np.abs(sizes).min(axis=0)
    assert not found[[2, 3, 4, 6]].any()
    np.testing.assert_allclose(found[[1, 5]] / found[0], weakest[[1, 5]] / weakest[0], rtol=0.02)
    turned = [Ratings(s.corpus, s.rows, -s.targets) for s in (one, two)]
    np.testing.assert_allclose(fit_weights(turned, scaling, head, PARTS, AXES), -found)


def test_a_head_of_conversations_learns_from_their_ratings_alone() -> None:
    signs = np.eye(7)[0]
    talks, turns = parts(1, signs), replace(parts(2, -signs), level="turn")
    pairs = Preferences("p", talks.rows, turns.rows, -np.ones(4000))
    every: list[Source] = [talks, turns, pairs]
    head = added(HeadRecipe(("shape",), level="conversation"))
    found, own, others = (
        fit_weights(sources, fit_scaling(every), head, PARTS)
        for sources in (every, every[:1], every[1:])
    )
    np.testing.assert_array_equal(found, own)
    assert not others.any()


def test_axes_are_differences_of_mean_vectors(letters: Any) -> None:
    found = read_axes(letters)
    assert found.shape == (letters.dimension, 7)
    good = ["I see, that makes sense.", "Yes, exactly!", "You understood me."]
    bad = [
        "What? I don't understand.",
        "That makes no sense.",
        "What are you talking about?",
        "Huh?",
    ]
    means = [letters.encode(sentences).vectors.mean(axis=0) for sentences in (good, bad)]
    np.testing.assert_allclose(found[:, 1], means[0] - means[1])


def test_missing_features_and_ratings_are_passed_over() -> None:
    source = simulated(500, np.ones(F), 9, noise=1.0)
    rows, targets = source.rows.copy(), source.targets.copy()
    rows[::3, 5] = rows[:, 6] = targets[::7] = np.nan
    holed = Ratings("c", rows, targets)
    found = fitted(holed)
    assert np.isfinite(found).all()
    assert found[6] == 0
    assert spearmanr(fit_scaling([holed])(source.rows) @ found, source.targets)[0] > 0.95


def test_half_of_what_the_answers_to_a_context_have_in_common_is_taken_out() -> None:
    rng = np.random.default_rng(6)
    contexts = np.repeat(np.arange(2_000), 10)
    ease = rng.normal(size=2_000)[contexts]
    rows = rng.normal(size=(20_000, F))
    rows[:, 1] += ease  # feature 1 goes with the context, feature 0 with quality
    unknown = Ratings("c", rows, rows[:, 0] + ease)
    scale = fit_scaling([unknown]).scale
    slopes = [fitted(one) / scale for one in (unknown, replace(unknown, groups=contexts))]
    # slope on ease plus noise: s^2 / (s^2 + 1) with s = 1; of half the ease s = 1/2, and of the
    # noise, whose mean over ten falls by half too, 1 - 3/4 / 10 is left
    expected = (1 / 2, 0.25 / (0.25 + 0.925))
    assert [float(one[1] / one[0]) for one in slopes] == pytest.approx(expected, abs=0.02)


def test_finished_weights_have_unit_spread_and_scores_by_rank() -> None:
    source = simulated(1000, np.ones(F), 11)
    population: Population = {"conversation": {"c": source.rows}, "turn": {"c": source.rows[:300]}}
    data = HeadData(QUESTION, [source], population)
    head, questions = fit_heads([data], fit_scaling([source]), USUAL, WIDTHS)
    raw, scored = head.raw(source.rows)[:, 0], questions["overall"]
    assert raw.std() == pytest.approx(1.0)
    assert scored.maps["conversation"]([np.median(raw)])[0] == pytest.approx(0.5, abs=0.01)
    assert (scored.low, scored.high, scored.trained_on) == (0.25, 0.75, ("c11",))


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        ([Ratings("c", np.eye(F), np.ones(F))], "all targets are the same"),
        ([Ratings("c", np.eye(F), np.full(F, np.nan))], "all targets are the same"),
        ([], "nothing to learn from"),
    ],
)
def test_nothing_to_learn_from_is_said(sources: list[Source], message: str) -> None:
    with pytest.raises(DataError, match=message):
        fit_weights(sources, fit_scaling(sources), USUAL, WIDTHS)
