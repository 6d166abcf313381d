from __future__ import annotations

import json

import numpy as np

from assize.calibration.results.questions import ImportanceResult, MethodList
from assize.calibration.study.importance import Importance
from assize.calibration.study.methods import METHODS
from assize.stats import Estimate


def test_what_is_not_known_of_an_item_is_null_in_json() -> None:
    one = Importance(np.array([0.5, np.nan]), Estimate(0.5, n=1, unscored=1), 0.5, float("nan"))
    units = (("i0", None), ("i1", 3))
    found = ImportanceResult("Q0", ["ann"], {"Q1": {"free": one}}, units, "a+b")
    value = found.to_json()
    assert value["items"] == [
        {"item": "i0", "turn": None, "Q1": {"free": 0.5}},
        {"item": "i1", "turn": 3, "Q1": {"free": None}},
    ]
    assert value["questions"]["Q1"]["free"]["pooled"] is None
    json.dumps(value, allow_nan=False)
    assert "Worth of one point more, for Q0" in str(found)


def test_every_method_is_listed_with_what_it_does() -> None:
    found = MethodList()
    assert found.to_json()["methods"].keys() == METHODS.keys()
    assert len(found.tables["methods"].rows) == len(METHODS)
