from __future__ import annotations

from tests.web.monitor.simulated import CLEAR, Rater, Study, collect, crowd

from assize.base.judgment import Judgment, Unscored
from assize.stats import wilson
from assize.web._monitor.collected import Collected, Work
from assize.web._monitor.gold import (
    GoldShare,
    gold_answers,
    gold_shares,
    hard_gold,
    qualifying_answers,
)


def test_a_share_is_right_answers_of_all_that_gold_has() -> None:
    rows = [("g1", "3"), ("g2", "4"), ("g3", "5")]
    pieces = [
        (Work("a", item, purpose="gold"), [Judgment(item, "a", "clear", answer=said)])
        for item, said in rows
    ]
    expected = {"g1": {"clear": "3"}, "g2": {"clear": "1"}, "g3": {"other": "5"}}
    (found,) = gold_shares(gold_answers(Collected.of(pieces, [CLEAR], expected)))
    assert (found.right.count, found.right.n, found.items) == (1, 2, 2)


def test_the_qualification_stands_apart() -> None:
    pieces = [
        (Work("a", "g", purpose=purpose), [Judgment("g", "a", "clear", answer=said)])
        for purpose, said in (("gold", "3"), ("qualify", "1"))
    ]
    found = Collected.of(pieces, [CLEAR], {"g": {"clear": "3"}})
    assert [one.right for one in gold_answers(found)] == [True]
    assert [one.right for one in qualifying_answers(found)] == [False]


def test_the_qualification_is_right_as_it_is_graded() -> None:
    pieces = [
        (Work("a", item, purpose="qualify"), [Judgment(item, "a", "clear", answer=said)])
        for item, said in (("q1", "3"), ("q2", "5"), ("q3", "4"))
    ]
    expected = {item: {"clear": "4"} for item in ("q1", "q2", "q3")}
    found = Collected.of(pieces, [CLEAR], expected)
    assert [one.right for one in qualifying_answers(found)] == [False, False, True]
    assert [one.right for one in qualifying_answers(found, within=1)] == [True, True, True]


def test_the_last_attempt_counts_and_what_was_skipped_in_it_is_wrong() -> None:
    skipped = Judgment("q2", "a", "clear", repeat=1, unscored=Unscored("skipped"))
    pieces = [
        (Work("a", "q1", purpose="qualify"), [Judgment("q1", "a", "clear", answer="1")]),
        (Work("a", "q2", purpose="qualify"), [Judgment("q2", "a", "clear", answer="4")]),
        (
            Work("a", "q1", purpose="qualify", repeat=1),
            [Judgment("q1", "a", "clear", answer="4", repeat=1)],
        ),
        (Work("a", "q2", "skipped", "qualify", repeat=1), [skipped]),
        (Work("b", "q1", purpose="qualify"), [Judgment("q1", "b", "clear", answer="1")]),
    ]
    found = Collected.of(pieces, [CLEAR], {"q1": {"clear": "4"}, "q2": {"clear": "4"}})
    said = [(one.rater, one.item, one.answer, one.right) for one in qualifying_answers(found)]
    assert said == [("a", "q1", "4", True), ("a", "q2", "", False), ("b", "q1", "1", False)]


def test_a_careless_rater_is_below_the_least_and_the_interval_says_so() -> None:
    found = collect(Study(crowd(4, odd=Rater(careless=0.9)), items=1, gold=40))
    shares = gold_shares(gold_answers(found), least=0.7)
    assert [one.rater for one in shares if one.sure] == ["odd"]
    assert shares[0].verdict == "below 70%, and so is its whole interval"


def test_a_low_share_of_few_answers_is_said_to_be_unsure() -> None:
    found = GoldShare("a", None, wilson(3, 5), 5, 0.7)
    assert found.below
    assert not found.sure
    assert found.verdict == "below 70%, but the interval reaches 88%"


def test_a_high_share_of_few_answers_says_that_they_are_few() -> None:
    assert GoldShare("a", None, wilson(3, 3), 3, 0.7).verdict == "too few answers to tell"
    assert GoldShare("a", None, wilson(30, 30), 30, 0.7).verdict == ""


def test_shares_by_question_are_those_of_each() -> None:
    found = gold_answers(collect(Study(crowd(2), items=1, gold=12)))
    shares = gold_shares(found, by_question=True)
    assert len(shares) == 4
    assert all(one.right.n == 12 for one in shares)


def test_gold_items_that_most_get_wrong_come_first() -> None:
    pieces = [
        (Work(name, item, purpose="gold"), [Judgment(item, name, "clear", answer=said)])
        for item, said in (("g1", "3"), ("g2", "4"))
        for name in "ab"
    ]
    expected = {"g1": {"clear": "3"}, "g2": {"clear": "1"}}
    found = hard_gold(gold_answers(Collected.of(pieces, [CLEAR], expected)))
    assert [(item, share.estimate) for item, _, _, share in found] == [("g2", 0), ("g1", 1)]
