from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.calibrate.conftest import NOMINAL, SCALE, make_world

from assize.base.conversation import Conversation
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question
from assize.calibrate import fit_default
from assize.calibrate._calibrator import predict
from assize.calibrate._data.forms import UNKNOWN, Forms, Scale
from assize.calibrate._groups.held_out import (
    form_labels,
    from_events,
    held_out_forms,
    predict_held_out,
    to_events,
)
from assize.judgments import JudgmentTable


def alike(x: np.ndarray) -> np.ndarray:
    """Two raters who follow the model."""
    return np.stack([x[:, :4] + 0.1, x[:, :4] + 0.1], axis=1) / 1.4


def test_unknown_raters_are_predicted_as_such() -> None:
    forms = make_world(alike, rows=80, raters=2, seed=0).forms
    fitted = fit_default(forms)
    rows, kept = predict_held_out(fitted, replace(forms, raters=("r0", "new")))
    strange = kept.rater == 1
    expected = predict(fitted, forms.features, [UNKNOWN])[:, 0]
    assert rows.p[strange] == pytest.approx(expected[kept.item[strange]])
    other = Scale.of(Question("Q0", kind="ordinal", answers=("1", "2"), values=(1, 2)))
    with pytest.raises(DataError, match="answered with 1, 2; predicted are 1, 2, 3, 4"):
        predict_held_out(fitted, replace(forms, scales=(other, forms.scales[1])))


def test_ratings_are_read_on_the_calibrators_scale_by_raters_as_it_knows_them() -> None:
    forms = make_world(alike, rows=80, raters=2, seed=0).forms
    fitted = fit_default(replace(forms, raters=("ann", "crowd")))
    guessed = Question("Q0", kind="ordinal", answers=("1", "2"), values=(1, 2))
    rows = [Judgment("i0", who, "Q0", answer="2", kind="person") for who in ("ann", "x", "y")]
    rows.append(Judgment("i0", "z", "Q1", answer="2", kind="person"))
    table = JudgmentTable.of(rows, [guessed, forms.scales[1].question])
    crowd = dict.fromkeys(("x", "y", "z"), "crowd")
    found = held_out_forms(fitted, forms.features, table, crowd)
    assert found.target == fitted.target
    assert [found.raters[place] for place in found.rater] == ["ann", "crowd", "crowd"]
    with pytest.raises(ConfigError, match="group mob: the calibrator was not fitted with"):
        held_out_forms(fitted, forms.features, table, {"x": "mob"})


FALLING = Scale.of(Question("q", kind="ordinal", answers=("3", "2", "1"), values=(3, 2, 1)))


@pytest.mark.parametrize(
    ("scale", "events"),
    [(SCALE, [0.2, 0.5]), (FALLING, [0.5, 0.8]), (NOMINAL, [0.2, 0.3, 0.5])],
)
def test_events_are_cumulative_where_answers_are_ordered(scale: Scale, events: list[float]) -> None:
    assert to_events(np.array([[0.2, 0.3, 0.5]]), scale)[0] == pytest.approx(events)
    p = np.random.default_rng(0).dirichlet(np.ones(3), 5)
    assert from_events(to_events(p, scale), scale) == pytest.approx(p)


def test_events_out_of_order_leave_no_mass_below_0() -> None:
    assert from_events(np.array([[0.6, 0.4]]), SCALE)[0] == pytest.approx([0.4, 0.2, 0.4])


def test_a_form_has_the_groups_of_its_item_and_its_rater() -> None:
    forms: Forms = make_world(alike, rows=3, raters=2, seed=0).forms
    items = [Conversation("i0", (), system="s"), Conversation("i2", (), system="t")]
    found = form_labels(["rater", "system", "rater"], forms.take([2, 1, 0]), items)
    assert found["system"] == ("t", None, "s")
    assert found["rater"] == tuple(f"r{n}" for n in forms.rater[[2, 1, 0]])
