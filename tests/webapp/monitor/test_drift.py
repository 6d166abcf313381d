from __future__ import annotations

import numpy as np
import pytest
from tests.webapp.monitor.simulated import DAY, START, Rater, Study, answers, collect, crowd

from assize.webapp.monitor.agreement import parts
from assize.webapp.monitor.collected import Collected
from assize.webapp.monitor.drift import Drift, Series, drifts, periods, series_of
from assize.webapp.monitor.gold import gold_answers


def watched(study: Study) -> list[Drift]:
    return drifts(_series(collect(study)))


def _series(found: Collected) -> list[Series]:
    asked = [found.answered(one) for one in found.table.questions]
    return series_of([(one, parts(one)) for one in asked], gold_answers(found))


def test_a_rater_who_turns_strict_is_found_with_the_date() -> None:
    study = Study(crowd(6, odd=Rater(later=-1.5)), items=300)
    found = [one for one in watched(study) if one.changes]
    assert {one.series.rater for one in found} == {"odd"}
    (change,) = next(one for one in found if one.series.name == "offset").changes
    middle = START + 600 * 450
    assert abs(change.at - middle) < 600 * 450 * 0.15
    assert change.difference.estimate < -0.5


def test_raters_who_stay_the_same_seldom_have_a_change() -> None:
    alarms = sum(
        any(one.changes for one in watched(Study(crowd(4), items=120, seed=seed)))
        for seed in range(40)
    )
    assert alarms <= 6  # 5% of 40 is 2; 7 or more have a chance below 1 in 200


def test_too_few_items_are_said_to_be_too_few() -> None:
    found = watched(Study(crowd(3), items=20))
    assert {one.reason for one in found} == {"needs 40 items; there are 20"}


def test_an_offset_is_a_share_of_the_spread_of_answers() -> None:
    # Values 5, 1, 3, 3: their standard deviation is the root of 2.
    rows = {("i", "a"): "5", ("i", "b"): "1", ("j", "a"): "3", ("j", "b"): "3"}
    found = [one for one in _series(answers(rows)) if one.name == "offset" and one.rater == "a"]
    assert found[0].values.tolist() == pytest.approx([4 / 2**0.5, 0])


def test_gold_is_a_series_of_its_own() -> None:
    found = _series(collect(Study(crowd(2), items=1, gold=12)))
    assert {len(one.values) for one in found if one.name == "gold"} == {12}


@pytest.mark.parametrize(
    ("days", "count", "label"),
    [(0.2, 6, "14 Nov 22:00"), (9, 10, "14 Nov"), (60, 9, "week of 13 Nov"),
     (300, 11, "4 weeks of 13 Nov 2023"), (900, 3, "year from 13 Nov 2023")],
)  # fmt: skip
def test_periods_are_as_long_as_there_is_room_for(days: float, count: int, label: str) -> None:
    at = np.linspace(START, START + days * DAY, 400)
    found = periods([Series("a", "offset", at, np.ones(400))])
    assert (len(found), found[0].label) == (count, label)
    assert sum(one.means["offset"].n for one in found) == 400


def test_nothing_has_no_periods() -> None:
    assert periods([]) == []
