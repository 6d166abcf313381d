from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.simulate.voted_pairs import order_votes

from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.judgments import JudgmentTable
from assize.simulate._vote_consistency import consistent_items, overall_question

NUMBER = Question("words", kind="number")


def asked(rows: list[Judgment]) -> JudgmentTable:
    names = dict.fromkeys(row.question for row in rows)
    scales = [NUMBER if one == "words" else replace(PREFERENCE, id=one) for one in names]
    return JudgmentTable.of(rows, scales)


SPEC = {
    "p": {"x": "AA", "y": "BB"},  # each keeps to its vote, though they differ
    "q": {"x": "AA", "y": "AB"},  # y goes with the first shown
    "r": {"x": "TT", "y": "B-"},  # y has no second vote
    "s": {"x": "AT"},  # y was not asked, and x changes
    "t": {"x": "BB"},  # y was not asked
}


def test_a_pair_stays_where_every_judge_keeps_to_its_vote() -> None:
    items, judges = consistent_items(asked(order_votes(SPEC)), ["Overall"])
    assert items == {"p"}
    told = {one.judge: (one.asked, one.same, one.changed, one.incomplete) for one in judges}
    assert told == {"x": (5, 4, 1, 0), "y": (3, 1, 1, 1)}


def test_a_judge_that_was_filtered_away_before_is_not_waited_for() -> None:
    table = asked(order_votes({"p": {"x": "AA", "y": "AB"}})).where(judge="x")
    assert consistent_items(table, ["Overall"])[0] == {"p"}


def test_repeats_must_say_the_same_too() -> None:
    rows = order_votes({"p": {"x": "AA"}, "q": {"x": "AA"}})
    rows.append(Judgment("q", "x", "Overall", answer="tie", order="AB", repeat=1))
    assert consistent_items(asked(rows), ["Overall"])[0] == {"p"}


def test_votes_in_one_order_alone_tell_nothing() -> None:
    rows = [
        Judgment("p", "x", "Overall", answer="A"),
        Judgment("q", "x", "Overall", answer="A", order="AB"),
    ]
    with pytest.raises(DataError, match="no judge has votes in both orders"):
        consistent_items(asked(rows), ["Overall"])


CAST = st.text("ABT-.", min_size=2, max_size=2)


@given(st.dictionaries(st.sampled_from("pqrst"), st.dictionaries(st.sampled_from("xyz"), CAST)))
def test_it_is_what_a_loop_over_the_votes_finds(spec: Any) -> None:
    spec = {"all": {"x": "AA", "y": "BB"}, **spec}
    rows = order_votes(spec)
    cast: dict[tuple[str, str], dict[str, str | None]] = defaultdict(dict)
    for row in rows:
        cast[row.item, row.judge][str(row.order)] = row.answer
    same = {
        key
        for key, by in cast.items()
        if len(by) == 2 and None not in by.values() and len(set(by.values())) == 1
    }
    judges = {row.judge for row in rows}
    items = {one for one in spec if all((one, judge) in same for judge in judges)}
    found, _ = consistent_items(asked(rows), ["Overall"])
    assert found == {row.item for row in rows if row.item in items}


def test_the_overall_question_is_found_or_named() -> None:
    both = order_votes({"p": {"x": "AA"}}) + order_votes({"p": {"x": "AA"}}, "preference")
    assert overall_question(asked(both)) == "Overall"
    assert overall_question(asked(both), "preference") == "preference"
    assert overall_question(asked(order_votes({"p": {"x": "AA"}}, "preference"))) == "preference"
    with pytest.raises(DataError, match="no votes on Safety; preferences that were asked are Over"):
        overall_question(asked(order_votes({"p": {"x": "AA"}})), "Safety")
    with pytest.raises(DataError, match="preferences that were asked are none"):
        overall_question(asked([Judgment("p", "x", "words", score=np.pi)]))
