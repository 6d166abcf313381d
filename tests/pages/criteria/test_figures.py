"""What the pages of criteria draw alike."""

from __future__ import annotations

import math

import numpy as np

from assize.criteria._criterion import Labelling
from assize.criteria._selected import Curves
from assize.pages.charts import Cuts
from assize.pages.criteria.figures import POINTS, cuts_of, netsat, precision


def test_a_cut_that_nobody_has_learnt_leaves_all_open_on_its_side() -> None:
    assert cuts_of(Labelling(1.0, low=-2.0, high=None)) == Cuts(1.0, -2.0, math.inf)
    assert cuts_of(Labelling(1.0, low=None, high=3.0)) == Cuts(1.0, -math.inf, 3.0)
    assert cuts_of(None) == Cuts()


def test_classes_are_drawn_apart_and_unscored_conversations_left_out() -> None:
    nets = np.array([1.0, 2.0, 3.0, np.nan])
    rows = netsat(nets, [True, False, None, True], Cuts())["vconcat"]
    names = [row["layer"][0]["encoding"]["y"]["title"] for row in rows]
    assert names == ["good (1)", "bad (1)", "no label (1)"]
    (alone,) = netsat(nets, [None] * 4, Cuts())["vconcat"]
    assert alone["layer"][0]["encoding"]["y"]["title"] == "conversations (3)"


def test_a_fine_curve_is_thinned() -> None:
    column = np.linspace(0.0, 1.0, 5 * POINTS)
    spec = precision(Curves(column, column, column, column, column), Cuts(), None)
    assert len(spec["layer"][0]["data"]["values"]) == 4 * POINTS
