from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assize.base.errors import DataError
from assize.evaluator._heads.scored_question import TieRule
from assize.evaluator._ties import answers, best_threshold, learn_ties

GRID = [round(one / 8, 3) for one in range(-8, 9)]


@given(
    arrays(float, 9, elements=st.sampled_from(GRID)),
    arrays(float, 9, elements=st.sampled_from([-1.0, 0.0, 1.0])),
)
def test_no_threshold_on_a_grid_answers_more_pairs_as_labelled(apart, gold) -> None:  # type: ignore[no-untyped-def]
    chosen = best_threshold(apart, gold)
    right = np.sum(answers(apart, chosen) == gold)
    every = np.linspace(0, 1, 161)  # a step is a tenth of the grid's
    assert right == max(np.sum(answers(apart, one) == gold) for one in every)


def test_answers_are_those_of_the_rule() -> None:
    # 0.05 is not closer than 0.05; equal sides are a tie whatever the threshold.
    apart = np.array([0.06, 0.05, 0.04, 0.0, -0.04, -0.06])
    for threshold in (0.05, 0.0):
        words = [TieRule(threshold).answer(max(one, 0), max(-one, 0)) for one in apart]
        signs = [{"A": 1, "tie": 0, "B": -1}[word] for word in words]
        assert answers(apart, threshold).tolist() == signs
    assert answers(apart, 0.05).tolist() == [1, 1, 0, 0, 0, -1]


def test_accuracy_is_of_thresholds_that_did_not_see_the_pair() -> None:
    # Labels say nothing: the best threshold in hindsight is always at least as good.
    rng = np.random.default_rng(5)
    apart, gold = rng.uniform(-1, 1, 40), rng.choice([-1.0, 0.0, 1.0], 40)
    fit = learn_ties(apart, gold, rng=rng)
    assert fit.accuracy.estimate < np.mean(answers(apart, fit.threshold) == gold)


APART = np.append(np.linspace(-0.5, 0.5, 30), [np.nan, 0.3])
LABELS = np.append(np.sign(APART[:30]), [1.0, np.nan])


def test_missing_pairs_are_left_out() -> None:
    assert learn_ties(APART, LABELS, rng=np.random.default_rng(0)).rule.n == 30


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda rng: learn_ties(APART[:19], LABELS[:19], rng=rng),
            r"19 labelled pairs .* needs 20; label more",
        ),
        (lambda rng: learn_ties(APART[:30], np.full(30, 2.0), rng=rng), "1 for A, 0 for a tie"),
        *((lambda _, one=one: TieRule(one), r"within 0\.\.1") for one in (-0.1, 1.1, np.nan)),
    ],
)
def test_labels_and_thresholds_that_are_none_are_refused(
    call: Callable[[np.random.Generator], object], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        call(np.random.default_rng(0))
