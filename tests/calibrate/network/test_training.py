from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import softmax
from tests.calibrate.conftest import make_world

from assize.base.errors import DataError
from assize.calibrate._data.forms import Forms
from assize.calibrate._network.training import Job, Setting, train

pytest.importorskip("torch")
FAST = Setting(hidden1=6, hidden2=5, batch=32, rate=0.01, pretrain=3, finetune=2, initial=1.0)


def two_layers(raters: int, personal: float) -> Callable[[np.ndarray], np.ndarray]:
    """The published network with known weights, shared and raters' own, as x -> (N, R, 4)."""
    rng = np.random.default_rng(5)
    sizes = ((9, 6), (7, 5), (6, 4))
    shared = [rng.normal(0, 1.5, size) for size in sizes]
    own = [rng.normal(0, personal, (raters, *size)) for size in sizes]

    def probabilities(x: np.ndarray) -> np.ndarray:
        found = []
        for rater in range(raters):
            z = x
            for layer in range(3):
                matrix = shared[layer] + own[layer][rater]
                out = matrix[0] + z @ matrix[1:]
                z = 1 / (1 + np.exp(-out))
            found.append(softmax(out, axis=-1))
        return np.stack(found, axis=1)

    return probabilities


def three_raters(rows: int = 200) -> Forms:
    return make_world(two_layers(3, 1.0), rows=rows, raters=3, seed=1).forms


def test_a_network_is_the_same_whatever_is_trained_beside_it() -> None:
    forms = three_raters()
    jobs = [
        Job(replace(FAST, rate=rate), rows, seed)
        for rate in (0.01, 0.001)
        for rows in (np.arange(150), np.arange(50, 200))
        for seed in (0, 1)
    ]
    together = train(forms, jobs)
    for job, network in zip(jobs, together, strict=True):
        alone = train(forms, [job])[0]
        gap = alone.probabilities(forms.x, forms.rater) - network.probabilities(
            forms.x, forms.rater
        )
        assert np.abs(gap).max() < 1e-4


def test_held_out_rows_do_not_change_a_network() -> None:
    forms = three_raters()
    spoilt = replace(forms, answers=np.where(np.arange(200)[:, None] < 100, forms.answers, 0))
    job = Job(FAST, np.arange(100), 0)
    first, second = (
        train(one, [job])[0].probabilities(forms.x, forms.rater) for one in (forms, spoilt)
    )
    assert np.array_equal(first, second)


def test_known_raters_are_recovered_and_knowing_them_helps_as_much_as_it_should() -> None:
    world = make_world(two_layers(4, 1.5), rows=16_000, raters=4, seed=2)
    forms, fit = world.forms, np.arange(12_000)
    setting = Setting(16, 16, 256, 0.005, 4, 16, initial=0.5)
    jobs = [Job(setting, fit, 0), Job(replace(setting, personal=(False, False, False)), fit, 0)]
    test = slice(12_000, None)
    x, rater, y = forms.x[test], forms.rater[test], forms.y[test]
    own, pooled = (network.probabilities(x, rater) for network in train(forms, jobs))
    rows = np.arange(len(y))
    true = world.true[test]
    divergence = (true * np.log(true / own)).sum(axis=1).mean()
    of_pooled = (true * np.log(true / pooled)).sum(axis=1).mean()
    # What raters' identity is worth: the divergence of their average from each of them.
    average = world.everyone[test].mean(axis=1)
    worth = (true * np.log(true / average)).sum(axis=1).mean()
    assert worth > 0.05
    assert divergence < 0.1 * worth
    assert of_pooled - divergence == pytest.approx(worth, rel=0.15)
    gain = np.log(own[rows, y] / pooled[rows, y]).mean()
    assert gain == pytest.approx(worth, rel=0.3)


def test_a_job_without_rows_is_refused() -> None:
    forms = three_raters(20)
    with pytest.raises(DataError, match="no training rows"):
        train(forms, [Job(FAST, np.array([], dtype=np.int64), 0)])
