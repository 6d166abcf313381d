"""Baselines by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.calibrate.study.conftest import JUDGE, QUESTIONS, SMALL

from assize.base.judgment import Judgment
from assize.calibrate import features_of, forms_of
from assize.calibrate._data.forms import Forms
from assize.calibrate._study import Data, baselines, data_of
from assize.judgments import JudgmentTable
from assize.stats._studies import Folds


def tiny(*shares: tuple[float, ...]) -> Data:
    """One form an item with these distributions of `overall`, answered 4, 3, 4, 3, ..."""
    said = [
        Judgment(f"i{n}", JUDGE, "overall", distribution=dict(zip("1234", p, strict=True)))
        for n, p in enumerate(shares)
    ]
    rated = [Judgment(f"i{n}", "r", "overall", answer=str(4 - n % 2)) for n in range(len(shares))]
    tables = [JudgmentTable.of(rows, QUESTIONS[:1]) for rows in (said, rated)]
    forms = forms_of(features_of(tables[0]), tables[1], "overall")
    return data_of(forms, folds=2, seeds=1, setting=SMALL)


def test_the_expected_answer_is_divided_by_the_mass_on_the_answers() -> None:
    data = tiny((0.1, 0.0, 0.0, 0.3), (0.0, 0.0, 0.0, 0.0), (0, 0, 1, 0), (0, 0, 1, 0))
    (found,) = baselines.expected(data).values()
    # (0.1 * 1 + 0.3 * 4) / 0.4; nothing where there is no mass
    assert found.value[0, 0] == pytest.approx(3.25)
    assert found.p is not None
    assert found.p[0, 0] == pytest.approx([0.25, 0, 0, 0.75])
    assert np.isnan(found.value[0, 1])


def test_argmax_is_the_most_probable_answer_and_has_no_probabilities() -> None:
    data = tiny((0.1, 0.2, 0.0, 0.3), (0, 0, 0, 0), (0.5, 0.2, 0, 0), (0, 0, 1, 0))
    (found,) = baselines.argmax(data).values()
    assert found.p is None
    np.testing.assert_equal(found.value[0], [4, np.nan, 1, 3])


def test_a_second_model_gets_a_row_of_its_own(make_forms: Callable[..., Forms]) -> None:
    forms = make_forms(items=8)
    block = replace(forms.features.blocks[0], judge="other@m")
    blocks = (*forms.features.blocks, block)
    x = np.hstack([forms.x, forms.x[:, :4]])
    features = replace(forms.features, blocks=blocks, x=np.hstack([forms.features.x] * 1))
    two = replace(forms, x=x, features=features)
    rows = baselines.argmax(data_of(two, folds=2, seeds=1))
    assert list(rows) == [f"argmax: {JUDGE}", "argmax: other@m"]


def test_a_rater_is_predicted_by_their_own_habit_and_a_new_one_by_everyones() -> None:
    data = tiny(*[(0.25, 0.25, 0.25, 0.25)] * 8)
    forms = replace(data.forms, rater=np.array([0, 1] * 4), raters=("a", "b"))
    data = replace(data, forms=forms)  # a always says 4, b always 3
    (found,) = baselines.rater_mean(data).values()
    assert (found.value[0, ::2] > 3.6).all()
    assert (found.value[0, 1::2] < 3.4).all()
    alone = replace(
        data, folds=Folds(np.array([[0, 1] * 4]))
    )  # each is a stranger to the other fold
    (stranger,) = baselines.rater_mean(alone).values()
    assert (stranger.value[0, ::2] < 3.4).all()


def test_the_constant_is_the_mean_of_the_other_folds(data: Data) -> None:
    (found,) = baselines.constant(data).values()
    for seed, fitted, held in data.folds.splits():
        mean = data.forms.values[fitted].mean()
        np.testing.assert_allclose(found.value[seed, held], mean, atol=0.05)


def test_ridge_learns_raters_and_quality(make_forms: Callable[..., Forms]) -> None:
    data = data_of(make_forms(items=60, harsh=2.0), folds=3, seeds=1)
    (ridge,) = baselines.ridge(data).values()
    (constant,) = baselines.constant(data).values()
    errors = [np.sqrt(np.mean((one.value - data.forms.values) ** 2)) for one in (ridge, constant)]
    assert errors[0] < 0.7 * errors[1]


def test_scores_without_answers_are_looked_at_for_their_order_alone(
    make_forms: Callable[..., Forms],
) -> None:
    forms = make_forms(items=8)
    block = replace(
        forms.features.blocks[0], question="factscore", answers=(), values=(), judge="factscore@m"
    )
    features = replace(
        forms.features,
        blocks=(*forms.features.blocks, block),
        x=np.hstack([forms.features.x, np.linspace(0, 1, 8)[:, None]]),
    )
    forms = replace(forms, features=features, x=features.x[forms.item])
    (row,) = baselines.scores(data_of(forms, folds=2, seeds=1)).items()
    assert row[0] == "score: factscore by factscore@m"
    assert row[1].only_order
    assert row[1].value[0] == pytest.approx(np.linspace(0, 1, 8)[forms.item])
