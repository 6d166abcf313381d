"""From evaluations and labels to a set: weight, window, probability, and what is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.criteria.simulated import simulated

from assize.base.errors import DataError
from assize.criteria._selecting import UNTUNED, Selecting, choose_criteria
from assize.criteria._selection import Budget, Objective
from assize.criteria._selection.policies import Settings
from assize.criteria._selection.probability import logistic
from assize.criteria._selection.window import Wanted, window
from assize.formats.labels import Labels

WHOLE, SAID, LABELS = simulated()
SMALL = Settings(Budget(3, 3), Objective(1.0))
PLAIN = Selecting(settings=SMALL, tune=False)


def test_the_window_and_the_curve_come_from_held_out_scores() -> None:
    found: Any = choose_criteria(WHOLE, SAID, LABELS, PLAIN)
    labelling, good = found.criteria.labelling, np.array(found.good_items)
    expected = window(found.held_out.nets, good, labelling.threshold)
    assert (labelling.low, labelling.high) == (expected.low, None)
    assert expected.high == np.inf
    curve = logistic(found.held_out.nets, good)
    assert labelling.slope == pytest.approx(curve.slope, rel=1e-5)
    assert labelling.intercept == pytest.approx(curve.intercept, rel=1e-4)


def test_a_weight_that_is_given_is_not_tuned() -> None:
    found = choose_criteria(WHOLE, SAID, LABELS, PLAIN)
    assert (found.tuned, found.weight) == (None, 1.0)
    parts = found.figures[0].separation - found.weight * (found.figures[0].sharpness_error or 0)
    assert found.objective == pytest.approx(parts)
    tuned: Any = choose_criteria(WHOLE, SAID, LABELS, replace(PLAIN, tune=True, deals=1))
    assert tuned.weight == tuned.tuned.weight


def test_correctness_has_no_weight() -> None:
    found = choose_criteria(WHOLE, SAID, LABELS, replace(PLAIN, policy="correctness"))
    assert found.weight == 0
    assert found.objective == pytest.approx(found.figures[0].separation)


def test_few_conversations_are_not_held_out() -> None:
    few = Labels("few", {name: LABELS.good[name] for name in ("i0", "i1", "i40", "i41")})
    found = choose_criteria(WHOLE, SAID, few, replace(PLAIN, tune=True))
    assert (found.weight, found.held_out, found.tuned) == (UNTUNED, None, None)
    assert any("on new ones expect less" in one for one in found.notes)


def test_budgets_beyond_what_the_pool_is_good_for_are_told() -> None:
    whole, said, labels = simulated(criteria=60, effect=0.8)
    found = choose_criteria(whole, said, labels, replace(PLAIN, settings=Settings(Budget(30, 30))))
    assert any("do not tell the classes apart the right way" in one for one in found.notes)


def test_scores_that_cannot_be_labelled_are_told() -> None:
    whole, said, labels = simulated(effect=0.0)
    how = replace(PLAIN, wanted=Wanted(1.0), settings=Settings(Budget(1, 0), Objective(0.0)))
    found: Any = choose_criteria(whole, said, labels, how)
    labelling = found.criteria.labelling
    assert labelling.low is None or labelling.high is None
    assert "none is labelled" in found.table_notes["figures"][0]


def test_a_pool_that_nobody_scored_is_refused() -> None:
    empty = replace(SAID, values=np.full_like(SAID.values, np.nan))
    with pytest.raises(DataError, match="each of the 24 criteria is unscored on more than 50%"):
        choose_criteria(WHOLE, empty, LABELS, PLAIN)


def test_the_signature_knows_scores_labels_and_settings() -> None:
    other = replace(SAID, values=np.where(SAID.values == 10, 7.5, SAID.values))
    wrong = replace(LABELS, good={**LABELS.good, "i0": False})
    strict = replace(PLAIN, wanted=Wanted(0.8))
    first, again, *others = (
        choose_criteria(WHOLE, said, labels, how).signature
        for said, labels, how in (
            (SAID, LABELS, PLAIN),
            (SAID, LABELS, PLAIN),
            (other, LABELS, PLAIN),
            (SAID, wrong, PLAIN),
            (SAID, LABELS, strict),
        )
    )
    assert first == again
    assert len({first, *others}) == 4
