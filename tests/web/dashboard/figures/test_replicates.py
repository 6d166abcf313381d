"""Replicates draw what they say, with the right chances."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.web.dashboard.simulated import view_of_answers, view_of_chances, view_of_scores

from assize.web._dashboard.figures.densities import CELLS, Grid, counted
from assize.web._dashboard.figures.panels import aggregated, panel_of
from assize.web._dashboard.figures.replicates import (
    Within,
    counts_apart,
    counts_together,
    drawn_counts,
    drawn_means,
    drawn_pairs,
    drawn_quantiles,
    drawn_shares,
    group_means,
)
from assize.web._dashboard.figures.resampling import Drawing, Resampler
from assize.web._dashboard.prepared.view import View

SCALE = Grid(1.0, 4.0)
NAN = float("nan")


def drawn(
    view: View, sources: tuple[str, ...], count: int = 20, seed: int = 0, **how: bool
) -> NDArray[np.float64]:
    """(B, CELLS) counts of replicates over all raters, in one group."""
    code = np.zeros(view.size, dtype=int)
    return counted_anew(view, code, 1, Drawing(sources, count), seed, **how)[:, 0]


def counted_anew(
    view: View,
    code: NDArray[np.integer],
    groups: int,
    how: Drawing,
    seed: int = 0,
    disaggregated: bool = False,
) -> NDArray[np.float64]:
    """(B, S, CELLS) counts of replicates over all raters."""
    cells, panel = view.cells("q"), panel_of(view, "")
    draws = Resampler(cells, panel, view.size, how, np.random.default_rng(seed))
    if disaggregated:
        return counts_apart(draws, SCALE, code, groups)
    return counts_together(draws, SCALE, code, groups)


def test_with_nothing_drawn_every_replicate_is_the_observed_counts(tmp_path: Path) -> None:
    view = view_of_scores(tmp_path / "v", np.array([[1.0, 2.0], [NAN, 4.0], [3.0, NAN]]))
    means = np.array([1.5, 4.0, 3.0])
    assert (drawn(view, ()) == counted(SCALE, means, np.zeros(3, dtype=int), 1)).all()
    every = np.array([1.0, 3.0, 2.0, 4.0])
    apart = drawn(view, (), disaggregated=True)
    assert (apart == counted(SCALE, every, np.zeros(4, dtype=int), 1)).all()


def test_as_many_conversations_are_drawn_as_there_are(tmp_path: Path) -> None:
    view = view_of_scores(tmp_path / "v", np.random.default_rng(0).uniform(1, 4, (30, 3)))
    assert (drawn(view, ("conversations",)).sum(axis=1) == 30).all()
    assert (drawn(view, ("conversations",), disaggregated=True).sum(axis=1) == 90).all()


def test_conversations_are_drawn_with_all_their_raters(tmp_path: Path) -> None:
    """Each conversation has one number from all raters: its counts come in threes."""
    scores = np.repeat(np.linspace(1, 4, 10)[:, None], 3, axis=1)
    view = view_of_scores(tmp_path / "v", scores)
    assert (drawn(view, ("conversations",), disaggregated=True) % 3 == 0).all()


def test_a_rater_drawn_twice_counts_twice(tmp_path: Path) -> None:
    """Two raters, who say 1 and 4: a replicate's mean is 1, 2.5 or 4, with 1/4, 1/2, 1/4."""
    view = view_of_scores(tmp_path / "v", np.array([[1.0, 4.0]] * 5))
    found = drawn(view, ("raters",), 4_000).argmax(axis=1)
    shares = np.bincount(found, minlength=CELLS)[[0, (CELLS - 1) // 2, CELLS - 1]] / 4_000
    assert shares == pytest.approx([0.25, 0.5, 0.25], abs=0.03)


def test_answers_are_drawn_with_their_chances(tmp_path: Path) -> None:
    """Two raters with P(2) = 0.3 and 0.6: the mean is 1, 1.5, 2 with 0.28, 0.54, 0.18."""
    p = np.tile(np.array([[0.7, 0.3], [0.4, 0.6]]), (20_000 // 50, 1, 1))
    view = view_of_chances(tmp_path / "v", p)
    found = drawn(view, ("answers",), 50)
    at = SCALE.places(np.array([1.0, 1.5, 2.0]))
    shares = found[:, at].sum(axis=0) / found.sum()
    assert shares.sum() == pytest.approx(1.0)
    assert shares == pytest.approx([0.28, 0.54, 0.18], abs=4 * 0.5 / np.sqrt(20_000))


def test_answers_of_uneven_values_and_of_some_raters_only_are_drawn_alike(tmp_path: Path) -> None:
    """The same chances by both ways of summing: whole raters of even values, and all others."""
    rng = np.random.default_rng(1)
    p = rng.dirichlet(np.ones(4), (300, 5))
    whole = view_of_chances(tmp_path / "whole", p)
    quick = drawn(whole, ("answers",), 200)
    code = np.where(np.arange(300) < 299, 0, -1)
    slow = counted_anew(whole, code, 1, Drawing(("answers",), 200), 5)[:, 0]
    means = [one @ SCALE.centres / one.sum() for one in (quick.sum(axis=0), slow.sum(axis=0))]
    assert means[0] == pytest.approx(means[1], abs=0.02)
    spread = [one.sum(axis=0)[:: CELLS // 8].cumsum() / one.sum() for one in (quick, slow)]
    assert spread[0] == pytest.approx(spread[1], abs=0.02)


def test_without_the_source_answers_stay_what_is_expected(tmp_path: Path) -> None:
    view = view_of_chances(tmp_path / "v", np.full((10, 3, 4), 0.25))
    found = drawn(view, ("raters",))
    assert (found[:, SCALE.places(np.array([2.5]))[0]] == 10).all()


def test_the_mean_of_drawn_answers_is_the_mean_of_the_expected(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    view = view_of_chances(tmp_path / "v", rng.dirichlet(np.ones(4), (200, 6)))
    expected = aggregated(view.cells("q"), panel_of(view, ""), 200).mean()
    found = drawn(view, ("answers",), 300)
    assert (found @ SCALE.centres / 200).mean() == pytest.approx(expected, abs=0.01)


def test_groups_are_drawn_each_within_itself(tmp_path: Path) -> None:
    systems = ["a"] * 10 + ["b"] * 20
    view = view_of_scores(
        tmp_path / "v", np.random.default_rng(0).uniform(1, 4, (30, 3)), systems=systems
    )
    code = np.repeat([0, 1], [10, 20])
    for apart in (False, True):
        found = counted_anew(view, code, 2, Drawing(), disaggregated=apart).sum(axis=2)
        assert (found == (np.array([10, 20]) * (3 if apart else 1))).all()


def test_counts_are_drawn_within_each_group() -> None:
    seen = np.array([[3, 0, 7], [0, 0, 0], [0, 5, 0]])
    rng = np.random.default_rng(0)
    found = np.stack([drawn_counts(seen, rng) for _ in range(2_000)])
    assert (found.sum(axis=2) == [10, 0, 5]).all()
    assert found.mean(axis=0) == pytest.approx(seen.astype(float), abs=0.15)
    assert found[:, 0, 0].var() == pytest.approx(10 * 0.3 * 0.7, rel=0.15)


def test_conversations_of_no_group_are_not_drawn_anew(tmp_path: Path) -> None:
    view = view_of_scores(tmp_path / "v", np.ones((6, 1)))
    within = Within(np.array([0, 2, 0, -1, 2, 0]))  # nobody is of group 1
    rng = np.random.default_rng(0)
    draws = Resampler(view.cells("q"), (0,), 6, Drawing(("conversations",)), rng)
    found = np.stack([within.times(draws) for _ in range(2_000)])
    assert (found[:, [0, 2, 5]].sum(axis=1) == 3).all()
    assert (found[:, [1, 4]].sum(axis=1) == 2).all()
    assert (found[:, 3] == 1).all()
    assert found.mean(axis=0) == pytest.approx(np.ones(6), abs=0.1)
    assert found[:, 0].var() == pytest.approx(3 * (1 / 3) * (2 / 3), rel=0.15)


def test_means_of_groups_count_conversations_or_each_rater() -> None:
    """Conversations of sums 6, 2, 5 by 3, 1, 1 raters; the first is drawn twice."""
    sums, count = np.array([[6.0, 2.0, 5.0, 9.0]]), np.array([3.0, 1.0, 1.0, 1.0])
    times, code = np.array([2.0, 1.0, 1.0, 1.0]), np.array([0, 0, 1, -1])
    together = group_means(sums, count, times, code, 3)[:, 0]
    assert together[:2].tolist() == [(2 * 2 + 2) / 3, 5.0]
    assert np.isnan(together[2])
    apart = group_means(sums, count, times, code, 3, disaggregated=True)[:, 0]
    assert apart[:2].tolist() == [(2 * 6 + 2) / 7, 5.0]


def drawn_by(view: View, sources: tuple[str, ...], count: int = 20) -> Resampler:
    cells, panel = view.cells("q"), panel_of(view, "")
    return Resampler(cells, panel, view.size, Drawing(sources, count), np.random.default_rng(0))


def test_with_nothing_drawn_means_and_quantiles_are_those_observed(tmp_path: Path) -> None:
    scores = np.array([[1.0, 2.0], [NAN, 4.0], [3.0, NAN], [2.0, 2.0]])
    view, code = view_of_scores(tmp_path / "v", scores), np.array([0, 0, 0, 1])
    assert (drawn_means(drawn_by(view, ()), code, 2) == [17 / 6, 2.0]).all()
    apart = drawn_means(drawn_by(view, ()), code, 2, disaggregated=True)
    assert (apart == [2.5, 2.0]).all()
    middle = drawn_quantiles(drawn_by(view, ()), SCALE, code, 2, 0.5)
    assert (middle == [3.0, 2.0]).all()


def test_a_mean_varies_as_raters_and_conversations_do(tmp_path: Path) -> None:
    """Raters' offsets alone give sd(offsets) / sqrt(R), conversations alone sd / sqrt(N)."""
    rng = np.random.default_rng(3)
    quality, offset = rng.uniform(1.5, 3.0, 60), rng.uniform(-0.4, 0.4, 8)
    view = view_of_scores(tmp_path / "v", quality[:, None] + offset)
    code = np.zeros(60, dtype=int)
    for sources, error in (
        (("raters",), offset.std() / np.sqrt(8)),
        (("conversations",), quality.std() / np.sqrt(60)),
        (("raters", "conversations"), np.hypot(offset.std() / 8**0.5, quality.std() / 60**0.5)),
    ):
        found = drawn_means(drawn_by(view, sources, 2_000), code, 1)
        assert found.std() == pytest.approx(error, rel=0.08)


def test_pairs_are_drawn_as_pairs_with_the_same_raters(tmp_path: Path) -> None:
    """The second is the first plus 0.5, whoever rates: the difference never varies."""
    rng = np.random.default_rng(4)
    first = rng.uniform(1, 3, (20, 4))
    view = view_of_scores(tmp_path / "v", np.vstack([first, first + 0.5]))
    before = np.r_[np.arange(20), np.full(20, -1)]
    after = np.r_[np.full(20, -1), np.arange(20)]
    found = drawn_pairs(drawn_by(view, ("raters", "conversations")), before, after)
    assert found[:, 1] - found[:, 0] == pytest.approx(np.full(20, 0.5), abs=1e-6)
    assert found[:, 0].std() > 0.05


def test_a_side_of_a_pair_is_the_mean_of_its_conversations(tmp_path: Path) -> None:
    view = view_of_scores(tmp_path / "v", np.array([[1.0], [2.0], [4.0], [3.0]]))
    before, after = np.array([0, 0, -1, 1]), np.array([-1, -1, 0, -1])
    found = drawn_pairs(drawn_by(view, ()), before, after)
    assert (found == [1.5, 4.0]).all()  # the second pair has nothing after


def test_shares_of_answers_are_drawn_within_their_groups(tmp_path: Path) -> None:
    """Two raters, who say a and b of all: a replicate has 0, 1/2 or 1 of a in both groups."""
    view = view_of_answers(tmp_path / "v", [["a", "b"]] * 10)
    how = Drawing(("raters",), 400)
    draws = Resampler(view.cells("q"), panel_of(view, ""), 10, how, np.random.default_rng(0))
    code = np.array([0] * 4 + [1] * 5 + [-1])
    for apart in (False, True):
        found = drawn_shares(draws, 3, code, 2, disaggregated=apart)
        assert found.shape == (400, 2, 3)
        assert (found[:, 0] == found[:, 1]).all()
        assert found.sum(axis=2) == pytest.approx(np.ones((400, 2)))
        assert np.unique(found[..., 0]).tolist() == [0, 0.5, 1]
