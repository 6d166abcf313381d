"""Cuts and yields, by hand and on scores with known precision."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from assize.base.errors import ConfigError
from assize.criteria._selection import Wanted, Window, window, yield_rate
from assize.criteria._selection.pool import Mask
from assize.criteria._selection.window import ENOUGH, RULES
from assize.stats._arrays import FloatArray

SCORES = np.repeat(np.arange(8.0), 5)  # five conversations at each score
#                          bad  bad bad good bad good good good
GOOD = np.repeat(np.array([0, 0, 0, 1, 0, 1, 1, 1], dtype=bool), 5)
OBSERVED = Wanted(rule="observed")
PAPER = Wanted(rule="paper")


def overlapping(seed: int, size: int, wrong: float = 0.05) -> tuple[FloatArray, Mask]:
    """Scores of two classes 3.5 standard deviations apart, some of the labels wrong."""
    rng = np.random.default_rng(seed)
    good = rng.random(size) < 0.5
    nets = rng.normal(size=size) + np.where(good, 1.75, -1.75)
    return nets, good ^ (rng.random(size) < wrong)


def test_the_window_by_hand() -> None:
    # Up to 2 all are bad; up to 4 four of five; above 4 all are good, above 2 four of five.
    found = window(SCORES, GOOD, 3.5, OBSERVED)
    assert (found.low, found.high) == (2.5, 4.5)
    rate = yield_rate(found, SCORES, GOOD)
    assert (rate.share, rate.labelled, rate.n, rate.precision) == (6 / 8, 30, 40, 1.0)


HUNDRED = np.arange(100.0)
ONE_WRONG = (HUNDRED >= 50) | (HUNDRED == 0)  # the lowest score of all, labelled wrongly
LENIENT = replace(OBSERVED, precision=0.75)


@pytest.mark.parametrize(
    ("scores", "good", "midpoint", "wanted", "cuts"),
    [
        pytest.param(
            np.repeat([-10.0, 0.0, 15.0, 20.0], 5),
            np.repeat([False, False, True, True], 5),
            6.25,
            OBSERVED,
            (7.5, 7.5),
            id="cuts lie in the middle of a gap",
        ),
        pytest.param(
            HUNDRED,
            ONE_WRONG,
            50,
            replace(OBSERVED, precision=0.95),
            (49.5, 49.5),
            id="a wrong label at the end does not end the window",
        ),
        pytest.param(
            # hardly anything is good: all up to 4 are bad with the precision, above 4 none is bad
            SCORES,
            GOOD,
            3.5,
            replace(LENIENT, prevalence=0.05),
            (4.5, 4.5),
            id="prevalence changes what is sure",
        ),
        pytest.param(
            HUNDRED,
            ONE_WRONG,
            50,
            PAPER,
            (-math.inf, 44),
            id="a wrong label at the end ends the paper's window",
        ),
        pytest.param(
            SCORES, GOOD, 3.5, PAPER, (2, 4), id="the paper's rule ends where precision first falls"
        ),
        pytest.param(
            SCORES,
            GOOD,
            3.2,
            replace(PAPER, precision=0.75),
            (3.2, 3.2),
            id="the paper's cuts that cross are the midpoint",
        ),
        pytest.param(
            np.array([np.nan]),
            np.array([True]),
            0.0,
            OBSERVED,
            (-math.inf, math.inf),
            id="no score at all gives no window",
        ),
    ],
)
def test_cuts_by_hand(
    scores: FloatArray, good: Mask, midpoint: float, wanted: Wanted, cuts: tuple[float, float]
) -> None:
    assert window(scores, good, midpoint, wanted) == Window(*cuts, wanted.precision)


@pytest.mark.parametrize(("midpoint", "cut"), [(3.5, 3.5), (0.0, 2.5), (9.0, 4.5), (4.1, 4.5)])
def test_where_all_can_be_labelled_one_cut_parts_them(midpoint: float, cut: float) -> None:
    # At 0.75 labels of bad hold up to 4 (4 of 5), labels of good from above 2 (4 of 5).
    found = window(SCORES, GOOD, midpoint, LENIENT)
    assert found.low == found.high == cut
    assert yield_rate(found, SCORES, GOOD).share == 1


def test_the_yield_does_not_hang_on_the_seed() -> None:
    # With 5% wrong labels of 200, the paper's rule labels everything or nearly nothing.
    def yields(wanted: Wanted) -> list[float]:
        every = [overlapping(seed, 200) for seed in range(8)]
        return [yield_rate(window(*one, 0.0, wanted), *one).share for one in every]

    assert min(yields(PAPER)) < 0.6
    assert min(yields(Wanted())) > 0.9


def test_a_label_rests_on_five_conversations_at_least() -> None:
    scores, good = np.arange(12.0), np.arange(12) >= 8  # four good ones above all others
    assert window(scores, good, 7.5, OBSERVED).high == math.inf
    assert window(np.append(scores, 12.0), np.append(good, True), 7.5, OBSERVED).high == 7.5


def test_the_bound_asks_for_more_than_the_share() -> None:
    # Wilson's lower end one standard error below k of k is k / (k + 1): 0.9 from nine on.
    for count, labelled in ((8, False), (9, True)):
        scores, good = np.arange(2.0 * count), np.arange(2 * count) >= count
        found = window(scores, good, 0, Wanted(rule="wilson"))
        assert math.isfinite(found.high) == labelled
        assert math.isfinite(window(scores, good, 0, OBSERVED).high)


def test_the_bound_is_the_default_below_200_labels() -> None:
    bound = Wanted(rule="wilson")
    for size, rule, other in ((ENOUGH - 1, bound, OBSERVED), (ENOUGH, OBSERVED, bound)):
        nets, good = overlapping(1, size, wrong=0.12)
        found = window(nets, good, 0.0)
        assert found == window(nets, good, 0.0, rule)
        assert found != window(nets, good, 0.0, other)


def test_the_default_holds_on_new_conversations() -> None:
    # Precision of labels on 20,000 new conversations, over 100 windows found on few.
    new, truth = overlapping(10_000, 20_000, wrong=0.15)
    for size in (40, 60, 100, 200):
        rates = [
            yield_rate(window(*overlapping(seed, size, wrong=0.15), 0.0, Wanted(0.8)), new, truth)
            for seed in range(100)
        ]
        right = sum(rate.precision * rate.labelled for rate in rates if rate.labelled)
        assert right / sum(rate.labelled for rate in rates) > 0.8


def test_where_no_score_is_sure_nothing_is_labelled() -> None:
    for rule in RULES:
        found = window(SCORES, ~GOOD, 3.5, Wanted(rule=rule))
        assert (found.low, found.high) == (-math.inf, math.inf)
        rate = yield_rate(found, SCORES, ~GOOD)
        assert rate.share == 0
        assert math.isnan(rate.precision)


def test_where_nearly_all_are_good_all_can_be_labelled_so() -> None:
    scores = np.arange(100.0)
    for good in (scores != 50, scores == 50):
        found = window(scores, good, 50, OBSERVED)
        assert math.isfinite(found.high if good[0] else found.low)
        assert yield_rate(found, scores, good).share == 1


def test_equal_scores_stand_and_fall_together_and_the_high_cut_is_not_good() -> None:
    scores, good = np.repeat([0.0, 1.0], 9), np.arange(18) >= 6
    found = window(scores, good, 0.5, OBSERVED)
    assert (found.low, found.high) == (-math.inf, 0.5)
    assert found.good(scores).tolist() == [False] * 9 + [True] * 9
    assert found.good(np.array([0.5])).tolist() == [False]


def test_an_unscored_conversation_is_not_labelled_and_counts() -> None:
    scores, good = np.append(SCORES, np.nan), np.append(GOOD, True)
    found = window(scores, good, 3.5, OBSERVED)
    assert (found.low, found.high) == (2.5, 4.5)
    assert yield_rate(found, scores, good).share == 30 / 41


def test_a_window_found_elsewhere_says_what_it_really_reached() -> None:
    found = window(SCORES, GOOD, 3.5, OBSERVED)
    rate = yield_rate(found, np.array([0.0, 1.0, 3.0, 7.0]), np.array([True, False, True, True]))
    assert rate.share == 3 / 4
    assert rate.precision == pytest.approx(2 / 3)


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ConfigError, match="window"):
        Wanted(rule="most")  # type: ignore[arg-type]
