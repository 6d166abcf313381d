from __future__ import annotations

import json

import numpy as np

from assize.calibrate._results.questions import ImportanceResult, MethodList
from assize.calibrate._study.importance import Importance
from assize.calibrate._study.methods import METHODS
from assize.stats import Estimate


def test_what_is_not_known_is_null_in_json_and_no_judgment() -> None:
    mean, each = Estimate(0.5, n=1, unscored=1), np.array([0.5, np.nan])
    rows = [Importance("Q1", "free", mean, 0.5, float("nan"), each)]
    found = ImportanceResult("Q0", ["ann"], rows, "a+b", (("i0", None), ("i1", 3)))
    value = found.to_json()
    (row,) = found.to_judgments("free")
    assert (row.item, row.question, row.score) == ("i0", "importance of Q1", 0.5)
    assert value["questions"][0]["pooled"] is None
    json.dumps(value, allow_nan=False)
    assert "Worth of one point more" in str(found)


def test_every_method_is_listed_with_what_it_does() -> None:
    found = MethodList(METHODS)
    assert found.to_json()["methods"].keys() == METHODS.keys()
    assert len(found.tables["methods"].rows) == len(METHODS)
