"""What is compared with what, and what is said beside the tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.calibrate.study.conftest import SMALL

from assize.calibrate._data.forms import Forms
from assize.calibrate._study import Data, Options, data_of, study
from assize.calibrate._study.methods import METHODS, Method
from assize.calibrate._study.run import learning_curve


def test_tests_are_shown_against_the_base_and_the_best_that_is_no_oracle(
    data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = Method("oracles", "", lambda data: {"truth": data.same(data.forms.values)})
    monkeypatch.setitem(METHODS, "truth", truth)
    found = study(data, Options(("constant", "expected", "network", "truth"), 200))
    part = found.parts[0]
    rmse = {name: each["rmse"].estimate for name, each in part.figures.items()}
    assert rmse["truth"] == 0
    assert rmse["expected"] < rmse["network"]
    assert found.references(part, "squared error") == ["network", "expected"]
    table = found.tables["cross-validated by squared error"]
    assert [row[0] for row in table.rows] == list(rmse)
    groups = [row[0] for row in found.tables["cross_validated"].rows]
    assert list(dict.fromkeys(groups)) == ["baselines", "calibrated", "oracles"]
    (own,) = (row for row in table.texts()[1] if row[0][0] == "network")
    assert [first for first, _ in own[1:3]] == ["–", "–"]


def test_the_curve_says_how_many_subsamples_are_different_ones(
    make_forms: Callable[..., Forms],
) -> None:
    data = data_of(make_forms(items=8), folds=2, seeds=2, setting=SMALL)
    few, all_ = learning_curve(data, shares=(0.05, 0.06, 1.0), count=6)[:2]
    assert (few.rows, few.measures["rmse"].n) == (1, 6)
    assert (all_.subsamples, all_.distinct) == (6, 4)  # two folds, each of two seeds
    found = replace(study(data, Options(("constant",), 10)), curve=[few, all_])
    assert f"4 at {all_.rows} forms" in " ".join(found.tables["curve"].notes)
    assert "curve" not in replace(found, curve=[]).tables


def test_a_study_opens_with_the_method_that_comes_closest(data: Data) -> None:
    found = study(data, Options(("constant", "expected"), 10))
    figure = found.parts[0].figures["expected"]["rmse"].estimate
    assert found.sentence == (
        f"expected comes closest to what raters answered to overall: RMSE {figure:.3f}"
        " (cross-validated, 3 folds by item)."
    )
