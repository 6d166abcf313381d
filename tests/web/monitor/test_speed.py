from __future__ import annotations

import pytest
from tests.web.monitor.simulated import Rater, Study, collect, crowd

from assize.web._monitor.collected import Work
from assize.web._monitor.speed import speeds


def test_the_ratio_is_to_the_others_of_the_same_items() -> None:
    # a takes half of b's time on i and a quarter on j: the geometric mean is the root of 1/8.
    times = {("a", "i"): 30, ("b", "i"): 60, ("a", "j"): 10, ("b", "j"): 40, ("b", "k"): 900}
    work = [Work(rater, item, seconds=seconds) for (rater, item), seconds in times.items()]
    found = {one.rater: one for one in speeds(work)}
    assert found["a"].ratio.estimate == pytest.approx(8**-0.5)
    assert found["b"].ratio.estimate == pytest.approx(8**0.5)
    assert (found["b"].seconds, found["b"].forms, found["b"].ratio.n) == (60, 3, 2)


def test_a_hasty_and_a_slow_rater_stand_out_and_nobody_else() -> None:
    raters = crowd(6, hasty=Rater(pace=0.2), slow=Rater(pace=4))
    found = speeds(collect(Study(raters, items=120)).work)
    assert {one.rater: one.stands_out for one in found if one.stands_out} == {
        "hasty": "fast",
        "slow": "slow",
    }
    assert "takes less than half the others' time" in {one.verdict for one in found}


def test_a_few_forms_let_nobody_stand_out() -> None:
    found = speeds(collect(Study(crowd(3, hasty=Rater(pace=0.1)), items=6)).work)
    assert not any(one.stands_out for one in found)


def test_without_times_there_is_nothing_to_say() -> None:
    assert speeds([Work("a", "i")]) == []
