from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.base.errors import ConfigError, DataError
from assize.calibrate import fit_default
from assize.calibrate._calibrator import check_rated, predict, predict_new_items, predict_own_raters
from assize.calibrate._data.features import Block, Features
from assize.calibrate._data.forms import UNKNOWN, ItemSets
from assize.calibrate._network.fit import fit_networks
from assize.calibrate._network.training import Setting


def test_the_average_of_known_raters_is_offered_for_unknown_raters(forms: Any, fitted: Any) -> None:
    some = forms.features
    each = predict(fitted, some, [0, 1, 2])
    found = predict(fitted, some, [UNKNOWN, 1], "average")
    assert found[:, 0] == pytest.approx(each.mean(axis=1))
    assert found[:, 1] == pytest.approx(each[:, 1])


def test_an_item_about_which_nothing_is_known_is_not_predicted(fitted: Any) -> None:
    x = np.array([[np.nan] * 8, [np.nan] * 4 + [0.25] * 4])
    found = predict(fitted, Features((("a", None), ("b", None)), fitted.blocks, x), [0])
    assert np.isnan(found[0]).all()
    assert found[1].sum() == pytest.approx(1)


def test_a_foreign_table_is_refused(fitted: Any) -> None:
    block = Block("other", "", "Q0", ("1", "2", "3", "4"), (1, 2, 3, 4), ordered=True)
    with pytest.raises(DataError, match="no answers that this calibrator reads"):
        predict(fitted, Features((("a", None),), (block,), np.ones((1, 4)) / 4), [0])


PLAIN = Setting(hidden1=4, hidden2=4, pretrain=1, finetune=1)


@pytest.mark.parametrize(
    ("setting", "averaged"), [(PLAIN, True), (replace(PLAIN, dropout=0.3), False)]
)
def test_a_network_without_dropout_averages_for_unknown_raters(
    forms: Any, setting: Setting, averaged: bool
) -> None:
    fitted = fit_networks(forms, setting, [0])
    unknown = predict(fitted, forms.features, [UNKNOWN])[:, 0]
    everyone = predict(fitted, forms.features, range(3)).mean(axis=1)
    assert np.allclose(unknown, everyone) == averaged
    assert np.allclose(predict(fitted, forms.features, [UNKNOWN], "average")[:, 0], everyone)


@pytest.fixture(scope="module")
def forms(world: Any) -> Any:
    return world.forms.take(np.arange(300))


@pytest.fixture(scope="module")
def fitted(forms: Any) -> Any:
    return fit_default(forms)


def test_each_form_is_predicted_by_its_own_rater(forms: Any, fitted: Any) -> None:
    everyone = fitted.probabilities(replace(forms.features, x=forms.x), range(3))
    assert np.array_equal(predict_own_raters(fitted, forms), everyone[np.arange(300), forms.rater])


def test_new_items_are_predicted_as_a_file_of_their_own(forms: Any, fitted: Any) -> None:
    some = forms.take(forms.x[:, 0] > np.median(forms.x[:, 0]))
    items, first = np.unique(some.item, return_index=True)
    units = tuple(some.features.units[place] for place in items)
    here = fitted.for_items(Features(units, fitted.blocks, some.x[first]))
    found = predict_new_items(fitted, some)
    assert found == pytest.approx(predict_own_raters(here, some))
    assert not np.allclose(found, predict_own_raters(fitted, some), atol=1e-3)
    network = fit_networks(forms, PLAIN, [0])
    assert np.array_equal(predict_new_items(network, some), predict_own_raters(network, some))
    assert predict_new_items(fitted, forms.take(np.arange(0))).shape == (0, 4)


def test_items_of_a_fitted_set_are_predicted_at_its_level(world: Any) -> None:
    place = np.arange(len(world.forms.features.units)) % 2
    forms = replace(world.forms, sets=ItemSets("system", ("a", "b"), place)).take(np.arange(300))
    fitted = fit_default(forms)
    found = predict_new_items(fitted, forms)
    assert fitted.sets is not None
    for code, posteriors in enumerate(fitted.sets.posteriors):
        here = place[forms.item] == code
        in_set = replace(fitted, posteriors=posteriors, sets=None)
        expected = predict_own_raters(in_set, forms.take(here))
        assert found[here] == pytest.approx(expected)


def test_places_among_items_are_nobodys_answers(fitted: Any) -> None:
    check_rated(fitted)
    unrated = replace(fitted, posteriors=(replace(fitted.posteriors[0], noise=0.0),))
    with pytest.raises(ConfigError, match="'Q0' was fitted on choices alone"):
        check_rated(unrated)
