"""A calibrator on another set: planted levels are found; without any, nothing is lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr
from tests.calibrate.hierarchical.simulated import GRADE, divergence, make_forms

from assize.base.errors import DataError
from assize.calibrate import fit_default
from assize.calibrate._calibrator import predict
from assize.calibrate._data.forms import Forms, Scale
from assize.calibrate._hierarchical.adapt import adapt_default
from assize.calibrate._hierarchical.calibrator import Hierarchical
from assize.calibrate._hierarchical.shift import Shift

STEPS = np.array([-0.8, 0.0, 0.8])


def grades(
    rows: int,
    raters: int,
    *,
    level: float = 0.0,
    spread: float = 0.0,
    shift: float = 0.0,
    seed: int = 0,
) -> tuple[Forms, np.ndarray]:
    """Grades of items whose two readings have a mean of `shift`, and their true probabilities.

    Raters have levels that stay, and others of deviation `spread` beside a `level` of the set.
    """
    rng = np.random.default_rng([seed, 1])
    stays = np.random.default_rng(0).normal(0, 0.5, raters)
    x = rng.normal(shift, 1, (rows, 2))
    rater = rng.integers(raters, size=rows)
    own = stays + level + rng.normal(0, spread, raters)
    latent = 0.6 * x[:, 0] + 0.3 * x[:, 1] + own[rater]
    up_to = ndtr(STEPS - latent[:, None])
    p = np.diff(up_to, axis=1, prepend=0, append=1)
    y = (up_to < rng.random((rows, 1))).sum(axis=1)
    return make_forms(x, rater, y, GRADE, raters), p


@pytest.fixture(scope="module")
def fitted() -> Hierarchical:
    return fit_default(grades(1_500, 30)[0])


def loss(calibrator: Hierarchical, forms: Forms, p: np.ndarray) -> float:
    """Cross-entropy of the true distributions, less their entropy."""
    found = np.empty_like(p)
    for rater in range(len(forms.raters)):
        mine = forms.rater == rater
        some = replace(forms.features, units=(), x=forms.x[mine])
        place = calibrator.raters.index(forms.raters[rater])
        found[mine] = predict(calibrator, some, [place])[:, 0]
    return divergence(p, found)


def few(forms: Forms, each: int) -> Forms:
    """So many labels a rater, among all items."""
    kept = [np.flatnonzero(forms.rater == rater)[:each] for rater in range(len(forms.raters))]
    return forms.take(np.concatenate(kept))


def test_a_level_of_the_set_and_the_variance_of_raters_in_it_are_recovered(
    fitted: Hierarchical,
) -> None:
    found = []
    for seed in range(1, 7):
        forms, _ = grades(1_200, 30, level=-0.7, spread=0.6, seed=seed)
        found.append(adapt_default(fitted, forms)[1][0])
    assert np.mean([one.level for one in found]) == pytest.approx(-0.7, abs=0.17)
    assert np.mean([one.variance for one in found]) == pytest.approx(0.36, rel=0.3)
    assert all(abs(one.level + 0.7) < 4 * one.error for one in found)


def test_nothing_is_lost_where_nothing_has_shifted(fitted: Hierarchical) -> None:
    forms, p = grades(3_000, 30, seed=5)
    before = loss(fitted, forms, p)
    for each in (0, 1, 3):
        adapted, _ = adapt_default(fitted, few(forms, each))
        assert loss(adapted, forms, p) < before + 0.02
    assert loss(adapt_default(fitted, few(forms, 20))[0], forms, p) < before


def test_without_labels_it_is_what_prediction_does_by_itself(fitted: Hierarchical) -> None:
    forms, _ = grades(400, 30, shift=-2.0, seed=2)
    adapted, (learnt,) = adapt_default(fitted, forms.take(np.zeros(len(forms), dtype=bool)))
    shift = Shift.of(fitted.design, fitted.design.matrix(forms.features))
    carried = fitted.carried(shift).posteriors[0]
    assert learnt.level == 0
    assert adapted.posteriors[0].mean == pytest.approx(carried.mean)
    assert adapted.posteriors[0].covariance == pytest.approx(carried.covariance)


def test_a_rater_who_is_new_becomes_known_and_one_without_labels_moves_with_the_set(
    fitted: Hierarchical,
) -> None:
    forms, _ = grades(1_500, 31, level=-1.0, seed=4)
    labels = forms.take(forms.rater >= 20)
    adapted, (learnt,) = adapt_default(fitted, labels)
    assert adapted.raters == (*fitted.raters, "r30")
    assert learnt.level < -0.5
    was, now = fitted.posteriors[0], adapted.posteriors[0]
    moved = now.mean[:5, : was.steps] - was.mean[:5, : was.steps]
    assert moved == pytest.approx(np.full_like(moved, -learnt.level), abs=0.05)
    known = now.covariance[30, : was.steps, : was.steps].diagonal()
    unknown = now.covariance[-1, : was.steps, : was.steps].diagonal()
    assert (known < unknown).all()


def test_unordered_answers_have_a_level_each() -> None:
    forms, _ = grades(600, 5)
    nominal = replace(GRADE, kind="nominal", values=None)
    fitted = fit_default(replace(forms, scales=(Scale.of(nominal),)))
    other = replace(grades(200, 5, level=-1.5, seed=3)[0], scales=(Scale.of(nominal),))
    adapted, levels = adapt_default(fitted, other)
    assert len(levels) == 4
    assert levels[0].level > 0.3 > -0.3 > levels[3].level
    assert predict(adapted, other.features, [0, -1]).sum(axis=2) == pytest.approx(1)


def test_an_answer_that_nobody_gave_counts_as_the_nearest_given() -> None:
    forms, _ = grades(600, 5)
    fitted = fit_default(forms.take(forms.y < 3))
    labels = forms.take(forms.y == 3)
    _, (learnt,) = adapt_default(fitted, labels)
    assert learnt.level > 0.3


def test_labels_that_stand_for_others_are_refused(fitted: Hierarchical) -> None:
    forms, _ = grades(20, 30)
    with pytest.raises(DataError, match="left out on purpose"):
        adapt_default(fitted, replace(forms, weight=np.ones(20)))
