from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from assize.calibration import Features, Setting, fit_default, fit_networks, predict
from assize.calibration.labelling import doubts, information, wishes
from assize.errors import ConfigError


def opposed(x: np.ndarray) -> np.ndarray:
    """The first rater follows the model, the second one contradicts it, the third guesses."""
    p = np.stack([x[:, :4] + 0.02, x[:, 3::-1] + 0.02, np.full((len(x), 4), 0.25)], axis=1)
    return np.asarray(p / p.sum(axis=2, keepdims=True))


@pytest.fixture
def forms(worlds: Callable[..., Any]) -> Any:
    return worlds(opposed, rows=600, raters=3, seed=1).forms


def test_who_has_rated_little_teaches_most_and_not_who_only_guesses(forms: Any) -> None:
    few = forms.take((forms.rater != 0) | (np.arange(600) < 15))
    gain = information(fit_default(few), forms.features, [0, 1, 2], np.random.default_rng(0)).mean(
        axis=0
    )
    assert gain[0] > 2 * gain[1]
    assert gain[0] > 2 * gain[2]


def test_drawn_parameters_average_to_the_prediction(forms: Any) -> None:
    fitted = fit_default(forms.take(np.arange(60)))
    drawn = fitted.drawn(forms.features, [0, -1], 4_000, np.random.default_rng(0))
    assert drawn.shape == (4_000, 600, 2, 4)
    gap = drawn.mean(axis=0) - predict(fitted, forms.features, [0, -1])
    assert np.abs(gap).max() < 0.03


def test_wishes_leave_out_what_is_rated_and_spread_over_items(forms: Any) -> None:
    fitted = fit_default(forms)
    some = Features(forms.features.units[:8], forms.features.blocks, forms.features.x[:8])
    rng = np.random.default_rng(0)
    rated = {(unit, name) for unit in some.units[:7] for name in fitted.raters}
    rated.add((some.units[7], "r0"))
    found = wishes(fitted, some, rated=rated, count=5, per_item=2, rng=rng)
    assert {(one.item, one.rater) for one in found} == {("i7", "r1"), ("i7", "r2")}
    found = wishes(fitted, some, count=5, rng=rng)
    assert len({one.item for one in found}) == 5
    assert [one.gain for one in found] == sorted((one.gain for one in found), reverse=True)


def test_controversial_items_are_those_where_raters_are_opposed(forms: Any) -> None:
    fitted = fit_default(forms)
    x = np.array([[0, 0, 0, 1.0] * 2, [0.1, 0.4, 0.4, 0.1] * 2, [np.nan] * 8])
    some = Features((("clear", None), ("middling", None), ("gone", None)), fitted.blocks, x)
    clear, middling = doubts(fitted, some)
    assert (clear.item, middling.item) == ("clear", "middling")
    assert clear.between > 5 * middling.between
    assert 0 <= clear.between <= clear.entropy <= np.log(4)


def test_one_network_shows_no_doubt_and_several_do(forms: Any) -> None:
    pytest.importorskip("torch")
    forms = forms.take(np.arange(100))
    setting, rng = Setting(4, 4, 32, 0.01, 1, 1), np.random.default_rng(0)
    with pytest.raises(ConfigError, match="fit several with --seeds"):
        information(fit_networks(forms, setting, [0]), forms.features, [0], rng)
    found = information(fit_networks(forms, setting, [0, 1, 2]), forms.features, [0], rng)
    assert (found > 0).all()
