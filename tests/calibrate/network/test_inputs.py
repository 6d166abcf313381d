from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assize.base.judgment import Question
from assize.calibrate._data.features import Block, Features
from assize.calibrate._data.forms import Forms, Scale
from assize.calibrate._network.answer_embeddings import AnswerEmbedding, Embeddings
from assize.calibrate._network.inputs import fit_inputs
from assize.calibrate._network.training import Job, Setting, train

NAMES = tuple("abcde")
CODE = AnswerEmbedding("many", tuple("edcba"), np.arange(10.0).reshape(5, 2))
CODES = {"many": CODE}


def forms_with(*, thinned: bool = False) -> Forms:
    """Columns: 5 answers of `many`, 2 of `few`, then a score and a vector of 2 beside them."""
    rng = np.random.default_rng(0)
    blocks = (
        Block("m", "", "many", NAMES, (0, 1, 2, 3, 4), ordered=False),
        Block("m", "", "few", ("x", "y"), (0, 1), ordered=False),
        Block("e", "", "score", (), (), ordered=True, late=True),
        Block("e", "", "vector", (), (), ordered=True, size=2, late=True),
    )
    x = np.hstack([rng.dirichlet(np.ones(5), 8), rng.dirichlet(np.ones(2), 8)])
    x = np.hstack([x, rng.normal(50, 20, (8, 3))])
    x[3, 7] = x[4, 2] = np.nan
    features = Features(tuple((f"i{n}", None) for n in range(8)), blocks, x)
    scale = Scale.of(Question("few", kind="nominal", answers=("x", "y")))
    answers = np.zeros((8, 1), dtype=np.int64)
    mark = np.arange(8) % 2 == 0 if thinned else None
    rater = np.zeros(8, dtype=np.int64)
    return Forms(x, np.arange(8), rater, answers, (scale,), features, ("r",), thinned=mark)


def test_what_stands_beside_is_standardised_on_the_training_rows_and_missing_is_0() -> None:
    forms = forms_with()
    inputs = fit_inputs(forms, np.arange(6))
    z = inputs.transform(forms.x)
    known = z[[0, 1, 2, 4, 5], 7]
    assert known.mean() == pytest.approx(0)
    assert known.std() == pytest.approx(1)
    assert z[3, 7] == 0
    assert z[4, 2] == pytest.approx(np.nanmean(forms.x[:6, 2]))
    assert np.array_equal(z[:3, :7], forms.x[:3, :7])
    assert inputs.late_inputs.tolist() == [7, 8, 9]
    assert len(inputs) == 10
    flat = forms.x.copy()
    flat[:, 7] = 4.0
    assert not fit_inputs(replace(forms, x=flat), np.arange(6)).transform(flat)[:, 7].any()


def test_many_answers_are_read_as_their_mean_vector_and_their_mass() -> None:
    forms = forms_with(thinned=True)
    inputs = fit_inputs(forms, np.arange(8), CODES)
    z = inputs.transform(forms.x, forms.thinned)
    expected = forms.x[0, :5] @ CODE.vectors[::-1]  # the code has the answers the other way round
    assert z[0, :2] == pytest.approx(expected)
    assert z[0, 2] == pytest.approx(1)
    assert np.array_equal(z[0, 3:5], forms.x[0, 5:7])
    assert inputs.late_inputs.tolist() == [5, 6, 7]
    assert z[:, -1].tolist() == [1, 0, 1, 0, 1, 0, 1, 0]
    assert not inputs.transform(forms.x)[:, -1].any()
    assert len(inputs) == z.shape[1] == 9
    away = np.zeros((1, 10))
    assert inputs.transform(away)[0, :3].tolist() == [0, 0, 0]  # does not apply


@pytest.mark.parametrize("codes", [{}, CODES])
def test_a_gradient_by_the_inputs_goes_back_to_the_features(
    codes: Embeddings,
) -> None:
    forms = forms_with(thinned=True)
    inputs = fit_inputs(forms, np.arange(8), codes)
    x = np.nan_to_num(forms.x, nan=0.3)[:1]
    weight = np.random.default_rng(1).normal(size=len(inputs))
    steps = 1e-4 * np.eye(x.shape[1])
    moved = (inputs.transform(x + steps) - inputs.transform(x - steps)) @ weight / 2e-4
    assert inputs.gradient_by_features(weight[None])[0] == pytest.approx(moved, abs=1e-6)


def test_the_gradient_of_the_expected_answer_goes_through_all_of_it() -> None:
    pytest.importorskip("torch")
    forms = replace(forms_with(thinned=True), answers=np.arange(8)[:, None] % 2)
    code = AnswerEmbedding("few", ("x", "y"), np.array([[0.5], [-1.0]]))
    setting = Setting(4, 4, 4, 0.05, pretrain=5, finetune=5)
    network = train(forms, [Job(setting, np.arange(8), 0)], CODES | {"few": code})[0]
    x = np.nan_to_num(forms.x, nan=0.3)[:1]
    who = np.zeros(20, dtype=np.int64)
    steps = 1e-4 * np.vstack([np.eye(10), -np.eye(10)])
    means = network.probabilities(x + steps, who) @ [0.0, 3.0]
    expected = (means[:10] - means[10:]) / 2e-4
    assert np.abs(expected).max() > 1e-3
    assert network.gradient(x, 0, [0.0, 3.0])[0] == pytest.approx(expected, rel=1e-3, abs=1e-7)


def test_columns_beside_the_features_stand_as_given() -> None:
    forms = forms_with()
    short = replace(forms, x=forms.x[:, :4])
    more = replace(forms, x=np.hstack([forms.x, forms.x[:, :1]]))
    assert fit_inputs(more, np.arange(8)).late_inputs.tolist() == [7, 8, 9]
    early = tuple(replace(block, late=False) for block in forms.features.blocks)
    plain = replace(short, features=replace(forms.features, blocks=early))
    assert len(fit_inputs(plain, np.arange(8))) == 4


def test_a_gap_that_is_marked_is_no_mean_and_not_applying_is_no_gap() -> None:
    forms = forms_with(thinned=True)
    x = forms.x.copy()
    x[1, 5:7], x[2, 5:7] = np.nan, 0.0
    inputs = fit_inputs(forms, np.arange(8), CODES, marked=True)
    z = inputs.transform(x, forms.thinned)
    # `many` as 3 numbers, `few` as 2, the score, the vector's 2; four marks; the thinned column
    assert z.shape == (8, len(inputs)) == (8, 13)
    assert z[1, 3:5].tolist() == z[2, 3:5].tolist() == [0, 0]
    assert z[:, 8:12].tolist()[:4] == [[0] * 4, [0, 1, 0, 0], [0] * 4, [0, 0, 1, 0]]
    assert z[3, 5] == 0  # a score that is missing is at its mean, and marked
    assert inputs.late_inputs.tolist() == [5, 6, 7, 10, 11]
    assert inputs.block_of.tolist() == [0, 0, 0, 1, 1, 2, 3, 3, 0, 1, 2, 3, -1]
    ones = inputs.gradient_by_features(np.ones((1, 13)))
    assert ones.shape == (1, 10)
    assert ones[0, :5] == pytest.approx(inputs.embedded[0].matrix.sum(axis=1))
