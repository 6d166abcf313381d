"""Maxims by votes: which response keeps to what."""

from __future__ import annotations

from typing import Any

from acts_voted import ISO, PAIR, Q, T, held, ours, row

from assize.acts import _maxim_analysis as maxim_analysis
from assize.acts._analysis import find_share
from assize.acts._annotations import Held, Votes
from assize.acts._study import study_all
from assize.base.conversation import Pair
from assize.judgments import JudgmentTable


def test_a_response_satisfies_what_it_keeps_to_better_or_both_keep_to() -> None:
    rows = [
        row("da@m", ours([Q], [T], [Q], a=[T], b=[Q])),
        row("maxim@m", {"maxims": held(better=2, worse=1, both=3)}),
    ]
    (found,) = study_all(JudgmentTable.of(rows), {"p": PAIR}, ISO)
    crossed: Any = find_share(found.responses, acts="different", more="chosen")
    asymmetry: Any = found.asymmetry
    assert crossed.estimate == 1
    assert asymmetry.estimate == 3
    sides = {row.maxim: row.shares for row in found.sides}
    assert sides["Quantity-1"]["chosen"].estimate == 1
    assert sides["Transparency-3"]["neither"].estimate == 1


def test_gold_b_turns_the_sides_round_and_a_tie_stands_outside() -> None:
    rows = [
        row("maxim@m", {"maxims": held(better=2, worse=1)}, item=name) for name in ("p", "q", "r")
    ]
    golds: list[Any] = ["B", "tie", {"preference": "A"}]
    items = {
        name: Pair(name, PAIR.context, PAIR.a, PAIR.b, gold=gold)
        for name, gold in zip("pqr", golds, strict=True)
    }
    (found,) = study_all(JudgmentTable.of(rows), items, ISO)
    assert (found.items["maxims"], found.gold) == (3, 2)
    shares = found.sides[0].shares
    assert (shares["chosen"].estimate, shares["rejected"].estimate) == (0.5, 0.5)
    asymmetry: Any = found.asymmetry
    assert asymmetry.n == 3


def test_both_votes_together_hold_only_what_they_agree_on() -> None:
    first = Held("p", {"Quantity-1": "A", "Manner-1": "A"}, "A")
    second = Held("p", {"Quantity-1": "A", "Manner-1": "B"}, "B")
    votes = Votes({}, {"first": {"p": first}, "second": {"p": second}}, {})
    together = maxim_analysis.agreeing(votes)["p"]
    assert together.maxims == {"Quantity-1": "A", "Manner-1": maxim_analysis.APART}
    assert together.answer == "tie"


def test_every_rule_over_votes_counts_what_it_says() -> None:
    # first vote: chosen has more, and is chosen; second: rejected has more, and is chosen.
    rows = [
        row("maxim@m", {"maxims": held(better=3, worse=1)}),
        row("maxim@m", {"maxims": held(better=1, worse=2)}, order="BA", answer="B"),
    ]
    (found,) = study_all(JudgmentTable.of(rows), {"p": PAIR}, ISO)
    told = {
        row.rule: (row.chosen_more.estimate, row.rejected_more.estimate, row.right.estimate)
        for row in found.rules
    }
    assert told == {
        # they agree on Quantity-1 (chosen) alone, and on all that neither keeps to
        "agreed": (1, 0, 0),
        "first": (1, 0, 1),
        "second": (0, 1, 0),
    }
    assert set(told) == set(maxim_analysis.RULES)
