from __future__ import annotations

import math

import pytest
from tests.web.monitor.simulated import CLEAR, KIND, PART, Rater, Study, answers, collect, crowd

from assize.web._monitor.offsets import from_others, offsets


def test_an_answer_is_held_to_the_mean_of_the_others() -> None:
    rows = {("i", "a"): "5", ("i", "b"): "2", ("i", "c"): "1", ("j", "a"): "4"}
    gaps = from_others(answers(rows).answered("clear")).tolist()
    assert gaps[:3] == pytest.approx([3.5, -1, -2.5])
    assert math.isnan(gaps[3])


def test_a_lenient_rater_is_found_with_the_size() -> None:
    # Held to two others each, whose answers end at 5: a little less than what was planted.
    found = collect(Study(crowd(8, kindly=Rater(offset=0.8)), items=400))
    said = {(one.rater, one.question): one for one in offsets([found.answered("clear")])}
    one = said["kindly", "clear"]
    assert 0.5 < one.mean.estimate < 0.9
    assert one.verdict == "rates higher than the others"


def test_raters_who_are_alike_seldom_stand_out() -> None:
    alarms = 0
    for seed in range(60):
        found = collect(Study(crowd(6), items=60, seed=seed))
        asked = [found.answered(one.id) for one in (CLEAR, KIND)]
        alarms += any(one.stands_out for one in offsets(asked))
    assert alarms <= 8  # 5% of 60 is 3; 9 or more have a chance below 1 in 200


def test_names_have_no_offset() -> None:
    rows = {("i", "a"): "start", ("i", "b"): "end"}
    assert offsets([answers(rows, PART).answered("part")]) == []
