from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.juries.conftest import SAID, pair, table_of

from assize.base.judgment import Judgment, Usage
from assize.judgments import JudgmentTable
from assize.juries import Cascade, collect_decisions
from assize.juries.decide import decide
from assize.juries.outcome import Cost, Saving, VoteUsage, sum_usage


def test_shares_are_of_all_items_and_add_up() -> None:
    pairs = {item: pair(item) for item in SAID["da"]}
    said = decide(table_of(SAID), Cascade(("da", "maxim")), pairs=pairs).to_json()
    assert (said["n"], said["unscored"], said["reasons"]) == (5, 1, {"refused": 1})
    assert [said[name]["count"] for name in ("win", "tie", "loss")] == [2, 1, 1]
    assert said["win"]["estimate"] == 0.4
    decided_by = {row["by"]: row for row in said["decided_by"]}
    assert decided_by["da"]["n"] == decided_by["da"]["decided"]["count"] == 2
    assert decided_by["nobody"]["results"] == {"tie": 1, "unscored": 1}
    judges = {row["judge"]: row for row in said["judges"]}
    assert judges["maxim"]["read"] == 3
    assert judges["maxim"]["win"]["count"] == 2  # alone: p2 and p5, and B on p1
    assert judges["maxim"]["right_alone"]["count"] == 1  # p5, which da loses
    assert judges["da"]["right_alone"]["count"] == 0


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
    letters: dict[str, str], skip: str, loss: str
) -> None:
    rows = table_of({judge: {"p": said} for judge, said in letters.items()})
    for unscored, expected in (("skip", skip), ("loss", loss)):
        composition = Cascade(tuple(letters), unscored=unscored)  # type: ignore[arg-type]
        found: Any = decide(rows, composition, pairs={"p": pair("p")}).outcome
        assert found.jury.counts == {expected: 1}


def test_gold_ties_stand_outside_and_items_without_gold_are_decided() -> None:
    rows = table_of({"da": {"p1": "AA", "p2": "BB", "p3": "AB", "p4": "AA"}})
    golds = {"p1": "A", "p2": "tie", "p3": "tie", "p4": None}
    pairs = {item: pair(item, gold) for item, gold in golds.items()}
    said = decide(rows, Cascade(("da",)), pairs=pairs).to_json()
    assert (said["n"], said["win"]["count"]) == (1, 1)
    assert said["gold_ties"] == 2
    ties = {row["answer"]: row["gold_tie"] for row in said["answers"]}
    assert ties == {"A": 0, "tie": 1, "B": 1, "unscored": 0}
    assert said["without_gold"] == 1
    assert sum(row["items"]["count"] for row in said["answers"]) == 4


def test_without_any_gold_there_are_answers_and_no_wins() -> None:
    said = decide(table_of(SAID), Cascade(("da",))).to_json()
    assert (said["n"], said.get("win"), said["unscored"]) == (5, None, 1)
    counts = {row["answer"]: row["items"]["count"] for row in said["answers"]}
    assert counts == {"A": 1, "B": 1, "tie": 2, "unscored": 1}
    assert {row["path"]: row["items"]["count"] for row in said["paths"]}["A"] == 1


PAID, UNPRICED = Usage(100, 10, 0.5), Usage(40, 4, None)


def vote(item: str, usage: Usage | None, attempts: int | None = None) -> Judgment:
    return Judgment(item, "j", "preference", answer="A", usage=usage, attempts=attempts)


def spent(*rows: Judgment) -> VoteUsage:
    """On all votes of these rows."""
    decisions = collect_decisions(JudgmentTable.of(rows), "preference")
    return sum_usage(decisions, np.ones(decisions.votes.shape, dtype=bool))


def took(
    votes: int, calls: int, tokens_in: int, tokens_out: int, cost: float = 0.0, **more: int
) -> VoteUsage:
    return VoteUsage(
        calls=calls,
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        cost_usd=cost,
        votes=votes,
        **more,
    )


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([PAID, PAID, Usage(1, 2, 0.25)], took(3, 3, 201, 22, 1.25)),
        ([PAID, None], took(2, 1, 100, 10, 0.5, unknown=1)),  # no usage: no call
        ([PAID, UNPRICED], took(2, 2, 140, 14, 0.5, unpriced=1)),  # its tokens count
    ],
)
def test_tokens_and_prices_of_stored_votes_are_added_up(
    rows: list[Usage | None], found: VoteUsage
) -> None:
    votes = [vote(f"p{n}", usage, None if usage else 2) for n, usage in enumerate(rows)]
    assert spent(*votes) == found
    assert found.priced is (None not in rows and UNPRICED not in rows)
    assert (found.cost().cost_usd is None) is not found.priced


