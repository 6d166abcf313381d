from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr
from tests.calibrate.hierarchical.simulated import make_forms

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.calibrate import fit_default
from assize.calibrate._calibrator import predict
from assize.calibrate._data.forms import NO_ANSWER, UNKNOWN, Forms

CLICK = Question("click", kind="binary", answers=("no", "yes"), values=(0, 1))


def impressions(rows: int = 12_000, users: int = 40, seed: int = 0) -> tuple[Forms, np.ndarray]:
    """Clicks of users who differ in how readily they click, and the true probabilities."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 2))
    user = rng.integers(users, size=rows)
    p = ndtr(0.7 * x[:, 0] - 1.3 + rng.normal(0, 0.3, users)[user])
    y = (rng.random(rows) < p).astype(np.int64)
    return make_forms(x, user, y, CLICK, users), p


def predicted(forms: Forms, others: Forms, rater: int) -> float:
    """Mean probability of a click over all impressions."""
    fitted = fit_default(forms, personal="last")
    return float(fitted.probabilities(others.features, [rater])[:, 0, 1].mean())


def thinned(forms: Forms, share: float, seed: int = 1) -> tuple[Forms, np.ndarray]:
    """Most impressions without a click left out, and which forms are left."""
    rng = np.random.default_rng(seed)
    kept = (forms.y == 1) | (rng.random(len(forms)) < share)
    return forms.take(kept), kept


def test_forms_that_stand_for_others_undo_a_thinning() -> None:
    whole, p = impressions()
    some, _ = thinned(whole, 0.1)
    weighted = replace(some, weight=np.where(some.y == 1, 1.0, 10.0))
    assert predicted(some, whole, UNKNOWN) > 3 * p.mean()
    assert predicted(weighted, whole, UNKNOWN) == pytest.approx(p.mean(), rel=0.06)
    assert predicted(whole, whole, UNKNOWN) == pytest.approx(p.mean(), rel=0.03)


def test_an_indicator_undoes_a_thinning_of_unknown_share() -> None:
    whole, p = impressions()
    first = whole.take(np.arange(2_000))
    rest, kept = thinned(whole.take(np.arange(2_000, 12_000)), 0.1)
    rows = np.r_[np.arange(2_000), 2_000 + np.flatnonzero(kept)]
    both = whole.take(rows)
    marked = replace(both, thinned=rows >= 2_000)
    assert len(rest) == len(rows) - len(first)
    assert predicted(both, whole, UNKNOWN) > 1.5 * p.mean()
    assert predicted(marked, whole, UNKNOWN) == pytest.approx(p.mean(), rel=0.12)


def test_weights_are_worth_no_more_answers_than_there_are() -> None:
    whole, _ = impressions(rows=2_000)
    equal = fit_default(replace(whole, weight=np.full(2_000, 50.0)))
    plain = fit_default(whole)
    assert equal.posteriors[0].covariance == pytest.approx(plain.posteriors[0].covariance)


def test_users_differ_in_level_only() -> None:
    whole, _ = impressions(rows=3_000)
    fitted = fit_default(whole, personal="last")
    slopes = fitted.posteriors[0].mean[:, 1:]
    assert np.ptp(slopes, axis=0).max() < 1e-12
    assert np.ptp(fitted.posteriors[0].mean[:, 0]) > 0.3
    personal = fit_default(whole).posteriors[0].mean[:, 1:]
    assert np.ptp(personal, axis=0).max() > 1e-3


def test_ratings_without_an_answer_change_nothing(world: Any) -> None:
    forms = world.forms.take(np.arange(300))
    answers = np.vstack([forms.answers, np.full((1, 2), NO_ANSWER)])
    more = replace(
        forms,
        x=np.vstack([forms.x, forms.x[:1]]),
        item=np.append(forms.item, 0),
        rater=np.append(forms.rater, 0),
        answers=answers,
    )
    found = [predict(fit_default(one), forms.features, [0]) for one in (forms, more)]
    assert np.array_equal(found[0], found[1])


def test_one_answer_only_and_nothing_to_read_are_errors(world: Any) -> None:
    forms = world.forms.take(world.forms.y == 1)
    with pytest.raises(DataError, match="are the same answer"):
        fit_default(forms)
    blocks = tuple(replace(block, ordered=False) for block in forms.features.blocks)
    features = replace(forms.features, blocks=blocks)
    with pytest.raises(DataError, match="no question with ordered answers and no score"):
        fit_default(replace(world.forms, features=features))
