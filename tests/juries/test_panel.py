from __future__ import annotations

from collections.abc import Callable

import pytest

from assize.base.errors import ConfigError
from assize.judgments import JudgmentTable
from assize.juries import gather
from assize.juries.panel import panel

Make = Callable[[dict[str, dict[str, str]]], JudgmentTable]
SAID = {
    "x": {"p1": "AA", "p2": "AA", "p3": "AA", "p4": "AB", "p5": "xx"},
    "y": {"p1": "AA", "p2": "BB", "p3": "xx", "p4": "AB", "p5": "Ax"},
    "z": {"p1": "AA", "p2": "BB", "p3": "BB", "p4": "BB", "p5": "xx"},
}


def test_the_majority_of_who_was_scored_wins(table: Make) -> None:
    ballots = gather(table(SAID), "preference")
    found = [panel(ballots, dict.fromkeys("xyz", 1.0), item) for item in SAID["x"]]
    assert [(one.answer, one.by) for one in found] == [
        ("A", "unanimous"),
        ("B", "majority"),
        ("tie", None),
        ("B", "majority"),
        (None, None),
    ]
    assert [one.weight for one in found[:4]] == [
        1.0,
        pytest.approx(1 / 3),
        0.0,
        pytest.approx(1 / 3),
    ]
    assert all(len(one.ballots) == 3 for one in found)


def test_a_heavy_judge_outvotes_two_light_ones(table: Make) -> None:
    ballots = gather(table(SAID), "preference")
    assert panel(ballots, {"x": 2.5, "y": 1.0, "z": 1.0}, "p2").answer == "A"
    assert panel(ballots, {"x": 0.3, "y": 0.1, "z": 0.2}, "p2").answer == "tie"  # 0.1 + 0.2


def test_exchanged_sides_exchange_the_verdict(table: Make) -> None:
    mirror = str.maketrans("AB", "BA")
    swapped = {
        judge: {item: said.translate(mirror) for item, said in items.items()}
        for judge, items in SAID.items()
    }
    one, other = gather(table(SAID), "preference"), gather(table(swapped), "preference")
    for item in SAID["x"]:
        answer = panel(one, dict.fromkeys("xyz", 1.0), item).answer
        mirrored = panel(other, dict.fromkeys("xyz", 1.0), item).answer
        assert mirrored == (answer.translate(mirror) if answer in ("A", "B") else answer)


def test_a_weight_of_zero_is_refused(table: Make) -> None:
    with pytest.raises(ConfigError, match="above 0"):
        panel(gather(table(SAID), "preference"), {"x": 0.0}, "p1")
