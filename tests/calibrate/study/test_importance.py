from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import make_world
from tests.calibrate.study.conftest import followed

from assize.base.errors import ConfigError
from assize.calibrate import fit_default
from assize.calibrate._calibrator import predict
from assize.calibrate._network.calibrator import Networks
from assize.calibrate._network.fit import fit_networks
from assize.calibrate._network.training import Setting
from assize.calibrate._study.importance import Importance, manifold, measure_importance

SETTING = Setting(hidden1=6, hidden2=5, pretrain=3, finetune=3, rate=0.01)


@pytest.fixture(scope="module")
def forms() -> Any:
    pytest.importorskip("torch")
    return make_world(followed, rows=60, raters=2, seed=1).forms


@pytest.fixture(scope="module")
def pair(forms: Any) -> tuple[Networks, Networks]:
    """Networks of both questions, two seeds each."""
    return tuple(
        fit_networks(forms.with_target(name), SETTING, [0, 1])  # type: ignore[return-value]
        for name in ("Q0", "Q1")
    )


def score(fitted: Networks, features: Any, x: np.ndarray, raters: list[int]) -> np.ndarray:
    p = predict(fitted, replace(features, x=x), raters).mean(axis=1)
    return np.asarray(p @ np.array(fitted.target.values))


def along(found: list[Importance]) -> dict[str, Importance]:
    """By kind of directions."""
    return {one.along: one for one in found}


def test_a_step_that_raises_the_question_raises_the_main_score_by_its_importance(
    forms: Any, pair: tuple[Networks, Networks]
) -> None:
    main, other = pair
    features, step = forms.features, 1e-5
    found = along(measure_importance([main, other], features, ["r0", "r1"]))
    slope = np.mean(
        [n.gradient(features.x, r, other.target.values) for n in other.networks for r in (0, 1)],
        axis=0,
    )
    inside = slope.reshape(-1, 2, 4)
    inside = (inside - inside.mean(axis=2, keepdims=True)).reshape(slope.shape)
    for way, direction in (("free", slope), ("simplex", inside)):
        moved = features.x + step * direction / (direction**2).sum(axis=1, keepdims=True)
        rise, main_rise = (
            (score(one, features, moved, [0, 1]) - score(one, features, features.x, [0, 1])) / step
            for one in (other, main)
        )
        assert rise == pytest.approx(np.ones(60), abs=0.02)
        assert main_rise == pytest.approx(found[way].by_item, abs=0.02)


def test_a_question_that_is_the_main_one_has_importance_one(
    forms: Any, pair: tuple[Networks, Networks]
) -> None:
    main = pair[0]
    twin = replace(
        main, target=replace(main.target, question=replace(main.target.question, id="twin"))
    )
    for one in measure_importance([main, twin], forms.features, ["r0"]):
        assert one.by_item == pytest.approx(np.ones(60))
        assert one.median == pytest.approx(1)
        assert one.pooled == pytest.approx(1)


def test_all_principal_components_of_probabilities_are_the_simplex(
    forms: Any, pair: tuple[Networks, Networks]
) -> None:
    found = along(measure_importance([pair[0], pair[1]], forms.features, ["r0"], variance=1.0))
    assert found["manifold"].by_item == pytest.approx(found["simplex"].by_item, abs=1e-6)
    fewer = along(measure_importance([pair[0], pair[1]], forms.features, ["r0"], variance=0.3))
    assert not np.allclose(fewer["manifold"].by_item, found["manifold"].by_item, atol=1e-3)


def test_components_hold_the_share_of_variance_that_was_asked_for() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(500, 3)) * [10, 3, 1]  # shares of variance: about 0.91, 0.08, 0.01
    assert [len(manifold(x, share)) for share in (0.8, 0.95, 1.0)] == [1, 2, 3]
    assert abs(manifold(x, 0.8)[0, 0]) > 0.99
    assert len(manifold(np.ones((4, 3)), 0.9)) == 0


def test_items_about_which_nothing_is_known_are_unscored_and_na_cannot_move(
    forms: Any, pair: tuple[Networks, Networks]
) -> None:
    x = forms.features.x.copy()
    x[0], x[1, 4:] = np.nan, 0
    found = along(measure_importance([pair[0], pair[1]], replace(forms.features, x=x), ["r0"]))
    for one in found.values():
        assert np.isnan(one.by_item[0])
        assert (one.mean.n, one.mean.unscored) == (59, 1)
    assert found["simplex"].by_item[1] != pytest.approx(found["free"].by_item[1])


def test_what_has_no_gradient_is_refused(forms: Any, pair: tuple[Networks, Networks]) -> None:
    main, other = pair
    question = replace(other.target.question, kind="nominal")
    nominal = replace(other, target=replace(other.target, question=question))
    turned = replace(other, blocks=main.blocks[::-1])
    for second, message in (
        (fit_default(forms.with_target("Q1")), "fit it as Published"),
        (main, "one calibrator a question"),
        (nominal, "not ordered"),
        (turned, "read different answers"),
    ):
        with pytest.raises(ConfigError, match=message):
            measure_importance([main, second], forms.features, ["r0"])
    with pytest.raises(ConfigError, match="share of variance"):
        measure_importance([main, other], forms.features, ["r0"], variance=0)
