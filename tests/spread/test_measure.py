"""Densities, shares and figures of groups; bands that cover; versions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from tests.spread.simulated import LIKERT, of_answers, of_chances, of_scores
from tests.web.dashboard.project import conversations, predictions, table

from assize.base.errors import ConfigError
from assize.spread import Ratings, Resampling, SpreadOptions, measure_spread, spread
from assize.spread.density import kernel, kernel_width, make_grid
from assize.spread.groups import ALL


def test_a_mean_is_that_of_the_numbers(ratings: Ratings) -> None:
    row = measure_spread(ratings).means[0]
    told = [one.score for one in predictions() if one.question == "Q0" and one.score is not None]
    assert (row.question, row.group, row.n, row.unscored) == ("Q0", ALL, 60, 0)
    assert row.mean.estimate == pytest.approx(np.mean(told))
    assert row.mean.interval[0] < row.mean.estimate < row.mean.interval[1]


def test_each_value_of_a_field_is_a_group_and_a_filter_keeps_one(ratings: Ratings) -> None:
    by = SpreadOptions(by="system", where="metadata.topic:plots", questions=["Q0"])
    rows = measure_spread(ratings, by).means
    assert [(row.group, row.n) for row in rows] == [("new", 10), ("old", 10)]
    turned = SpreadOptions(by="system", first="old", questions=["Q0"])
    assert [row.group for row in measure_spread(ratings, turned).means] == ["old", "new"]
    with pytest.raises(ConfigError, match="system is never 'x'"):
        measure_spread(ratings, SpreadOptions(by="system", first="x"))
    with pytest.raises(ConfigError, match="nobody here is called 'x'"):
        measure_spread(ratings, SpreadOptions(raters=["x"]))


def test_kept_apart_every_answer_counts(ratings: Ratings) -> None:
    result = measure_spread(ratings, SpreadOptions(apart=True, questions=["Q0"]))
    assert result.means[0].n == 360


def test_the_six_largest_groups_are_told_apart_and_the_others_named() -> None:
    systems = [
        name for name, n in zip("abcdefgh", (1, 9, 8, 7, 2, 6, 5, 4), strict=True) for _ in range(n)
    ]
    scores = np.random.default_rng(0).uniform(1, 4, (len(systems), 3))
    result = measure_spread(of_scores(scores, systems=systems), SpreadOptions(by="system"))
    assert [row.group for row in result.means] == list("bcdfgh")
    assert result.notes[-1] == "six groups are the most; left out: a, e"


def test_a_rater_who_is_not_predicted_is_looked_at_alone_when_named(ratings: Ratings) -> None:
    options = SpreadOptions(raters=["io@m"], questions=["Q1"])
    (row,) = measure_spread(ratings, options).means
    assert row.n == 60  # nobody of those named answered: the usual raters did
    assert measure_spread(ratings, SpreadOptions(raters=["rater 1"])).distributions[0].raters == (
        "calibration:rater 1"
    )


def test_few_numbers_have_a_share_each_and_many_a_density() -> None:
    few = measure_spread(of_scores(np.array([[1.0], [1.0], [2.0], [4.0]]), LIKERT))
    shares = {row.answer: row.share.estimate for row in few.shares}
    assert shares == {"1": 0.5, "2": 0.25, "4": 0.25}
    many = measure_spread(of_scores(np.random.default_rng(0).uniform(1, 4, (40, 2))))
    assert not many.shares
    assert list(many.distributions[0].curves) == [ALL]


@pytest.mark.parametrize(
    ("apart", "shares"), [(False, [0.5, 1 / 6, 1 / 3]), (True, [0.4, 0.2, 0.4])]
)
def test_shares_of_nominal_answers_count_each_conversation_once(
    apart: bool, shares: list[float]
) -> None:
    rated = of_answers([["a", "b"], ["a", None], ["c", "c"]])
    rows = measure_spread(rated, SpreadOptions(apart=apart)).shares
    assert [row.share.estimate for row in rows] == pytest.approx(shares)
    assert rows[2].answer == "c: the last"


def test_a_question_that_no_conversation_of_a_group_has_is_no_number(ratings: Ratings) -> None:
    options = SpreadOptions(where="metadata.topic:fees", questions=["D1"])
    (row,) = measure_spread(ratings, options).means
    assert (row.n, row.mean.reason) == (0, "no values")


def test_the_same_seed_gives_the_same_figures_and_another_others() -> None:
    scored = of_scores(np.random.default_rng(0).uniform(1, 4, (40, 4)))
    one, again, other = (
        measure_spread(scored, SpreadOptions(resampling=Resampling(replicates=20, seed=seed)))
        for seed in (0, 0, 1)
    )
    assert str(one) == str(again) != str(other)


def test_versions_with_the_same_prompts_are_compared_as_pairs() -> None:
    """The second is the first plus 0.5, whoever rates: the difference hardly varies."""
    first = np.random.default_rng(4).uniform(1, 3, (20, 4))
    scores = np.empty((40, 4))
    scores[::2], scores[1::2] = first, first + 0.5
    result = measure_spread(
        of_scores(scores, systems=["old", "new"] * 20), SpreadOptions(by="system", first="old")
    )
    difference: Any = result.means[1].difference
    assert difference.estimate == pytest.approx(0.5)
    assert difference.interval == pytest.approx((0.5, 0.5), abs=1e-5)
    assert difference.n == 20
    assert result.means[1].verdict == "higher"
    assert result.fallen == []


@pytest.mark.parametrize("seed", range(3))
def test_the_ten_that_fell_furthest_are_the_first_of_all_falls_in_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.uniform(2, 4, (40, 1))
    scores[1::2] = scores[::2] - rng.uniform(0, 1, (20, 1))  # all 20 fall
    options = SpreadOptions(by="system", first="old")
    result = measure_spread(of_scores(scores, systems=["old", "new"] * 20), options)
    changes = scores[1::2, 0] - scores[::2, 0]
    expected = [(f"i{2 * pair + 1}", f"i{2 * pair}") for pair in np.argsort(changes)[:10].tolist()]
    assert [(row.item, row.pair) for row in result.fallen] == expected
    assert [row.change for row in result.fallen] == pytest.approx(np.sort(changes)[:10])


def test_without_pairs_the_difference_is_that_of_the_means() -> None:
    rng = np.random.default_rng(0)
    scored = of_scores(rng.uniform(1, 4, (40, 3)), systems=["a"] * 20 + ["b"] * 20)
    first: Any
    second: Any
    first, second = measure_spread(scored, SpreadOptions(by="system")).means
    assert second.difference.estimate == pytest.approx(second.mean.estimate - first.mean.estimate)


def coverage(simulations: int, items: int, raters: int, *, drawing: bool) -> float:
    """Share of points at which 95% bands hold the density that they are bands of.

    Conversations have a quality, raters a leniency; the density is that of qualities, smoothed
    by the same kernel. With `drawing` raters' answers are drawn from predictions.
    """
    hits = []
    for seed in range(simulations):
        rng = np.random.default_rng(seed)
        quality = rng.normal(2.5, 0.4, items)
        expected = (quality[:, None] + rng.normal(0, 0.15, raters)).clip(1.01, 3.99)
        deviation, scored = 0.4, of_scores(expected)
        step = 0.0
        if drawing:
            low = np.floor(expected)
            up = expected - low
            p = np.zeros((items, raters, 4))
            np.put_along_axis(p, (low - 1).astype(int)[..., None], (1 - up)[..., None], 2)
            np.put_along_axis(p, low.astype(int)[..., None], up[..., None], 2)
            scored, step = of_chances(p), 1 / raters
            deviation = float(np.hypot(0.4, np.sqrt((up * (1 - up)).mean() / raters)))
        how = Resampling(replicates=100, seed=seed)
        (shown,) = measure_spread(scored, SpreadOptions(resampling=how)).distributions
        (band,) = shown.curves.values()
        numbers = expected.mean(axis=1)
        grid = make_grid(scored.question("q"), numbers)
        weights = kernel(grid, kernel_width(numbers, grid, step))
        mass = np.diff(norm.cdf(np.r_[grid.centres, grid.high + grid.step], 2.5, deviation))
        truth = (mass / mass.sum()) @ weights
        hits.append(((band[1] <= truth) & (truth <= band[2]))[40:161].mean())
    return float(np.mean(hits))


def test_bands_cover_the_true_density_at_about_the_nominal_rate() -> None:
    assert 0.9 <= coverage(12, 120, 12, drawing=False) <= 0.99


@pytest.mark.nightly("160 bootstraps")
def test_bands_cover_also_where_answers_are_drawn() -> None:
    assert 0.9 <= coverage(100, 200, 24, drawing=False) <= 0.985
    assert 0.88 <= coverage(60, 200, 24, drawing=True) <= 0.99


def test_the_function_reads_judgments_and_items() -> None:
    result = spread(
        table(), items=conversations(), options=SpreadOptions(by="system", questions=["Q0"])
    )
    assert [row.group for row in result.means] == ["new", "old"]
    assert result.means[1].verdict == "worse"
    assert result.signature
