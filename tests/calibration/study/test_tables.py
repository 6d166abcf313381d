"""What is compared with what, and what is said beside the tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from assize.calibration import Forms
from assize.calibration.study import Data, Options, data_of, study
from assize.calibration.study.methods import METHODS, Method
from assize.calibration.study.run import learning_curve
from assize.calibration.study.tables import against_rows, references, repeated

from .conftest import SMALL


def test_tests_are_shown_against_the_base_and_the_best_that_is_no_oracle(
    data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = Method("oracles", lambda data: {"truth": data.same(data.forms.values)})
    monkeypatch.setitem(METHODS, "truth", truth)
    found = study(data, Options(("constant", "expected", "network", "truth"), 200))
    part = found.parts[0]
    rmse = {name: each["rmse"].estimate for name, each in part.figures.items()}
    assert rmse["truth"] == 0
    assert rmse["expected"] < rmse["network"]
    assert references(found, part, "squared error") == ["network", "expected"]
    _, rows = against_rows(found, part, "squared error")
    assert [row[0] for row in rows] == list(rmse)
    own = next(row for row in rows if row[0] == "network")
    assert own[1:3] == ["–", "–"]


def test_the_curve_says_how_many_subsamples_are_different_ones(
    make_forms: Callable[..., Forms],
) -> None:
    data = data_of(make_forms(items=8), folds=2, seeds=2, setting=SMALL)
    few, all_ = learning_curve(data, shares=(0.05, 0.06, 1.0), count=6)[:2]
    assert (few.rows, few.measures["rmse"].n) == (1, 6)
    assert (all_.subsamples, all_.distinct) == (6, 4)  # two folds, each of two seeds
    found = replace(study(data, Options(("constant",), 10)), curve=[few, all_])
    assert f"4 at {all_.rows} forms" in repeated(found)
    assert repeated(replace(found, curve=[])) == ""
