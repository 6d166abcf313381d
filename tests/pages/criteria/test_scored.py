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


def test_each_conversation_has_its_score_its_label_and_its_place() -> None:
    """Those left open come first, the nearest to the threshold before others."""
    found = Scored.of(table(), GIVEN)
    assert found.items == ["a", "b", "c", "d", "e"]
    np.testing.assert_array_equal(found.nets, [10, 2.5, 0, -7.5, np.nan])
    assert found.labels == ["good", "open", "open", "bad", "unscored"]
    assert found.middle == 0.0
    assert [found.items[at] for at in found.uncertain_first()] == ["c", "b", "d", "a"]
    assert found.extremes() == (0, 3)


def test_several_judges_are_averaged() -> None:
    rows = [*rows_of("a"), *[replace(row, judge="k") for row in rows_of("a")]]
    rows[0] = replace(rows[0], score=5.0)
    found = Scored.of(JudgmentTable.of(rows, GIVEN.questions), GIVEN)
    assert found.nets.tolist() == [7.5]


def test_without_a_threshold_the_lowest_come_first() -> None:
    found = Scored.of(table(PLAIN), PLAIN)
    assert (found.middle, found.labels) == (None, None)
    assert [found.items[index] for index in found.uncertain_first()] == ["d", "c", "b", "a"]


@pytest.mark.parametrize("item", ["a", "e"], ids=["one is scored", "none is"])
def test_one_scored_conversation_has_nobody_beside_it(item: str) -> None:
    rows = JudgmentTable.of(rows_of(item), GIVEN.questions)
    assert Scored.of(rows, GIVEN).extremes() is None


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([Judgment("a", "j", "overall", score=1.0)], "none of the judgments is a NetSAT"),
        (rows_of("a")[:1], r"about any of the 2 criteria \(helps, again"),
    ],
)
def test_judgments_without_netsat_or_by_another_set_are_told(
    rows: list[Judgment], told: str
) -> None:
    with pytest.raises(DataError, match=told):
        Scored.of(JudgmentTable.of(rows, GIVEN.questions), GIVEN)
