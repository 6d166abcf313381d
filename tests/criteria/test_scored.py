"""Scored conversations: their labels, what is uncertain, what stands side by side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.pages.criteria.conftest import GIVEN, rows_of, table

from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.criteria._criterion import Labelling
from assize.criteria._scored import Scored, WindowCounts, label_scores
from assize.formats.labels import Labels
from assize.judgments import JudgmentTable

PEOPLE = Labels("made", {"a": True, "b": False, "c": True, "d": False})
PLAIN = replace(GIVEN, labelling=None)


def test_each_conversation_has_its_score_and_its_label() -> None:
    found = Scored.of(table(), GIVEN, PEOPLE)
    assert found.items == ["a", "b", "c", "d", "e"]
    np.testing.assert_array_equal(found.nets, [10, 2.5, 0, -7.5, np.nan])
    assert found.labels == ["good", "open", "open", "bad", "unscored"]
    assert found.good == [True, False, True, False, None]
    assert found.middle == 0.0


def test_several_judges_are_averaged() -> None:
    rows = [*rows_of("a"), *[replace(row, judge="k") for row in rows_of("a")]]
    rows[0] = replace(rows[0], score=5.0)
    found = Scored.of(JudgmentTable.of(rows, GIVEN.questions), GIVEN, None)
    assert found.nets.tolist() == [7.5]


def test_those_left_open_come_first_the_nearest_to_the_threshold_before_others() -> None:
    found = Scored.of(table(), GIVEN, None)
    assert [found.items[at] for at in found.uncertain_first()] == ["c", "b", "d", "a"]


def test_without_a_window_the_midpoint_of_people_s_classes_is_the_threshold() -> None:
    found = Scored.of(table(PLAIN), PLAIN, PEOPLE)
    assert found.labels is None
    # good: (10 + 0) / 2 = 5; bad: (2.5 - 7.5) / 2 = -2.5; between them 1.25
    assert found.middle == 1.25
    assert [found.items[at] for at in found.uncertain_first()] == ["b", "c", "a", "d"]


def test_without_any_threshold_the_lowest_come_first() -> None:
    for labels in (None, Labels("one", {"a": True, "b": True})):
        found = Scored.of(table(PLAIN), PLAIN, labels)
        assert found.middle is None
        assert [found.items[at] for at in found.uncertain_first()] == ["d", "c", "b", "a"]


def test_the_best_and_the_worst_stand_side_by_side() -> None:
    assert Scored.of(table(), GIVEN, None).pair(None) == (0, 3)
    turned = Labels("made", {"a": False, "b": False, "c": True, "d": True})
    assert Scored.of(table(), GIVEN, turned).pair(None) == (2, 1)  # of those people call so


def test_two_named_conversations_stand_in_the_order_given() -> None:
    found = Scored.of(table(), GIVEN, None)
    assert found.pair(["d", "b"]) == (3, 1)
    for wrong, problem in ((["a"], "name two"), (["a", "a"], "name two"), (["a", "z"], "'z'")):
        with pytest.raises(DataError, match=problem):
            found.pair(wrong)


def test_one_scored_conversation_has_nobody_beside_it() -> None:
    rows = JudgmentTable.of(rows_of("a"), GIVEN.questions)
    assert Scored.of(rows, GIVEN, None).pair(None) is None
    none = JudgmentTable.of(rows_of("e"), GIVEN.questions)
    assert Scored.of(none, GIVEN, None).pair(None) is None


def test_judgments_without_netsat_are_told() -> None:
    rows = JudgmentTable.of([Judgment("a", "j", "overall", score=1.0)])
    with pytest.raises(DataError, match="none of the judgments is a NetSAT"):
        Scored.of(rows, GIVEN, None)


def test_judgments_by_another_set_are_told() -> None:
    rows = JudgmentTable.of(rows_of("a")[:1], GIVEN.questions)
    with pytest.raises(DataError, match=r"about any of the 2 criteria \(helps, again"):
        Scored.of(rows, GIVEN, None)


def test_the_window_is_counted_against_people_s_labels() -> None:
    found = Scored.of(table(), GIVEN, PEOPLE)
    assert found.window_counts() == [
        WindowCounts("people say good", 1, 1, 0, 0),
        WindowCounts("people say bad", 0, 1, 1, 0),
        WindowCounts("no label", 0, 0, 0, 1),
    ]
    # The window labels a (good) and d (bad), both rightly; of a, b, c and d the threshold, which
    # c lies on, calls b good and c bad.
    counts = [(share.count, share.n) for share in found.shares_right(0.0)]
    assert counts == [(2, 4), (2, 2), (2, 4)]


def test_a_score_is_labelled_by_the_window() -> None:
    nets = np.array([-5.0, -2.0, 0.0, 5.0, np.nan])
    found = label_scores(nets, Labelling(0.0, low=-2.0, high=2.0))
    assert found == ["bad", "bad", "open", "good", "unscored"]
