from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr
from tests.calibrate.hierarchical.simulated import divergence, make_forms

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.calibrate import fit_default
from assize.calibrate._data.forms import NO_ANSWER, UNKNOWN, Forms
from assize.calibrate._hierarchical.helper_weight import COUNTS, learn_helper_weight

QUESTION = Question("Q", kind="ordinal", answers=("1", "2", "3"), values=(1, 2, 3))


@pytest.fixture(scope="module")
def forms() -> Forms:
    """Raters 0..1 are few ratings' trusted ones; 2..5 help; a latent value all share."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(900, 4))
    rater = np.r_[rng.integers(2, size=100), 2 + rng.integers(4, size=800)]
    seen = x @ [0.8, 0.6, 0.0, -0.6] + (rater > 1) * 0.9 + rng.normal(size=900)
    return make_forms(x, rater, np.searchsorted([-0.7, 0.7], seen), QUESTION, 6, helpers=4)


def truth(x: np.ndarray, slopes: list[float]) -> np.ndarray:
    up_to = ndtr(np.array([-0.7, 0.7]) - (x @ slopes)[:, None])
    return np.diff(up_to, axis=1, prepend=0, append=1)


def off(forms: Forms, count: float, slopes: list[float]) -> float:
    x = np.random.default_rng(9).normal(size=(500, 4))
    fitted = fit_default(forms, helper_weight=count)
    p = fitted.probabilities(replace(forms.features, units=(), x=x), [0, 1])
    return divergence(truth(x, slopes)[:, None], p)


@pytest.mark.nightly("fits a model for each weight")
def test_helpers_teach_what_is_common_and_not_their_level(forms: Forms) -> None:
    alone = off(forms.take(~forms.by_helper), 1.0, [0.8, 0.6, 0.0, -0.6])
    helped = off(forms, 1.0, [0.8, 0.6, 0.0, -0.6])
    assert helped < 0.6 * alone
    assert learn_helper_weight(forms) == 1.0


@pytest.mark.nightly("fits a model for each weight")
def test_helpers_who_mean_something_else_are_found_out(forms: Forms) -> None:
    x = forms.x[:, [1, 2, 3, 0]]
    odd = replace(forms, x=np.where(forms.by_helper[:, None], x, forms.x))
    count = learn_helper_weight(odd)
    assert count <= 0.1
    good = [0.8, 0.6, 0.0, -0.6]
    assert off(odd, count, good) < 0.6 * off(odd, 1.0, good)


def test_helpers_are_not_kept(forms: Forms) -> None:
    fitted = fit_default(forms, helper_weight=0.3)
    assert fitted.raters == ("r0", "r1")
    assert fitted.posteriors[0].mean.shape[0] == 3
    unknown = fitted.probabilities(replace(forms.features, x=np.zeros((1, 4))), [UNKNOWN])
    others = truth(np.zeros((1, 4)), [0.0] * 4)
    assert unknown[0] == pytest.approx(others, abs=0.12)  # the trusted ones' level, not theirs


def test_the_weight_is_one_of_those_tried(forms: Forms) -> None:
    assert learn_helper_weight(forms.take(np.arange(0, 900, 3))) in COUNTS


def test_too_few_trusted_items_are_an_error(forms: Forms) -> None:
    few = forms.take(np.flatnonzero(forms.by_helper | (np.arange(900) < 3)))
    with pytest.raises(DataError, match="trusted raters rated 3 items"):
        learn_helper_weight(few)


def test_trusted_raters_without_a_target_answer_are_an_error(forms: Forms) -> None:
    answers = forms.answers.copy()
    answers[~forms.by_helper] = NO_ANSWER
    with pytest.raises(DataError, match="at least two different"):
        fit_default(replace(forms, answers=answers))
