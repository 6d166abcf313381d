from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.calibration import (
    NO_ANSWER,
    UNKNOWN,
    Block,
    Features,
    Forms,
    Setting,
    fit_default,
    fit_networks,
    predict,
)
from assize.calibration.data.forms import Scale
from assize.errors import DataError

Worlds = Callable[..., Any]


def lenient_and_strict(x: np.ndarray) -> np.ndarray:
    """Three raters who follow the model's distribution, the third one upside down."""
    p = np.stack([x[:, :4] + 0.05, x[:, :4] ** 2 + 0.05, x[:, 3::-1] + 0.05], axis=1)
    return np.asarray(p / p.sum(axis=2, keepdims=True))


@pytest.fixture(scope="module")
def made() -> list[Any]:
    return []


@pytest.fixture
def world(worlds: Worlds, made: list[Any]) -> Any:
    if not made:
        made.append(worlds(lenient_and_strict, rows=3_000, raters=3, seed=1))
    return made[0]


def test_raters_are_told_apart(world: Any) -> None:
    forms: Forms = world.forms
    found = predict(fit_default(forms), forms.features, [0, 2])
    means = found @ np.array([1, 2, 3, 4])
    read = forms.x[:, :4] @ np.array([1, 2, 3, 4])
    assert np.corrcoef(means[:, 0], read)[0, 1] > 0.8
    assert np.corrcoef(means[:, 1], read)[0, 1] < -0.8
    assert found.sum(axis=2) == pytest.approx(1)


def test_the_same_forms_give_the_same_numbers(world: Any) -> None:
    forms = world.forms.take(np.arange(300))
    found = [predict(fit_default(forms), forms.features, [0, UNKNOWN]) for _ in range(2)]
    assert found[0].tobytes() == found[1].tobytes()


def test_the_average_of_known_raters_is_offered_for_strangers(world: Any) -> None:
    fitted = fit_default(world.forms)
    some = world.forms.features
    each = predict(fitted, some, [0, 1, 2])
    found = predict(fitted, some, [UNKNOWN, 1], "average")
    assert found[:, 0] == pytest.approx(each.mean(axis=1))
    assert found[:, 1] == pytest.approx(each[:, 1])


def test_an_item_about_which_nothing_is_known_is_not_predicted(world: Any) -> None:
    fitted = fit_default(world.forms)
    x = np.array([[np.nan] * 8, [np.nan] * 4 + [0.25] * 4])
    found = predict(fitted, Features((("a", None), ("b", None)), fitted.blocks, x), [0])
    assert np.isnan(found[0]).all()
    assert found[1].sum() == pytest.approx(1)


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


def test_values_in_any_order_give_the_same_distribution(world: Any) -> None:
    forms = world.forms.take(np.arange(300))
    question = replace(
        forms.target.question, answers=("4", "3", "2", "1"), values=(4.0, 3.0, 2.0, 1.0)
    )
    turned = replace(
        forms,
        scales=(Scale.of(question), forms.scales[1]),
        answers=np.stack([3 - forms.answers[:, 0], forms.answers[:, 1]], axis=1),
    )
    mine, other = (predict(fit_default(one), forms.features, [0, 1]) for one in (forms, turned))
    assert other[:, :, ::-1] == pytest.approx(mine)


def test_unordered_answers_are_predicted_each_against_the_others(world: Any) -> None:
    forms = world.forms
    question = replace(forms.target.question, kind="nominal", values=None)
    nominal = replace(forms, scales=(Scale.of(question), forms.scales[1]))
    fitted = fit_default(nominal)
    assert len(fitted.posteriors) == 4
    found = predict(fitted, forms.features, [0])[:, 0]
    assert found.sum(axis=1) == pytest.approx(1)
    assert np.corrcoef(found[:, 3], world.everyone[:, 0, 3])[0, 1] > 0.6


def test_whether_a_question_applies_is_read(world: Any) -> None:
    forms = world.forms.take(np.arange(600))
    x = forms.x.copy()
    x[::2, 4:] = 0
    odd = np.arange(600) % 2
    y = np.stack([odd * 2 + (np.arange(600) % 4 > 1), forms.answers[:, 1]], axis=1)
    fitted = fit_default(replace(forms, x=x, answers=y))
    assert fitted.reader.applies == (1,)
    means = predict(fitted, Features(forms.features.units[:600], fitted.blocks, x), [0])[:, 0]
    gap = means @ np.array([1, 2, 3, 4])
    assert gap[odd == 1].mean() - gap[odd == 0].mean() > 1


def test_one_answer_only_and_nothing_to_read_are_errors(world: Any) -> None:
    forms = world.forms.take(world.forms.y == 1)
    with pytest.raises(DataError, match="are the same answer"):
        fit_default(forms)
    blocks = tuple(replace(block, ordered=False) for block in forms.features.blocks)
    features = replace(forms.features, blocks=blocks)
    with pytest.raises(DataError, match="no question with ordered answers and no score"):
        fit_default(replace(world.forms, features=features))


def test_a_foreign_table_is_refused(world: Any) -> None:
    fitted = fit_default(world.forms)
    block = Block("other", "", "Q0", ("1", "2", "3", "4"), (1, 2, 3, 4), ordered=True)
    with pytest.raises(DataError, match="no answers that this calibrator reads"):
        predict(fitted, Features((("a", None),), (block,), np.ones((1, 4)) / 4), [0])


def test_a_network_without_dropout_averages_for_strangers(world: Any) -> None:
    forms = world.forms.take(np.arange(300))
    plain = Setting(hidden1=4, hidden2=4, pretrain=1, finetune=1)
    for setting, averaged in ((plain, True), (replace(plain, dropout=0.3), False)):
        fitted = fit_networks(forms, setting, [0])
        stranger = predict(fitted, forms.features, [UNKNOWN])[:, 0]
        everyone = predict(fitted, forms.features, range(3)).mean(axis=1)
        assert np.allclose(stranger, everyone) == averaged
        assert np.allclose(predict(fitted, forms.features, [UNKNOWN], "average")[:, 0], everyone)


def test_an_answer_that_is_not_read_says_nothing(world: Any) -> None:
    forms = world.forms.take(np.arange(300))
    block = Block("m", "", "Q8", ("a", "b"), (0, 1), ordered=False)
    features = replace(
        forms.features,
        blocks=(*forms.features.blocks, block),
        x=np.hstack([forms.features.x, np.full((len(forms.features.x), 2), 0.5)]),
    )
    fitted = fit_default(replace(forms, features=features, x=features.x[forms.item]))
    x = features.x[:4].copy()
    x[:2, :-2] = np.nan
    found = predict(fitted, replace(features, units=features.units[:4], x=x), [0])
    assert np.isnan(found[:2]).all()
    assert not np.isnan(found[2:]).any()
