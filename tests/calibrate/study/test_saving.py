"""Calls saved against accuracy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from tests.calibrate.study.conftest import SMALL

from assize.calibrate._data.forms import Forms
from assize.calibrate._study import METHODS, data_of
from assize.calibrate._study.saving import calls_saved
from assize.stats._studies import figures


def test_asking_everything_is_the_default_calibrator_and_less_costs_accuracy(
    make_forms: Callable[..., Forms],
) -> None:
    data = data_of(make_forms(items=40), folds=2, seeds=1, setting=SMALL)
    found = calls_saved(data, leasts=(1e9, 0.0))
    nothing, everything = found[0], found[1]
    assert nothing.calls == 0
    assert everything.calls == everything.all_calls == 3
    assert everything.rmse < nothing.rmse
    (default,) = METHODS["default"].run(data).values()
    figure = figures(default, data.truth, np.ones(len(data.forms), bool))["rmse"]
    # Close, not equal: the study's default allows for where all held-out items lie together, an
    # adaptive rubric predicts each as it is asked.
    assert everything.rmse == pytest.approx(figure.estimate, rel=0.01)
    fixed = [one for one in found if one.rule == "fixed order"]
    assert [one.most for one in fixed] == [0, 1, 2, 3]
    assert fixed[-1].rmse == pytest.approx(everything.rmse)
    assert everything.saved == 0
