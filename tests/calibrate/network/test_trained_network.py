from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from tests.calibrate.conftest import two_raters

from assize.calibrate._data.forms import UNKNOWN
from assize.calibrate._network.fit import fit_networks
from assize.calibrate._network.inputs import Inputs
from assize.calibrate._network.layers import Shape
from assize.calibrate._network.training import Network, Setting


def tiny(head: str = "distribution") -> Network:
    """One input, one unit a layer, two answers (or a mean); one rater, whose last layer is
    their own."""
    columns = 1 if head == "mean" else 2
    first = np.array([[0.0], [1.0]], dtype=np.float32)
    last = np.array([[0.0, 1.0], [0.0, 2.0]], dtype=np.float32)[:, -columns:]
    setting = Setting(1, 1, personal=(False, False, True), head=head)  # type: ignore[arg-type]
    shape = Shape(1, 1, 1, 1, (columns,), (False, False, True))
    inputs = Inputs(np.array([0.5]), np.array([], dtype=np.int64), np.array([]))
    return Network(setting, shape, (first, first, last), (None, None, last[None]), inputs)


def test_answers_are_a_softmax_over_two_sigmoid_layers() -> None:
    x = np.array([[0.3], [np.nan]])
    z = [expit(expit(0.3)), expit(expit(0.5))]  # what is missing counts as the fill
    found = tiny().everyone(x, [UNKNOWN, 0])
    # Two answers: P(second) = sigmoid of the logits' difference; the rater's own are added.
    assert found[:, 0, 1] == pytest.approx([expit(1 + 2 * one) for one in z])
    assert found[:, 1, 1] == pytest.approx([expit(2 * (1 + 2 * one)) for one in z])
    assert found.sum(axis=2) == pytest.approx(1)


def test_a_mean_head_has_one_vector_a_rater() -> None:
    mean = tiny("mean")
    assert mean.head()[:, 0].tolist() == [1.0, 2.0]
    assert mean.head(0)[:, 0].tolist() == [2.0, 4.0]
    z = expit(expit(0.3))
    assert mean.everyone(np.array([[0.3]]), [0])[0, 0, 0] == pytest.approx(2 + 4 * z)


def test_the_gradient_is_that_of_finite_differences() -> None:
    values = np.array([1.0, 4.0])
    ends = [tiny().everyone(np.array([[at]]), [0])[0, 0] @ values for at in (0.3001, 0.2999)]
    slope = tiny().gradient(np.array([[0.3]]), 0, values.tolist())
    assert slope[0, 0] == pytest.approx((ends[0] - ends[1]) / 0.0002, rel=1e-4)


def test_everyone_is_each_rater_in_turn() -> None:
    forms = two_raters(50)
    network = fit_networks(forms, Setting(4, 4, 32, 0.01, 1, 1), [0]).networks[0]
    together = network.everyone(forms.x, [1, UNKNOWN])
    for place, rater in enumerate((1, UNKNOWN)):
        alone = network.probabilities(forms.x, np.full(50, rater))
        assert np.array_equal(together[:, place], alone)
