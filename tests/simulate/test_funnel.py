from __future__ import annotations

from assize.simulate._funnel import Funnel


def test_each_step_is_a_row_with_what_it_left_out() -> None:
    funnel = Funnel()
    funnel.add("given", "pairs", 1200)
    funnel.add("short", "pairs", 3, {"too long": 1190, "empty": 0, "odd": 7})
    rows = [(stage.step, stage.unit, stage.left, stage.why) for stage in funnel.stages]
    assert rows == [
        ("given", "pairs", 1200, ""),
        ("short", "pairs", 3, "1,190 too long, 7 odd"),
    ]
    assert funnel.stages[1].gone == {"too long": 1190, "odd": 7}
    assert str(funnel) == "given: 1,200 pairs; short: 3 pairs, left out 1,190 too long, 7 odd"
    assert funnel.keep("even", "numbers", range(5), lambda number: number % 2 == 0) == [0, 2, 4]
    assert funnel.stages[2].left == 3


def test_votes_stand_in_brackets_after_the_pairs_that_went() -> None:
    funnel = Funnel()
    funnel.add("consistent", "pairs", 18, {"not consistent": 42}, {"votes changed": 84})
    funnel.add("votes", "pairs", 18, {}, {"votes changed": 2, "votes incomplete": 0})
    assert [stage.why for stage in funnel.stages] == [
        "42 (84 votes changed)",
        "0 (2 votes changed)",
    ]
    assert funnel.stages[0].votes == {"votes changed": 84}
