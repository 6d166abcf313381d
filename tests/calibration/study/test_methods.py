"""Baselines by hand, oracles and ablations by what they are shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from assize.calibration import NO_ANSWER, Block, Features, Forms, features_of, forms_of
from assize.calibration.network.inputs import fit_inputs
from assize.calibration.study import METHODS, Data, baselines, data_of, networks
from assize.calibration.study.methods import DEFAULT, chosen
from assize.calibration.study.predicted import Predicted, isotonic
from assize.errors import ConfigError
from assize.judgment import Judgment
from assize.judgments import JudgmentTable

from .conftest import JUDGE, QUESTIONS, SMALL


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
    alone = replace(data, fold=np.array([[0, 1] * 4]))  # each is a stranger to the other fold
    (stranger,) = baselines.rater_mean(alone).values()
    assert (stranger.value[0, ::2] < 3.4).all()


def test_the_constant_is_the_mean_of_the_other_folds(data: Data) -> None:
    (found,) = baselines.constant(data).values()
    for seed, fitted, held in data.splits():
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


def test_true_answers_are_one_hot_and_na_is_all_zeros(data: Data) -> None:
    forms = data.forms
    shown = networks.one_hot(forms, forms.scales[1:])
    assert shown.shape == (len(forms), 4 + 3)
    assert (shown[:, :4].sum(axis=1) == 1).all()
    na = forms.answers[:, 2] == NO_ANSWER
    assert na.any()
    assert (shown[na, 4:] == 0).all()
    assert (shown[~na, 4:].sum(axis=1) == 1).all()


def test_the_oracle_of_others_sees_the_other_raters_alone(make_forms: Callable[..., Forms]) -> None:
    forms = make_forms(items=10, raters=3)
    shown, there = networks.others_average(forms)
    assert there.all()
    rows = np.flatnonzero(forms.item == forms.item[0])
    true = networks.one_hot(forms, forms.scales[1:2])
    np.testing.assert_allclose(shown[rows[0], :4], true[rows[1:]].mean(axis=0))
    data = data_of(make_forms(items=10, raters=1), folds=2, seeds=1, setting=SMALL)
    for found in networks.oracle_of_others(data).values():
        assert np.isnan(found.value).all()


def test_a_left_out_question_is_neither_an_input_nor_learnt(data: Data) -> None:
    left = networks.without(data.forms, "clear")
    assert left.x.shape[1] == data.forms.x.shape[1] - 4
    assert [scale.id for scale in left.scales] == ["overall", "size"]
    main = networks.without(data.forms, "overall")
    assert [scale.id for scale in main.scales] == ["overall", "clear", "size"]
    only = networks.only_target(data.forms)
    assert (only.x == data.forms.x[:, :4]).all()
    assert len(only.scales) == 1


def test_what_stands_beside_the_answers_stays_beside_them(data: Data) -> None:
    forms = data.forms
    beside = Block("e", "", "score", (), (), ordered=True)
    score = np.arange(float(len(forms.features.units)))[:, None]
    features = forms.features.beside(Features(forms.features.units, (beside,), score))
    late = replace(forms, x=features.x[forms.item], features=features)
    width = late.x.shape[1]
    for left, place in (
        (late, width - 1),
        (networks.without(late, "clear"), width - 5),
        (networks.reading(late, lambda one: one == "score"), 0),
    ):
        inputs = fit_inputs(left, np.arange(len(left)))
        assert inputs.late.tolist() == [place]
        assert np.array_equal(left.x[:, place], score[forms.item, 0])
    assert not len(fit_inputs(networks.only_target(late), np.arange(9)).late)
    for name in ("network", "leave-out", "oracle", "oracle-alone", "worth"):
        rows = METHODS[name].run(replace(data, forms=late))
        assert rows
        assert not any(np.isnan(found.value).any() for found in rows.values())


def test_each_raters_isotonic_regression_mends_a_scale_of_their_own(
    make_forms: Callable[..., Forms],
) -> None:
    data = data_of(make_forms(items=60), folds=3, seeds=1)
    shifted = Predicted(data.forms.values[None] * 0.1 + data.forms.rater)
    mended = isotonic(data, shifted)
    assert np.abs(mended.value - data.forms.values).mean() < 0.05


@pytest.mark.parametrize("name", METHODS)
def test_every_method_predicts_every_form_within_the_scale(data: Data, name: str) -> None:
    rows = METHODS[name].run(data)
    assert rows or name == "scores"
    for found in rows.values():
        assert found.value.shape == (2, len(data.forms))
        assert not np.isnan(found.value).any()
        if found.p is not None:
            assert found.p.sum(axis=2) == pytest.approx(1)
            assert found.value.min() >= 1
            assert found.value.max() <= 4
    assert METHODS[name].about.endswith(".") or len(METHODS[name].about) > 20


def test_personal_weights_help_where_raters_differ_and_only_there(
    make_forms: Callable[..., Forms],
) -> None:
    def gain(harsh: float) -> float:
        setting = replace(SMALL, pretrain=30, finetune=30)
        data = data_of(
            make_forms(items=60, raters=4, harsh=harsh), folds=3, seeds=1, setting=setting
        )
        errors = [
            np.mean((found.value - data.forms.values) ** 2)
            for method in (networks.network, networks.no_personal)
            for found in method(data).values()
        ]
        return float(errors[1] - errors[0])

    assert gain(2.0) > 0.3
    assert gain(0.0) < 0.15


@pytest.mark.parametrize("name", ["adapted", "searched"])
def test_what_validates_inside_needs_three_folds(
    make_forms: Callable[..., Forms], name: str
) -> None:
    data = data_of(make_forms(), folds=2, seeds=1, setting=SMALL)
    with pytest.raises(ConfigError, match="needs three folds, not 2"):
        METHODS[name].run(data)


def test_methods_are_chosen_by_name_or_group() -> None:
    assert list(chosen(["ridge", "calibrated"])) == [
        "ridge",
        "main-only",
        "network",
        "default",
    ]
    assert set(chosen([])) == {name for name in METHODS if METHODS[name].group in DEFAULT}
    assert "adapted" not in chosen([])
    with pytest.raises(ConfigError, match="groups are baselines"):
        chosen(["magic"])
