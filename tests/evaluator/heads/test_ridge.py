from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.evaluator._features.blocks import ExchangeFeatures, TurnFeatures
from assize.evaluator._heads.ridge import (
    RIDGES,
    HeadData,
    Preferences,
    Ratings,
    Ridge,
    fit_heads,
    fit_scaling,
    fit_weights,
)
from assize.evaluator._heads.scored_question import Population
from assize.stats._arrays import FloatArray

D = 2
WIDTHS = TurnFeatures().widths(D)
F = sum(WIDTHS.values())
USUAL = RIDGES["turns"]


def ridge(vectors: float, others: float, within: float = 0.5) -> Ridge:
    penalties = {name: others if width > D else vectors for name, width in WIDTHS.items()}
    return Ridge(penalties, within=within)


WEAK = ridge(1e-3, 1e-3, 1.0)
QUESTION = Question("overall", extra={"levels": [0.25, 0.75]})


def simulated(
    n: int, truth: FloatArray, seed: int, noise: float = 0.0, shift: float = 0.0
) -> Ratings:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, F)) * 3 + shift
    return Ratings(f"c{seed}", rows, rows @ truth + noise * rng.normal(size=n))


def test_known_weights_are_recovered() -> None:
    truth = np.random.default_rng(1).normal(size=F)
    source = simulated(5000, truth, 2)
    scaling = fit_scaling([source])
    found = fit_weights([source], scaling, WEAK, WIDTHS)
    # standardised features: the weight is truth times the deviation, up to the target's scale
    expected = truth * scaling.scale
    np.testing.assert_allclose(found / found[0], expected / expected[0], rtol=1e-3)


def test_preferences_recover_the_direction_of_the_weights() -> None:
    rng = np.random.default_rng(3)
    truth = rng.normal(size=F)
    a, b = rng.normal(size=(2, 4000, F))
    noise = rng.logistic(size=4000)
    source = Preferences("p", a, b, np.sign((a - b) @ truth + noise))
    found = fit_weights([source], fit_scaling([source]), WEAK, WIDTHS)
    assert np.corrcoef(found, truth)[0, 1] > 0.98


def test_exchanging_the_sides_of_all_pairs_changes_nothing() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(2, 50, F))
    target = rng.choice([-1.0, 0.0, 1.0], 50)
    one, two = Preferences("p", a, b, target), Preferences("p", b, a, -target)
    first, second = (
        fit_weights([source], fit_scaling([source]), USUAL, WIDTHS) for source in (one, two)
    )
    np.testing.assert_allclose(first, second, atol=1e-12)


def test_a_corpus_counts_alike_whatever_its_size() -> None:
    truth = np.zeros(F)
    truth[0] = 1.0
    small = simulated(200, truth, 5)
    large = Ratings("large", np.tile(small.rows, (9, 1)), np.tile(-small.targets, 9))
    found = fit_weights([small, large], fit_scaling([small]), USUAL, WIDTHS)
    np.testing.assert_allclose(found, 0, atol=1e-9)  # they contradict each other exactly


def test_what_raters_differ_in_is_taken_out() -> None:
    rng = np.random.default_rng(6)
    raters = np.repeat(np.arange(40), 10)
    habit = rng.normal(size=40)[raters] * 5
    rows = rng.normal(size=(400, F))
    rows[:, 1] += habit  # feature 1 goes with the rater, feature 0 with quality
    source = Ratings("c", rows, rows[:, 0] + habit, raters)
    scaling = fit_scaling([source])
    within = fit_weights([source], scaling, ridge(1, 1, 1.0), WIDTHS)
    without = fit_weights([source], scaling, ridge(1, 1, 0.0), WIDTHS)
    assert abs(within[1]) < 0.05 * abs(within[0])
    assert abs(without[1]) > abs(without[0])


def test_stronger_penalties_shrink_embeddings_and_leave_the_rest() -> None:
    truth = np.ones(F)
    source = simulated(2000, truth, 7)
    found = fit_weights([source], fit_scaling([source]), ridge(1e9, 1e-3), WIDTHS)
    assert np.abs(found[: 4 * D]).max() < 1e-3 * np.abs(found[4 * D :]).min()


def test_every_feature_has_the_penalty_of_its_block() -> None:
    widths = ExchangeFeatures().widths(2)
    penalties = RIDGES["exchanges"].per_feature(widths)
    assert len(penalties) == sum(widths.values())
    assert penalties[0] == 100_000.0  # assistant_mean
    assert penalties[-1] == 300.0  # answer


def test_missing_features_and_ratings_are_passed_over() -> None:
    source = simulated(500, np.ones(F), 9, noise=1.0)
    rows, targets = source.rows.copy(), source.targets.copy()
    rows[::3, 5] = np.nan
    rows[:, 6] = np.nan
    targets[::7] = np.nan
    holed = Ratings("c", rows, targets)
    scaling = fit_scaling([holed])
    found = fit_weights([holed], scaling, WEAK, WIDTHS)
    assert np.isfinite(found).all()
    assert found[6] == 0
    assert spearmanr(scaling(source.rows) @ found, source.targets)[0] > 0.95


def test_training_twice_gives_the_same_bits() -> None:
    source = simulated(300, np.ones(F), 10)
    first, second = (fit_weights([source], fit_scaling([source]), USUAL, WIDTHS) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_finished_weights_have_unit_spread_and_scores_by_rank() -> None:
    source = simulated(1000, np.ones(F), 11)
    scaling = fit_scaling([source])
    population: Population = {"conversation": {"c": source.rows}, "turn": {"c": source.rows[:300]}}
    data = HeadData(QUESTION, [source], population)
    head, questions = fit_heads([data], scaling, USUAL, WIDTHS)
    raw, scored = head.raw(source.rows)[:, 0], questions["overall"]
    assert raw.std() == pytest.approx(1.0)
    assert scored.maps["conversation"]([np.median(raw)])[0] == pytest.approx(0.5, abs=0.01)
    assert (scored.low, scored.high, scored.trained_on) == (0.25, 0.75, ("c11",))


def test_nothing_to_learn_from_is_said() -> None:
    rows = np.random.default_rng(12).normal(size=(5, F))
    same = Ratings("c", rows, np.ones(5))
    with pytest.raises(DataError, match="all targets are the same"):
        fit_weights([same], fit_scaling([same]), USUAL, WIDTHS)
    with pytest.raises(DataError, match="nothing to learn from"):
        fit_scaling([])
