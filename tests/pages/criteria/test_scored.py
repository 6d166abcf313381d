"""Scored conversations: their labels, what is uncertain, what stands side by side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.pages.criteria.conftest import GIVEN, rows_of, table

from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.pages.criteria.scored import Scored

PLAIN = replace(GIVEN, labelling=None)


def test_each_conversation_has_its_score_and_its_label() -> None:
    found = Scored.of(table(), GIVEN)
    assert found.items == ["a", "b", "c", "d", "e"]
    np.testing.assert_array_equal(found.nets, [10, 2.5, 0, -7.5, np.nan])
    assert found.labels == ["good", "open", "open", "bad", "unscored"]
    assert found.middle == 0.0


def test_several_judges_are_averaged() -> None:
    rows = [*rows_of("a"), *[replace(row, judge="k") for row in rows_of("a")]]
    rows[0] = replace(rows[0], score=5.0)
    found = Scored.of(JudgmentTable.of(rows, GIVEN.questions), GIVEN)
    assert found.nets.tolist() == [7.5]


def test_those_left_open_come_first_the_nearest_to_the_threshold_before_others() -> None:
    found = Scored.of(table(), GIVEN)
    assert [found.items[at] for at in found.uncertain_first()] == ["c", "b", "d", "a"]


def test_without_a_threshold_the_lowest_come_first() -> None:
    found = Scored.of(table(PLAIN), PLAIN)
    assert (found.middle, found.labels) == (None, None)
    assert [found.items[index] for index in found.uncertain_first()] == ["d", "c", "b", "a"]


def test_the_best_and_the_worst_stand_side_by_side() -> None:
    assert Scored.of(table(), GIVEN).extremes() == (0, 3)


def test_one_scored_conversation_has_nobody_beside_it() -> None:
    rows = JudgmentTable.of(rows_of("a"), GIVEN.questions)
    assert Scored.of(rows, GIVEN).extremes() is None
    none = JudgmentTable.of(rows_of("e"), GIVEN.questions)
    assert Scored.of(none, GIVEN).extremes() is None


def test_judgments_without_netsat_are_told() -> None:
    rows = JudgmentTable.of([Judgment("a", "j", "overall", score=1.0)])
    with pytest.raises(DataError, match="none of the judgments is a NetSAT"):
        Scored.of(rows, GIVEN)


def test_judgments_by_another_set_are_told() -> None:
    rows = JudgmentTable.of(rows_of("a")[:1], GIVEN.questions)
    with pytest.raises(DataError, match=r"about any of the 2 criteria \(helps, again"):
        Scored.of(rows, GIVEN)
