"""The page of a selection."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.criteria.simulated import simulated
from tests.pages.conftest import page_of

from assize._doors.plot import charts_of
from assize.base.errors import ConfigError
from assize.criteria._selecting import Selecting, choose_criteria
from assize.criteria._selection import Budget
from assize.criteria._selection.policies import Settings
from assize.results.numbers import number

pytest.importorskip("vl_convert")
FOUND = choose_criteria(*simulated(), Selecting(settings=Settings(Budget(2, 2)), samples=5))


def test_the_criteria_stand_in_their_order_with_separation_and_stability(tmp_path: Path) -> None:
    said = page_of(FOUND, tmp_path)
    part = said[said.index("order of choice</h2>") : said.index("tell apart</h2>")]
    places = [part.index(one.criterion) for one in FOUND.chosen]
    assert places == sorted(places)
    for one in FOUND.chosen:
        assert number(one.separation, 2, signed=True) in part
    assert "Survives" in part
    assert "--stability" not in part


def test_what_was_not_asked_is_said(tmp_path: Path) -> None:
    found = choose_criteria(*simulated(), Selecting(settings=Settings(Budget(2, 2)), tune=False))
    said = page_of(found, tmp_path)
    assert "--stability 100" in said
    assert "|weight=1|" in said
    assert "Weights of sharpness" not in said


def test_few_conversations_have_no_folds(tmp_path: Path) -> None:
    found = choose_criteria(*simulated(each=6), Selecting(settings=Settings(Budget(2, 2))))
    assert "on the conversations that the criteria were chosen on." in page_of(found, tmp_path)


def test_where_no_score_can_be_labelled_all_are_shaded() -> None:
    none = replace(FOUND.labelling, low=None, high=None)
    spec = charts_of(replace(FOUND, labelling=none))["figures"]
    shade, *_ = spec["layer"]
    ends = FOUND.curves.thresholds
    assert shade["data"]["values"] == [{"from": ends[0], "to": ends[-1]}]


def test_where_every_score_can_be_labelled_the_page_says_so(tmp_path: Path) -> None:
    sure = replace(FOUND.labelling, low=1.0, high=1.0)
    assert "Nothing is left open" in page_of(replace(FOUND, labelling=sure), tmp_path)


def test_it_plots_its_curves_and_its_tables() -> None:
    pytest.importorskip("altair")
    assert FOUND.plot().to_dict()["description"].startswith("Precision by threshold")
    assert FOUND.plot("scores by class").to_dict()["vconcat"]
    assert "separation" in str(FOUND.plot("chosen").to_dict())
    with pytest.raises(ConfigError, match="there are figures, scores by class, weights, chosen"):
        FOUND.plot("nothing")
