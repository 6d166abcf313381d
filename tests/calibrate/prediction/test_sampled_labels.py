from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Unscored
from assize.calibrate._data.features import Block, Features
from assize.calibrate._prediction.sampled_labels import features_about, sample_labels


def said(item: str, rater: str, *shares: float) -> Judgment:
    names = (str(place + 1) for place in range(len(shares)))
    distribution = dict(zip(names, shares, strict=True))
    return Judgment(item, f"calibration:{rater}", "Q0", distribution=distribution, signature="s")


def test_every_draw_follows_the_distribution() -> None:
    shares = (0.1, 0.25, 0.6, 0.05)
    predicted = [said(f"i{n}", "ann", *shares) for n in range(4000)]
    rows = list(sample_labels(predicted, 3, np.random.default_rng(0)))
    for number in range(3):
        found = Counter(row.answer for row in rows if row.repeat == number)
        for answer, share in zip("1234", shares, strict=True):
            # 4.5 standard errors of a share of 4,000
            reach = 4.5 * np.sqrt(share * (1 - share) / 4000)
            assert found[answer] / 4000 == pytest.approx(share, abs=reach)


def test_the_draws_of_an_item_are_spread_over_its_distribution() -> None:
    # One draw lies in each quarter of the cumulative probability: 1 | 2 2 | 3.
    for seed in range(20):
        rows = sample_labels([said("i", "ann", 0.25, 0.5, 0.25)], 4, np.random.default_rng(seed))
        assert sorted(str(row.answer) for row in rows) == ["1", "2", "2", "3"]


def test_raters_are_dealt_evenly() -> None:
    predicted = [said("i", name, 0.5, 0.5) for name in ("ann", "bob", "eve")]
    rows = list(sample_labels(predicted, 7, np.random.default_rng(0)))
    assert [row.repeat for row in rows] == list(range(7))
    assert sorted(Counter(row.judge for row in rows).values()) == [2, 2, 3]
    assert {row.judge for row in rows[:3]} == {
        f"calibration:{n}#drawn" for n in ("ann", "bob", "eve")
    }
    assert {(row.kind, row.signature, row.score) for row in rows} == {("evaluator", "s", None)}


def test_one_draw_is_of_a_rater_at_random() -> None:
    predicted = [said(f"i{n}", name, 0.5, 0.5) for n in range(400) for name in ("ann", "bob")]
    rows = list(sample_labels(predicted, 1, np.random.default_rng(0)))
    assert len(rows) == 400
    found = Counter(row.judge for row in rows)
    assert 150 < found["calibration:ann#drawn"] < 250


def test_an_answer_without_probability_is_never_drawn() -> None:
    predicted = [said(f"i{n}", "ann", 0.0, 1.0, 0.0) for n in range(300)]
    assert {row.answer for row in sample_labels(predicted, 5, np.random.default_rng(0))} == {"2"}


def test_an_item_that_was_not_predicted_is_one_unscored_row() -> None:
    missing = Unscored("missing", "no answer")
    lost = [
        Judgment("i", f"calibration:{name}", "Q0", turn=1, unscored=missing) for name in ("a", "b")
    ]
    (row,) = sample_labels(lost, 5, np.random.default_rng(0))
    assert (row.item, row.turn, row.unscored) == ("i", 1, missing)


@pytest.fixture
def features() -> Features:
    block = Block("m", "", "Q0", ("1", "2"), (1.0, 2.0), True)
    units = (("b", None), ("a", 1), ("a", 3), ("z", None))
    return Features(units, (block,), np.arange(8.0).reshape(4, 2))


def test_items_keep_their_order_and_those_without_answers_stay(features: Features) -> None:
    found = features_about(features, ["a", "new", "b"])
    assert found.units == (("a", 1), ("a", 3), ("new", None), ("b", None))
    np.testing.assert_array_equal(found.x, [[2, 3], [4, 5], [np.nan, np.nan], [0, 1]])


def test_items_that_the_answers_are_not_about_are_an_error(features: Features) -> None:
    with pytest.raises(DataError, match=r"about 'b', and not 'c1', for instance"):
        features_about(features, ["c1", "c2"])
    with pytest.raises(DataError, match="no conversation"):
        features_about(features, [])
