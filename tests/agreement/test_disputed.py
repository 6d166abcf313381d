"""Items about which raters disagree."""

from __future__ import annotations

import numpy as np

from assize import Conversation, Turn
from assize.agreement.disputed import DisputedItem, name_answers, order_disputed
from assize.agreement.rater_report import measure_raters, report_raters
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable

CLEAR = Question("clear", "Is it clear?", "ordinal", tuple("12345"), (1, 2, 3, 4, 5))


def table(answers: dict[str, str]) -> JudgmentTable:
    """Answers by item, one for each rater from a on."""
    rows = [
        Judgment(item, rater, "clear", answer=answer, kind="person")
        for item, given in answers.items()
        for rater, answer in zip("abcde", given, strict=False)
    ]
    return JudgmentTable.of(rows, [CLEAR])


def test_the_most_disputed_item_stands_first_with_who_gave_which_answer() -> None:
    disputed = measure_raters(table({"j": "23", "i": "51", "k": "44"})).disputed
    assert [(row.item, row.answers) for row in disputed] == [("i", "b 1, a 5"), ("j", "a 2, b 3")]


def test_an_item_shows_how_it_begins_where_items_are_given() -> None:
    rows = table({"i": "15", "j": "23"})
    (first, second) = report_raters(
        rows, items=[Conversation("i", (Turn("user", "Where is  my order?"),))]
    ).disputed
    assert (first.begins, second.begins) == ("Where is my order?", None)
    assert [row.begins for row in report_raters(rows).disputed] == [None, None]


def test_of_items_as_disputed_the_one_with_more_raters_comes_first() -> None:
    rows = [
        DisputedItem("two", None, "clear", "", 2, 1.304),
        DisputedItem("three", None, "clear", "", 3, 1.302),
        DisputedItem("most", None, "clear", "", 2, 1.5),
    ]
    assert [row.item for row in order_disputed(rows, {})] == ["most", "three", "two"]


def test_the_answers_of_many_raters_are_counted() -> None:
    names = [f"r{number}" for number in range(10)]
    values = np.array([1.0, 5, 5, 5, 5, 5, 5, 5, 5, np.nan])
    assert name_answers(CLEAR, names, values) == "1 × 1, 5 × 8"
    assert name_answers(CLEAR, names[:2], values[:2]) == "r0 1, r1 5"
