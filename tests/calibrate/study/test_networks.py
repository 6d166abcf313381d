"""Oracles and ablations by what they are shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from tests.calibrate.study.conftest import SMALL

from assize.calibrate._data.features import Block, Features
from assize.calibrate._data.forms import NO_ANSWER, Forms
from assize.calibrate._network.inputs import fit_inputs
from assize.calibrate._study import METHODS, Data, data_of, networks
from assize.stats._studies import Predictions


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
        assert fit_inputs(left, np.arange(len(left))).late.tolist() == [place]
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
    shifted = Predictions(data.forms.values[None] * 0.1 + data.forms.rater)
    (mended,) = networks.isotonic(data, {"shifted": shifted}).values()
    assert np.abs(mended.value - data.forms.values).mean() < 0.05


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
            for method in ("network", "no-personalisation")
            for found in METHODS[method].run(data).values()
        ]
        return float(errors[1] - errors[0])

    assert gain(2.0) > 0.3
    assert gain(0.0) < 0.15