def test_a_vote_that_was_asked_for_again_is_as_many_calls() -> None:
    # 3 attempts, 1 attempt, and a usage whose attempts nobody stored: one call
    found = spent(vote("p1", PAID, 3), vote("p2", PAID, 1), vote("p3", PAID))
    assert (found.votes, found.calls) == (3, 5)


def test_where_nothing_is_stored_there_is_no_usage() -> None:
    assert spent(vote("p1", None)).cost() == Cost(1, 0)
    assert spent(vote("p1", PAID)).cost() == Cost(1, 0, 1, 100, 10, 0.5)


def test_a_judge_who_was_not_asked_spent_nothing() -> None:
    decisions = collect_decisions(JudgmentTable.of([vote("p", PAID)]), "preference", members=["k"])
    asked = decisions.select(["k"], ["p"])
    assert sum_usage(asked, np.ones((1, 1), dtype=bool)) == VoteUsage()


@pytest.mark.parametrize(
    ("votes", "like", "found"),
    [
        # 2 votes took 4 calls, 200 + 20 tokens, 1 dollar; 6 votes are 3 times that
        (6, took(2, 4, 200, 20, 1.0), took(6, 12, 600, 60, 3.0, estimated=6)),
        # 4 votes, of which 2 without a usage: 200 tokens are 100 a vote
        (1, took(4, 2, 200, 20, 1.0, unknown=2), took(1, 1, 100, 10, 0.5, estimated=1)),
        (6, VoteUsage(votes=2, unknown=2), VoteUsage(votes=6, unknown=6, estimated=6)),
    ],
)
def test_votes_never_asked_for_cost_the_mean_of_those_whose_usage_is_known(
    votes: int, like: VoteUsage, found: VoteUsage
) -> None:
    total = VoteUsage()
    total.add_estimated(votes, like)
    assert total == found


def test_every_sum_is_merged() -> None:
    found = took(1, 2, 3, 4, 5.0, unpriced=6, unknown=7, estimated=8)
    found.merge(took(10, 20, 30, 40, 50.0, unpriced=60, unknown=70, estimated=80))
    assert found == took(11, 22, 33, 44, 55.0, unpriced=66, unknown=77, estimated=88)


@pytest.mark.parametrize(
    ("used", "everyone", "percent", "measure"),
    [
        (took(1, 1, 9, 5, 0.25), took(2, 2, 18, 50, 1.0), 75.0, "US dollars"),
        (took(1, 1, 9, 5, unpriced=1), took(2, 2, 18, 50, unpriced=2), 90.0, "output tokens"),
        (took(1, 1, 9, 5, 0.25), took(2, 1, 9, 5, 0.25, unknown=1), 50.0, "votes"),
        (VoteUsage(), VoteUsage(), None, "votes"),
    ],
    ids=["priced", "unpriced", "unknown", "nothing"],
)
def test_the_saving_is_of_money_else_of_tokens_else_of_votes(
    used: VoteUsage, everyone: VoteUsage, percent: float | None, measure: str
) -> None:
    found = Saving(used, everyone)
    assert (found.percent, found.measured_in) == (percent, measure)


def test_everyone_counts_a_later_judge_on_items_that_it_was_not_asked_about() -> None:
    # y saw 1 of 4 items, in both orders, at 2 * 0.5; on the other 3 it would have cost 3 more
    x = {f"p{n}": "AA" for n in range(3)} | {"p3": "AB"}
    rows = [replace(row, usage=PAID) for row in table_of({"x": x, "y": {"p3": "BB"}})]
    saving = decide(JudgmentTable.of(rows), Cascade(("x", "y"))).outcome.saving
    assert saving.used.cost_usd == 4 * 2 * 0.5 + 2 * 0.5
    assert saving.everyone.cost_usd == 2 * 4 * 2 * 0.5
    assert (saving.everyone.votes, saving.everyone.estimated) == (16, 6)
