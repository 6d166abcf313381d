"""Counts of a run: while it goes, and from what is stored."""

from __future__ import annotations

from typing import Any

from assize.formats import to_json
from assize.judging.summary import Summary
from assize.judgment import Judgment, Unscored, Usage

PAID, CACHED = Usage(100, 10, 0.5, False), Usage(100, 10, None, True)
ROWS = [
    Judgment("p1", "j", "q", answer="A", signature="s", attempts=2, usage=PAID),
    Judgment("p2", "j", "q", answer="A", signature="s", usage=CACHED),
    Judgment("p3", "j", "q", score=0.5, signature="s"),
    Judgment("p4", "j", "q", signature="s", unscored=Unscored("parse", "no answer")),
]


def test_shares_are_of_all_judgments_and_cached_answers_cost_nothing() -> None:
    found = Summary()
    found.add(ROWS)
    told: Any = found.to_json()
    assert (told["n"], told["scored"], told["unscored"]) == (4, 3, 1)
    assert told["judges"]["j"]["signature"] == "s"
    answers = told["judges"]["j"]["questions"]["q"]["answers"]
    assert answers == {"A": {"count": 2, "percent": 50.0}, "": {"count": 1, "percent": 25.0}}
    assert (told["calls"], told["cached"], told["cost_usd"]) == (2, 1, 0.5)
    assert found.percent_unscored == 25.0


def test_stored_rows_count_as_fresh_ones() -> None:
    fresh, stored = Summary(), Summary()
    fresh.add(ROWS)
    stored.add_stored([to_json(row) for row in ROWS])
    assert stored == fresh


def test_a_cost_that_is_not_known_is_none() -> None:
    found = Summary()
    found.add([Judgment("p1", "j", "q", answer="A", usage=Usage(1, 1, None, False))])
    assert found.to_json()["cost_usd"] is None


def test_nothing_at_all_is_zero_percent() -> None:
    assert Summary().percent_unscored == 0.0
