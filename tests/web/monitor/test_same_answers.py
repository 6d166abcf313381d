from __future__ import annotations

from tests.web.monitor.simulated import CLEAR, PART, Rater, Study, answers, collect, crowd

from assize.web._monitor.same_answers import same_answers


def test_who_always_says_the_same_stands_out_and_nobody_else() -> None:
    found = collect(Study(crowd(6, odd=Rater(always="3"))))
    said = same_answers([found.answered("clear"), found.answered("kind")])
    assert {(one.rater, one.answer) for one in said if one.stands_out} == {("odd", "3")}
    assert "nearly always answers '3'" in {one.verdict for one in said}


def test_where_everybody_says_the_same_nobody_stands_out() -> None:
    rows = {(f"i{item}", rater): "5" for item in range(30) for rater in "abc"}
    found = same_answers([answers(rows).answered("clear")])
    assert not any(one.stands_out for one in found)
    assert {(one.share.estimate, one.longest) for one in found} == {(1, 30)}


def test_the_longest_run_is_counted_in_the_order_of_submission() -> None:
    rows = {(f"i{place}", "a"): said for place, said in enumerate("1221112")}
    (found,) = same_answers([answers(rows, CLEAR).answered("clear")])
    assert (found.longest, found.answer, found.share.count) == (3, "1", 4)


def test_the_others_are_those_of_the_same_items() -> None:
    rows = {("i", "a"): "end", ("j", "a"): "end", ("i", "b"): "end", ("j", "b"): "start"}
    found = {one.rater: one for one in same_answers([answers(rows, PART).answered("part")])}
    assert found["a"].more.estimate == 0.5


def test_raters_who_are_alike_seldom_stand_out() -> None:
    alarms = 0
    for seed in range(40):
        study = Study(crowd(5), items=60, questions=(CLEAR,), seed=seed)
        said = same_answers([collect(study).answered("clear")])
        alarms += any(one.stands_out for one in said)
    assert alarms <= 6
