"""Levels of agreement between people: nested for metrics, exclusive for judges."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.study.examples import LARGE, column, data_of, ratings, simulated

from assize.reference.study.levels import ONE_RATER, bins_of, levels_of

FIVE = (1.0, 2.0, 3.0, 4.0, 5.0)
ITEMS = (
    [1, 1, 1, 1, 1],  # perfect
    [5, 5, 5, 5, 5],  # perfect
    [2, 2, 2, 2, 3],  # majority, four of five
    [4, 4, 4, 1, 2],  # majority, three of five
    [5, 5, 1, 2, 3],  # plurality, two of five
    [1, 1, 2, 2, 3],  # no mode
)


def test_the_shares_kept_are_nested_by_hand() -> None:
    people = ratings(*ITEMS, answers=FIVE)
    shares = levels_of(people, data_of(people), []).shares
    assert {name: one.estimate * 6 for name, one in shares.items()} == pytest.approx(
        {"plurality": 5, "majority": 4, "perfect": 2}
    )


def test_from_plurality_on_the_target_is_the_mode() -> None:
    people = ratings(*ITEMS, answers=FIVE)
    metric = column([1, 5, 2, 4, 5, 99])  # the mode, where there is one
    (row,) = levels_of(people, data_of(people, metric), [metric]).rows
    assert row.figures["plurality"].estimate == row.figures["majority"].estimate == 1.0
    assert (row.figures["plurality"].n, row.figures["majority"].n) == (5, 4)
    assert row.figures["all"].n == 30
    assert row.means.n == 6
    # two items are too few
    assert row.figures["perfect"].reason == "needs at least 3 rows with both values; there are 2"


def test_the_change_is_against_the_level_before_in_percent() -> None:
    data, _ = simulated()
    people = data.ratings["content"]
    (row,) = levels_of(people, data, [data.columns[0]]).rows
    first, second = (row.figures[name].estimate for name in ("plurality", "majority"))
    assert row.change["majority"] == pytest.approx(100 * (second / first - 1))
    assert list(row.change) == ["plurality", "majority", "perfect"]


def test_a_change_against_nothing_is_nan() -> None:
    people = ratings(*ITEMS, answers=FIVE)
    metric = column([5, 1, 4, 2, 1, 0])
    (row,) = levels_of(people, data_of(people, metric), [metric]).rows
    assert np.isnan(list(row.change.values())).all()


def test_one_rater_leaves_nobody_to_agree_and_says_so() -> None:
    people = ratings([1], [2], [3])
    found = levels_of(people, data_of(people, column([1, 2, 3])), [column([1, 2, 3])])
    assert (found.rows, found.reason) == ([], ONE_RATER)
    assert found.to_json() == {"reason": ONE_RATER}
    assert bins_of(people, data_of(people)) == []


def test_bins_are_exclusive_and_people_have_their_share_of_votes() -> None:
    people = ratings(*ITEMS, answers=FIVE)
    found = {one.level: one for one in bins_of(people, data_of(people))}
    assert {name: one.n for name, one in found.items()} == {
        "plurality": 1,
        "majority": 2,
        "perfect": 2,
        "any": 5,
    }
    assert found["plurality"].people.estimate == pytest.approx(0.4)
    assert found["majority"].people.estimate == pytest.approx(0.7)
    assert found["perfect"].people.estimate == 1.0
    assert found["majority"].counts == {(3, 5): 1, (4, 5): 1}
    assert found["plurality"].others is None
    assert found["any"].others is not None


def test_a_likert_judge_is_right_where_it_says_the_mode() -> None:
    people = ratings(*ITEMS, answers=FIVE)
    judge = column([1, 1, 2, 4, 5, 1], "ordinal", FIVE)
    found = {one.level: one.judges["metric"] for one in bins_of(people, data_of(people, judge))}
    assert found["perfect"].right.estimate == pytest.approx(1 / 2)
    assert found["majority"].right.estimate == 1.0
    assert found["any"].right.estimate == pytest.approx(4 / 5)
    # modes 1 2 4 have all right, of the two 5s one is
    assert found["any"].balanced.estimate == pytest.approx((1 + 1 + 1 + 0.5) / 4)


def test_yes_means_above_the_middle_of_the_scale() -> None:
    people = ratings([3, 3, 3], [4, 4, 4], [1, 1, 1], answers=FIVE)
    judge = column([0, 1, 1], "binary", (0, 1))
    found = {one.level: one.judges["metric"] for one in bins_of(people, data_of(people, judge))}
    assert found["perfect"].right.estimate == pytest.approx(2 / 3)


def test_a_judge_on_another_scale_is_unscored() -> None:
    people = ratings([1, 1, 5], [5, 5, 1], [5, 5, 5], answers=(1.0, 5.0))
    judge = column([0, 0.5, 1], "ordinal", (0.0, 0.5, 1.01))
    found = bins_of(people, data_of(people, judge))[-1].judges["metric"]
    assert found.right.reason == "its answers are not those of the raters"


def test_the_levels_of_simulated_raters_are_as_often_as_they_must_be() -> None:
    data, made = simulated(conversations=LARGE)
    for target, known in made.known.items():
        shares = levels_of(data.ratings[target], data, []).shares
        each = {
            name: np.mean([levels[name] for levels in known.levels.values()])
            for name in ("perfect", "majority", "plurality")
        }
        nested = {
            "perfect": each["perfect"],
            "majority": each["perfect"] + each["majority"],
            "plurality": sum(each.values()),
        }
        for name, share in nested.items():
            assert shares[name].estimate == pytest.approx(share, abs=0.02), (target, name)


def test_people_in_a_bin_are_as_right_as_they_must_be() -> None:
    data, made = simulated(conversations=LARGE)
    for target, known in made.known.items():
        found = {one.level: one for one in bins_of(data.ratings[target], data)}
        for level, share in known.people.items():
            assert found[level].people.estimate == pytest.approx(share, abs=0.02), (target, level)
