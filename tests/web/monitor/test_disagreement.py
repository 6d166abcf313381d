from __future__ import annotations

import pytest
from tests.web.monitor.simulated import PART, answers

from assize.base.judgment import Question
from assize.web._monitor.agreement import agreement
from assize.web._monitor.disagreement import disputed

ROWS = {
    ("i", "a"): "1",
    ("i", "b"): "5",
    ("j", "a"): "3",
    ("j", "b"): "4",
    ("k", "a"): "2",
    ("k", "b"): "2",
    ("l", "a"): "1",
}


def test_the_most_disputed_come_first_and_those_in_agreement_are_left_out() -> None:
    found = disputed(answers(ROWS).answered("clear"))
    assert [(one.item, dict(one.answers)) for one in found] == [
        ("i", {"1": 1, "5": 1}),
        ("j", {"3": 1, "4": 1}),
    ]
    assert found[0].disagreement > found[1].disagreement > 0


def test_the_disagreement_of_all_items_is_what_alpha_lacks() -> None:
    asked = answers(ROWS).answered("clear")
    total = sum(one.disagreement * one.raters for one in disputed(asked))
    assert 1 - total / 6 == pytest.approx(agreement(asked).alpha.estimate)


def test_names_are_apart_or_not() -> None:
    rows = {("i", "a"): "start", ("i", "b"): "end", ("j", "a"): "middle", ("j", "b"): "end"}
    found = disputed(answers(rows, PART).answered("part"))
    assert found[0].disagreement == found[1].disagreement == pytest.approx(6 / 5)


def test_numbers_are_shown_as_they_are() -> None:
    asked = Question("n", kind="number", range=(0, 9))
    (found,) = disputed(answers({("i", "a"): "2.5", ("i", "b"): "7"}, asked).answered("n"))
    assert found.answers == {"2.5": 1, "7": 1}


def test_without_answers_nothing_is_disputed() -> None:
    assert disputed(answers({}).answered("clear")) == []
