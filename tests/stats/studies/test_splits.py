"""Who is held out when."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stats.studies.conftest import DATA, ITEMS, mean, own_seed, told

from assize.base.errors import ConfigError, DataError
from assize.results import to_json
from assize.stats._studies import Folds, cross_fit, dealt, drawn, folds_of, one_out, predictions
from assize.stats._studies.splits import TEST, dealt_in_classes

LABELS = st.lists(st.sampled_from("abcdef"), min_size=12, max_size=40)


@given(LABELS, st.integers(2, 3), st.booleans())
def test_a_group_is_in_one_fold_and_folds_are_even(
    groups: list[str], count: int, shuffled: bool
) -> None:
    if len(set(groups)) < count:
        return
    found = dealt(groups, count, np.random.default_rng(0) if shuffled else None)
    fold_of = dict(zip(groups, found.tolist(), strict=True))
    assert [fold_of[group] for group in groups] == found.tolist()
    sizes = np.bincount(list(fold_of.values()), minlength=count)
    assert sizes.max() - sizes.min() <= 1


@given(LABELS)
def test_new_names_for_the_groups_change_no_fold(groups: list[str]) -> None:
    if len(set(groups)) < 2:
        return
    others = [{"a": "z", "b": "x"}.get(group, group * 2) for group in groups]
    one, two = (dealt(labels, 2, np.random.default_rng(7)) for labels in (groups, others))
    assert one.tolist() == two.tolist()


def test_groups_are_dealt_as_the_published_figures_were() -> None:
    # The dealing by hand: a permutation of the groups in order of appearance, modulo the folds.
    place = np.random.default_rng(3).permutation(4) % 2  # b, a, d, c
    found = dealt(["b", "a", "b", "d", "c"], 2, np.random.default_rng(3))
    assert found.tolist() == place[[0, 1, 0, 2, 3]].tolist()
    assert dealt(np.array([5, 1, 9, 5]), 2).tolist() == [1, 0, 0, 1]  # in turn: 1, 5, 9


def test_one_out_has_a_fold_a_group_and_more_folds_than_groups_are_refused() -> None:
    assert one_out(["x", "y", "x", "z"]).tolist() == [0, 1, 0, 2]
    rng = np.random.default_rng(0)
    with pytest.raises(DataError, match="3 folds of 2 items or groups"):
        dealt(["a", "b"], 3, rng)
    with pytest.raises(DataError, match="3 folds of 2 groups"):
        dealt_in_classes("aabb", [0, 0, 1, 1], 3, rng)


def test_a_share_is_drawn_by_id_alone() -> None:
    names = [f"p{number}" for number in range(4000)]
    found = {name for name in names if drawn(name, 0.25, "x 0")}
    assert 0.22 < len(found) / len(names) < 0.28
    assert found == {name for name in reversed(names) if drawn(name, 0.25, "x 0")}
    assert found < {name for name in names if drawn(name, 0.5, "x 0")}
    assert found != {name for name in names if drawn(name, 0.25, "x 1")}
    # The hash of this salt and p1 is 0x9b12... / 2 ** 64 = 0.606.
    assert (drawn("p1", 0.61, "escalate 0"), drawn("p1", 0.60, "escalate 0")) == (True, False)
    chosen = [number for number in range(8) if drawn(f"p{number}", 0.5, "escalate 0")]
    assert chosen == [2, 3, 4, 6]


@given(st.integers(2, 4), st.integers(1, 3), st.booleans())
def test_every_row_is_held_once_a_seed_by_what_saw_no_row_of_its_item(
    count: int, seeds: int, tested: bool
) -> None:
    items = np.arange(40) // 3
    test = np.isin(items, [3, 7]) if tested else None
    folds = folds_of(items, folds=count, seeds=seeds, test=test)
    splits = list(folds.splits())
    assert len(splits) == seeds * (count + tested)
    for _, fitted, held in splits:
        assert not set(items[fitted]) & set(items[held])
        assert not folds.test[fitted].any()
    for seed in folds.seeds:
        once = np.concatenate([one.held for one in splits if one.seed == seed])
        assert sorted(once) == list(range(40))


def test_the_test_set_is_predicted_from_all_else() -> None:
    items = list("aabbccddef")
    test = np.array([item == "b" for item in items])
    folds = folds_of(items, folds=2, seeds=1, test=test)
    (last,) = [one for one in folds.splits() if folds.test[one.held].any()]
    assert last.held.tolist() == [2, 3]
    assert last.fitted.tolist() == [0, 1, 4, 5, 6, 7, 8, 9]
    assert set(np.unique(folds.fold)) == {TEST, 0, 1}


def test_a_group_is_held_out_together_and_items_without_one_as_one_more() -> None:
    items = [f"i{number}" for number in range(20)]
    groups = [None if number % 5 == 4 else f"t{number % 5}" for number in range(20)]
    folds = folds_of(items, folds=3, seeds=2, groups=groups, by="topic")
    for fold in folds.fold:
        assert all(len(set(fold[[g == one for g in groups]])) == 1 for one in set(groups))
    assert str(folds) == "3 folds by topic, 5 groups"
    assert to_json(folds) == {
        "seeds": [0, 1],
        "by": "topic",
        "leave_out": False,
        "groups": 5,
        "ungrouped": 4,
    }
    assert "by" not in to_json(folds_of(items, folds=3))


def test_one_group_at_a_time_is_left_out_alike_for_every_seed() -> None:
    groups = ["x", "y", "z"] * 3
    folds = folds_of(range(9), seeds=2, groups=groups, by="bot", leave_out=True)
    assert (folds.fold[0] == folds.fold[1]).all()
    assert (len(folds), folds.count) == (9, 3)
    assert str(folds) == "one of 3 groups by bot left out at a time"


def test_what_may_not_be_used_is_neither_fitted_nor_asked() -> None:
    folds = folds_of(range(12), folds=3, seeds=1)
    even = np.arange(12) % 2 == 0
    for _, fitted, held in folds.splits(even, ~even):
        assert even[fitted].all()
        assert not even[held].any()
    none = list(folds.splits(ask=np.zeros(12, dtype=bool)))
    assert none == []
    assert np.isnan(folds.gathered(none, [])).all()


def test_what_is_gathered_stands_where_it_was_held() -> None:
    folds = Folds(np.array([[0, 1, 0], [1, 1, 0]]), (4, 9))
    splits = list(folds.splits())
    found = folds.gathered(splits, [np.asarray(10.0 * one.seed + one.held) for one in splits])
    assert found.tolist() == [[40, 41, 42], [90, 91, 92]]
    assert folds.of(9).tolist() == [1, 1, 0]
    some = list(folds.splits(ask=np.array([True, False, True])))
    asked = folds.gathered(some, [np.ones((len(one.held), 2)) for one in some])
    assert np.isnan(asked[:, 1]).all()
    assert (asked[:, [0, 2]] == 1).all()


@pytest.mark.parametrize(
    ("items", "arguments", "message"),
    [
        ("abc", {}, "3 rated items are too few for 5 folds; 10 are needed"),
        ("abcd", {"folds": 3}, "take 2 at most"),
        (range(30), {"seeds": 0}, "two folds and a seed"),
        (
            range(30),
            {"groups": ["0", "1"] * 15, "by": "topic"},
            r"2 groups by topic \(0, 1\); needed are 5, one a fold",
        ),
        (
            range(30),
            {"groups": ["x"] * 30, "by": "bot", "leave_out": True},
            r"1 groups by bot \(x\); needed are 2, so that one can be",
        ),
        (range(30), {"leave_out": True}, "left out of groups: give them"),
    ],
)
def test_too_little_to_split_is_refused(
    items: Any, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises((ConfigError, DataError), match=message):
        folds_of(items, **arguments)


def test_each_row_is_predicted_by_the_mean_of_the_other_folds() -> None:
    folds = folds_of(ITEMS, folds=4, seeds=2)
    found = cross_fit(mean, DATA, folds)
    assert found.shape == (2, 200)
    for place, fold in enumerate(folds.fold):
        for one in range(4):
            assert found[place, fold == one] == pytest.approx(DATA[fold != one, 1].mean())


def test_every_seed_reaches_the_method() -> None:
    found = cross_fit(own_seed, DATA, folds_of(ITEMS, seeds=3))
    assert (found == np.arange(3)[:, None]).all()


def test_probabilities_keep_their_width_and_gaps_are_nan() -> None:
    def shares(data: Any, rows: Any, seed: int) -> Any:
        return lambda data, rows: np.tile([0.25, 0.75], (len(rows), 1))

    asked = np.arange(200) % 2 == 0
    found = cross_fit(shares, DATA, folds_of(ITEMS, seeds=1), ask=asked)
    assert found.shape == (1, 200, 2)
    assert (found[0, asked] == [0.25, 0.75]).all()
    assert np.isnan(found[0, ~asked]).all()


def test_predictions_come_split_by_split_and_no_sooner_than_asked() -> None:
    fits = []

    def counting(data: Any, rows: Any, seed: int) -> Any:
        fits.append(len(rows))
        return told(0, 0)

    found = predictions(counting, DATA, folds_of(ITEMS, folds=4, seeds=1).splits())
    assert fits == []
    assert len(next(found)) == 50
    assert fits == [150]


def test_groups_of_one_row_deal_each_class_evenly() -> None:
    classes = ["good"] * 23 + ["bad"] * 9
    fold = dealt_in_classes(classes, list(range(32)), 5, np.random.default_rng(0))
    for part in (fold[:23], fold[23:]):
        counts = np.bincount(part, minlength=5)
        assert counts.max() - counts.min() <= 1


def test_groups_stay_together_and_classes_are_as_even_as_they_allow() -> None:
    rng = np.random.default_rng(1)
    groups = rng.integers(0, 60, 400)
    classes = np.where((groups % 4 == 0) | (rng.random(400) < 0.1), "bad", "good")
    fold = dealt_in_classes(classes.tolist(), groups.tolist(), 5, np.random.default_rng(2))
    assert all(len(set(fold[groups == one])) == 1 for one in set(groups.tolist()))
    shares = [np.mean(classes[fold == one] == "bad") for one in range(5)]
    assert max(shares) - min(shares) < 0.05  # by chance alone it is 0.2
    assert np.bincount(fold).min() > 70
