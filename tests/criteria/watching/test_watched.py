"""What watching comes to: its JSON, its tables, its alarm."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.criteria.watching.test_watching import WHOLE

from assize.errors import ConfigError


def test_json_has_every_question_by_period_and_what_changed() -> None:
    value = json.loads(json.dumps(WHOLE.to_json(), allow_nan=False))
    assert value["changed"] == [
        {"question": "NetSAT", "group": None},
        {"question": "s2", "group": None},
    ]
    assert value["dropped"] == value["changed"]
    net, s1 = value["series"][:2]
    assert len(net["periods"]) == len(value["periods"]) == 12
    assert net["periods"][0].keys() == {"n", "unscored", "mean", "labels"}
    assert s1["periods"][0].keys() == {"n", "unscored", "mean", "holds"}
    assert net["changes"][0]["verdict"] == "worse"
    assert value["signature"] == WHOLE.signature


def test_any_question_has_a_table_by_period() -> None:
    assert len(WHOLE.by_period("d1").rows) == 12
    with pytest.raises(ConfigError, match="no question 'x' is watched; there are NetSAT, s1"):
        WHOLE.by_period("x")


def test_the_alarm_is_raised_where_it_was_asked_for() -> None:
    assert WHOLE.alarm is None
    said = replace(WHOLE, fail_on_drop=True).alarm
    assert said is not None
    assert said.startswith(
        "worse than before, latest week (from 2026-03-23): NetSAT, The user says"
    )
    assert replace(WHOLE, fail_on_drop=True, series=WHOLE.series[1:2]).alarm is None
