from __future__ import annotations

import math

import numpy as np
from tests.web.monitor.simulated import CLEAR, PART, answers

from assize.base.judgment import Judgment, Unscored
from assize.web._monitor.collected import Collected, Work

ROWS = {("i", "a"): "1", ("i", "b"): "4", ("j", "b"): "2", ("j", "a"): "2", ("k", "b"): "5"}


def test_answers_stand_with_their_rater_and_item() -> None:
    found = answers(ROWS).answered("clear")
    assert found.raters == ("a", "b")
    assert [unit for unit, _ in found.units] == ["i", "j", "k"]
    assert found.value.tolist() == [1, 4, 2, 2, 5]
    assert found.rater.tolist() == [0, 1, 1, 0, 1]
    assert found.ratings.tolist() == [2, 2, 1]


def test_a_matrix_has_the_answers_of_a_unit_in_one_column() -> None:
    found = answers(ROWS).answered("clear").matrix()
    assert found[:, :2].tolist() == [[1, 2], [4, 2]]
    assert found[0, 2] == 5
    assert math.isnan(found[1, 2])


def test_gold_and_what_was_given_back_are_left_out() -> None:
    def said(**more: object) -> tuple[Work, list[Judgment]]:
        work = Work("a", "i", **more)  # type: ignore[arg-type]
        return work, [Judgment("i", "a", "clear", answer="3")]

    pieces = [said(), said(purpose="gold"), said(state="withdrawn")]
    found = Collected.of(pieces, [CLEAR])
    assert len(found.answered("clear")) == 1
    assert len(found.answered("clear", lambda one: one.purpose == "gold")) == 1


def test_what_has_no_value_is_counted_and_not_dropped() -> None:
    skipped = Judgment("j", "a", "clear", unscored=Unscored("skipped", "no idea"))
    pieces = [
        (Work("a", "i"), [Judgment("i", "a", "clear", answer="NA")]),
        (Work("a", "j"), [skipped]),
        (Work("a", "k"), [Judgment("k", "a", "clear", answer="1")]),
    ]
    found = Collected.of(pieces, [CLEAR]).answered("clear")
    assert (len(found), found.not_applicable, found.unscored) == (1, 1, 1)


def test_nominal_answers_are_their_places_and_turns_are_units() -> None:
    rows = [Judgment("i", "a", "part", answer="end", turn=turn) for turn in (1, 3)]
    found = Collected.of([(Work("a", "i"), rows)], [PART]).answered("part")
    assert found.units == (("i", 1), ("i", 3))
    assert found.value.tolist() == [2, 2]
    assert found.items.tolist() == [0, 0]
    assert found.level == "nominal"


def test_a_question_that_nobody_has_answered_has_no_answers() -> None:
    found = answers({}).answered("clear")
    assert len(found) == 0
    assert np.array_equal(found.matrix(), np.zeros((0, 0)))
