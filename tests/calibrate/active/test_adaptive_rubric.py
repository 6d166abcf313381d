from __future__ import annotations

import numpy as np
import pytest
from tests.calibrate.active.conftest import IDLE, MAIN, TWIN

from assize.calibrate._active.adaptive_rubric import AdaptiveRubric
from assize.calibrate._active.impute_answers import fit_imputer
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.features import Features
from assize.calibrate._data.forms import Forms
from assize.calibrate._network.fit import fit_networks
from assize.calibrate._network.training import Setting


@pytest.fixture(scope="module")
def adaptive(calibrator: Calibrator, features: Features) -> AdaptiveRubric:
    return AdaptiveRubric(calibrator, fit_imputer(features), (0, 1), draws=400)


def test_what_tells_most_is_asked_first_and_what_tells_nothing_has_no_gain(
    adaptive: AdaptiveRubric, features: Features
) -> None:
    state = adaptive.state(np.full(9, np.nan))
    assert state.best == MAIN
    assert state.gains[MAIN] > 1.5 * state.gains[TWIN]
    assert state.gains[TWIN] > 4 * state.gains[IDLE]


def test_once_the_best_is_known_its_twin_is_worth_little(
    adaptive: AdaptiveRubric, features: Features
) -> None:
    x = np.full(9, np.nan)
    before = adaptive.state(x).gains[TWIN]
    x[adaptive.columns[MAIN]] = features.x[1, adaptive.columns[MAIN]]
    assert adaptive.state(x).gains[TWIN] < before / 5


def test_a_path_asks_all_that_applies_and_ends_in_certainty(
    adaptive: AdaptiveRubric, features: Features
) -> None:
    path, without = adaptive.path(features.x[1]), adaptive.path(features.x[0])
    assert sorted(block for block, _ in path if block is not None) == [MAIN, TWIN, IDLE]
    assert path[-1][1].variance == 0
    x = features.take(np.array([1]))
    assert path[-1][1].p == pytest.approx(adaptive.calibrator.probabilities(x, (0, 1))[0])
    # idle does not apply to the first item
    assert sorted(block for block, _ in without if block is not None) == [MAIN, TWIN]
    fixed = [adaptive.path(x, [IDLE, TWIN, MAIN]) for x in features.x[:2]]
    assert [len(steps) for steps in fixed] == [1 + 2, 1 + 3]


def test_expected_gains_come_true_on_average(adaptive: AdaptiveRubric, features: Features) -> None:
    states = [adaptive.path(x)[:2] for x in features.x[1::2]]
    promised = np.mean([first[1].gains[MAIN] for first, _ in states])
    came = np.mean([first[1].variance - second[1].variance for first, second in states])
    assert came == pytest.approx(promised, rel=0.3)


def test_a_calibrator_that_has_learnt_with_questions_masked_predicts_by_itself(
    features: Features, calibrator: Calibrator
) -> None:
    pytest.importorskip("torch")
    rows = np.arange(len(features.x))
    y = np.random.default_rng(0).integers(len(calibrator.target), size=(len(rows), 1))
    scales = (calibrator.target,)
    forms = Forms(features.x, rows, rows % 2, y, scales, features, ("r0", "r1"))
    setting = Setting(hidden1=4, hidden2=4, pretrain=1, finetune=1, mask=0.3, initial=0.3)
    masked = fit_networks(forms, setting, [0])
    x = features.x[1].copy()
    x[:3] = np.nan
    own = masked.probabilities(Features((), features.blocks, x[None]), [0, 1])[0]
    found = AdaptiveRubric(masked, fit_imputer(features), (0, 1)).state(x)
    assert np.array_equal(found.p, own)
    assert found.score == pytest.approx((own @ np.array(masked.target.values)).mean())
    assert found.variance > 0
