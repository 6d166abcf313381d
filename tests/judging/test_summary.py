"""What a run came to."""

from __future__ import annotations

from assize.base.judgment import Judgment, Unscored, Usage
from assize.formats import to_json
from assize.judging.summary import Summary
from assize.results.encoding import record_to_json

ROWS = [
    Judgment("a", "j", "q", answer="A", usage=Usage(10, 2, 0.5), attempts=3, signature="s"),
    Judgment("b", "j", "q", answer="B", usage=Usage(10, 2, 0.0, True)),
    Judgment("c", "j", "q", unscored=Unscored("parse"), usage=Usage(5, 1, None)),
    Judgment("a", "k", "r", score=1.0),
]


def counted() -> Summary:
    summary = Summary()
    summary.add(ROWS)
    return summary


def test_shares_and_unscored_add_up_to_all() -> None:
    summary = counted()
    assert (summary.n, summary.unscored) == (4, 1)
    assert summary.reasons == {"parse": 1}
    tally = summary.tallies["j", "q"]
    assert (summary.signatures["j"], tally.n, tally.answers["A"]) == ("s", 3, 1)


def test_calls_cost_and_what_has_no_price_are_told_apart() -> None:
    summary = counted()
    assert (summary.spent.calls, summary.spent.cached, summary.spent.unpriced) == (4, 1, 1)
    assert (summary.spent.input_tokens, summary.spent.cost_usd) == (15, 0.5)
    assert record_to_json(summary) == {
        "spent": {
            "calls": 4,
            "cached": 1,
            "input_tokens": 15,
            "output_tokens": 3,
            "cost_usd": 0.5,
            "unpriced": 1,
            "booked_usd": 0.0,
            "earlier": 0,
        },
        "skipped": 0,
        "shortened": 0,
        "invisible": 0,
    }


def test_rows_of_a_file_count_as_those_that_were_just_made_but_for_their_calls() -> None:
    stored = Summary()
    stored.add_stored(to_json(row) for row in ROWS)
    assert (stored.spent.earlier, counted().spent.earlier) == (4, 0)
    stored.spent.earlier = 0
    assert stored == counted()


def test_judges_stand_in_the_order_in_which_they_were_named() -> None:
    summary = counted()
    summary.order_judges(["k", "j"])
    assert list(summary.tallies) == [("k", "r"), ("j", "q")]
    assert (summary.n, summary.unscored) == (4, 1)
