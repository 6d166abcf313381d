"""Measures of a set on test conversations, against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assize.criteria._selection.window import Wanted, Window
from assize.criteria._study.measures import MEASURES, Unseen, measured

NAN = float("nan")
# NetSAT: 8, 4, 1, -2 of good ones, 2, -3, -6, -9 of bad ones.
SAT = np.array([9.0, 7.0, 5.0, 4.0, 6.0, 3.0, 2.0, 1.0])
DSAT = np.array([1.0, 3.0, 4.0, 6.0, 4.0, 6.0, 8.0, 10.0])
GOOD = np.array([True] * 4 + [False] * 4)
PUBLISHED = Wanted(rule="paper")
TESTED = Unseen(SAT, DSAT, GOOD, 0.0, Window(-3.0, 3.0, 0.9), PUBLISHED)


def test_measures_are_those_of_the_paper_and_ours() -> None:
    found = dict(zip(MEASURES, measured(TESTED), strict=True))
    assert found["delta_netsat"] == pytest.approx(11 / 4 + 16 / 4)
    # Above 0: 8, 4, 1 rightly and 2 wrongly.
    assert found["accuracy"] == pytest.approx(6 / 8)
    assert found["precision"] == pytest.approx(3 / 4)
    assert found["recall"] == pytest.approx(3 / 4)
    assert found["f1"] == pytest.approx(3 / 4)
    # Bad up to -3 and good above 3: five labels, all right.
    assert found["yield_train"] == pytest.approx(5 / 8)
    assert found["precision_train"] == 1.0
    # On these conversations themselves: -9, -6, -3 are bad, 4 and 8 good.
    assert found["yield_test"] == pytest.approx(5 / 8)
    assert found["correlation"] == pytest.approx(np.corrcoef(SAT, DSAT)[0, 1])


def test_an_unscored_conversation_is_labelled_by_nobody_and_else_left_out() -> None:
    sat = np.append(SAT, NAN)
    one = Unseen(sat, np.append(DSAT, 0.0), np.append(GOOD, True), 0.0, TESTED.learnt, PUBLISHED)
    found = dict(zip(MEASURES, measured(one), strict=True))
    whole = dict(zip(MEASURES, measured(TESTED), strict=True))
    assert one.unscored == 1
    for name in ("delta_netsat", "accuracy", "precision", "recall", "f1", "correlation"):
        assert found[name] == pytest.approx(whole[name]), name
    assert found["yield_train"] == found["yield_test"] == pytest.approx(5 / 9)


def test_a_window_may_label_less_well_than_it_did_on_training() -> None:
    found = Unseen(SAT, DSAT, GOOD, 0.0, Window(-2.0, 1.0, 0.9), PUBLISHED)
    values = dict(zip(MEASURES, measured(found), strict=True))
    assert values["yield_train"] == pytest.approx(7 / 8)  # all but 1
    assert values["precision_train"] == pytest.approx(5 / 7)  # -2 and 2 are wrong


def test_what_is_not_defined_is_nan() -> None:
    none = Unseen(SAT * NAN, DSAT, GOOD, 0.0, TESTED.learnt, PUBLISHED)
    found = dict(zip(MEASURES, measured(none), strict=True))
    assert found.pop("yield_train") == found.pop("yield_test") == 0
    assert all(math.isnan(one) for one in found.values())
    high = Unseen(SAT, DSAT, GOOD, 100.0, TESTED.learnt, PUBLISHED)
    found = dict(zip(MEASURES, measured(high), strict=True))
    assert math.isnan(found["precision"])
    assert found["recall"] == found["f1"] == 0


def test_equal_sums_have_no_correlation() -> None:
    found = Unseen(SAT * 0, DSAT, GOOD, 0.0, TESTED.learnt, PUBLISHED)
    assert math.isnan(MEASURES["correlation"](found))


def test_rows_may_stand_several_times() -> None:
    twice = TESTED.rows(np.repeat(np.arange(8), 2))
    assert np.allclose(measured(twice), measured(TESTED))
