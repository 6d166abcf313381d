from __future__ import annotations

from collections.abc import Callable

import pytest

from assize.judgments import JudgmentTable
from assize.juries import Composition, cascade, decide, gather, sit
from assize.juries.tables import as_json

from .conftest import SAID, pair

Make = Callable[[dict[str, dict[str, str]]], JudgmentTable]


def test_shares_are_of_all_items_and_add_up(table: Make) -> None:
    pairs = {item: pair(item) for item in SAID["da"]}
    said = as_json(decide(table(SAID), Composition(("da", "maxim")), pairs=pairs))
    assert (said["n"], said["unscored"], said["reasons"]) == (5, 1, {"refused": 1})
    assert [said[name]["count"] for name in ("win", "tie", "loss")] == [2, 1, 1]
    assert said["win"]["percent"] == 40.0
    assert said["decided_by"]["da"]["count"] == 2
    assert said["decided_by"]["nobody"]["results"] == {"tie": 1, "unscored": 1}
    assert said["judges"]["maxim"]["read"] == 3
    assert said["judges"]["maxim"]["win"]["count"] == 2  # alone: p2 and p5, and B on p1
    assert said["judges"]["maxim"]["right_alone"]["count"] == 1  # p5, which da loses
    assert said["judges"]["da"]["right_alone"]["count"] == 0


@pytest.mark.parametrize(
    ("letters", "skip", "loss"),
    [
        ({"da": "xx"}, "unscored", "loss"),
        ({"da": "AB", "maxim": "xx"}, "tie", "loss"),
        ({"da": "xx", "maxim": "AB"}, "tie", "tie"),
        ({"da": "xx", "maxim": "AA"}, "win", "win"),
    ],
)
def test_an_absent_judge_is_a_loss_alone_and_at_the_end_but_passes_inside(
    letters: dict[str, str], skip: str, loss: str, table: Make
) -> None:
    rows = table({judge: {"p": said} for judge, said in letters.items()})
    for unscored, expected in (("skip", skip), ("loss", loss)):
        composition = Composition(tuple(letters), unscored=unscored)  # type: ignore[arg-type]
        found = decide(rows, composition, pairs={"p": pair("p")}).outcome
        assert found.jury is not None
        assert found.jury.counts == {expected: 1}


def test_gold_ties_stand_outside_and_items_without_gold_are_decided(table: Make) -> None:
    rows = table({"da": {"p1": "AA", "p2": "BB", "p3": "AB", "p4": "AA"}})
    golds = {"p1": "A", "p2": "tie", "p3": "tie", "p4": None}
    pairs = {item: pair(item, gold) for item, gold in golds.items()}
    said = as_json(decide(rows, Composition(("da",)), pairs=pairs))
    assert (said["n"], said["win"]["count"]) == (1, 1)
    assert said["gold_ties"] == {"n": 2, "answers": {"B": 1, "tie": 1}}
    assert said["without_gold"] == 1
    assert sum(one["count"] for one in said["answers"].values()) == 4


def test_without_any_gold_there_are_answers_and_no_wins(table: Make) -> None:
    said = as_json(decide(table(SAID), Composition(("da",))))
    assert (said["n"], said["win"], said["unscored"]) == (5, None, 1)
    assert {name: one["count"] for name, one in said["answers"].items()} == {
        "A": 1,
        "B": 1,
        "tie": 2,
        "unscored": 1,
    }
    assert said["paths"]["A"]["count"] == 1


def test_counts_add_up_whatever_was_voted(table: Make) -> None:
    ballots = gather(table(SAID), "preference")
    outcome = sit(
        ballots,
        ("da", "maxim"),
        ballots.items,
        lambda item: cascade(ballots, ("da", "maxim"), item),
        gold=dict.fromkeys(ballots.items, "B"),
    )
    assert outcome.jury is not None
    assert sum(outcome.jury.counts.values()) == outcome.n == sum(outcome.paths.values())
    assert sum(sum(came.values()) for came in outcome.decided_by.values()) == outcome.n
