"""When the votes alone cannot tell, the fit says so, and what would help."""

from __future__ import annotations

import numpy as np
import pytest
from tests.stats.reliability.simulated import simulated

from assize.stats._reliability import Reliabilities, Votes, fit_votes


def fitted(votes: Votes, **named: object) -> Reliabilities:
    return fit_votes(votes, rng=np.random.default_rng(0), **named)  # type: ignore[arg-type]


def inverted(pairs: int, seed: int) -> tuple[Votes, np.ndarray]:
    """Seven judges of whom four fall for the same thing, and three are good."""
    rng = np.random.default_rng(seed)
    truth = rng.choice([-1.0, 1.0], pairs)
    skill = np.array([0.25, 0.3, 0.2, 0.3, 0.85, 0.7, 0.6])
    signs = np.where(rng.random((pairs, 7)) < skill, truth[:, None], -truth[:, None])
    return Votes.from_signs(signs), truth


def test_judges_below_chance_on_average_raise_one_and_ten_labels_mend_it() -> None:
    votes, truth = inverted(400, 2)
    alone = fitted(votes, names=["Safety"])
    assert np.mean(alone.labels()[:, 0] == truth) < 0.2  # inverted, and it says so
    (said,) = alone.doubts[0]
    assert said.startswith("Safety: the votes alone cannot tell which side is better")
    assert "at least 10 pairs with known labels" in said
    anchors = np.full(400, np.nan)
    anchors[:10] = truth[:10]
    mended = fitted(votes, anchors=anchors)
    assert mended.doubts == ((),)
    assert np.mean(mended.labels()[10:, 0] == truth[10:]) > 0.8


def test_a_trusted_judge_turns_them_the_right_way() -> None:
    votes, truth = inverted(400, 3)
    found = fitted(votes, trusted=[4])
    assert (found.doubts, found.below[0]) == (((),), 4)
    assert np.mean(found.labels()[:, 0] == truth) > 0.8
    assert found.alpha[4, 0] > 0.7
    assert found.right_way[0] > 0.95


def test_a_trusted_judge_at_chance_is_no_help_and_one_without_votes_neither() -> None:
    votes, _ = inverted(200, 4)
    coin = np.random.default_rng(0).choice([-1.0, 1.0], (200, 1, 1))
    with_coin = Votes(
        np.concatenate([votes.for_a, coin > 0], axis=1),
        np.concatenate([votes.for_b, coin < 0], axis=1),
        np.zeros((200, 8, 1)),
    )
    assert "too near chance here" in fitted(with_coin, trusted=[7]).doubts[0][0]
    absent = Votes(with_coin.for_a.copy(), with_coin.for_b.copy(), with_coin.ties)
    absent.for_a[:, 7], absent.for_b[:, 7] = 0, 0
    without = fitted(absent, trusted=[7])
    assert "no trusted judge voted" in without.doubts[0][0]
    assert without.alpha[:7] == pytest.approx(fitted(absent).alpha[:7])
    assert fitted(votes, trusted=[4], resamples=0).doubts == ((),)


def test_fewer_than_ten_labels_are_called_few_and_contradicting_ones_too() -> None:
    votes, truth = inverted(400, 5)
    few = np.full(400, np.nan)
    few[:4] = truth[:4]
    assert "only 4 labels are known" in fitted(votes, anchors=few).doubts[0][0]
    good = simulated(400, 6)
    mixed = np.full(400, np.nan)
    mixed[:12] = np.where(good.truth[:12], 1, -1) * np.tile([1, -1], 6)
    found = fitted(good.votes, anchors=mixed)
    assert np.mean((found.labels()[12:, 0] > 0) == good.truth[12:]) > 0.9


def common_opinion() -> tuple[Votes, np.ndarray, np.ndarray]:
    """Five judges who nearly always share one opinion, which is right on 65% of 400 pairs."""
    rng = np.random.default_rng(3)
    truth = rng.choice([-1.0, 1.0], 400)
    opinion = np.where(rng.random(400) < 0.65, truth, -truth)
    follows = rng.random((400, 5)) < 0.95
    return Votes.from_signs(np.where(follows, opinion[:, None], -opinion[:, None])), truth, opinion


def test_a_few_unlucky_labels_do_not_turn_round_what_votes_are_sure_of_and_raise_a_doubt() -> None:
    votes, truth, opinion = common_opinion()
    agree, differ = np.flatnonzero(truth == opinion), np.flatnonzero(truth != opinion)
    anchors = np.full(400, np.nan)
    unlucky = np.concatenate([agree[:4], differ[:6]])
    anchors[unlucky] = truth[unlucky]
    found = fitted(votes, anchors=anchors)
    left = np.isnan(anchors)
    assert np.mean(np.sign(found.labels()[left, 0]) == truth[left]) > 0.6
    assert "the known labels contradict the votes" in found.doubts[0][0]


def test_labels_that_are_clear_turn_judges_round_and_a_sure_panel_against_them_is_doubted() -> None:
    votes, _, opinion = common_opinion()
    anchors = np.full(400, np.nan)
    anchors[:40] = -opinion[:40]
    found = fitted(votes, anchors=anchors)
    assert np.mean(np.sign(found.labels()[40:, 0]) == -opinion[40:]) > 0.95
    assert found.right_way[0] > 0.95
    assert "the known labels contradict the votes" in found.doubts[0][0]


GOOD = simulated(300, 7).votes
COINS = np.random.default_rng(8).choice([-1.0, 1.0], (400, 5))
APART = np.where(np.arange(30)[:, None] % 3 == np.arange(3), 1.0, np.nan)


@pytest.mark.parametrize(
    ("votes", "doubt"),
    [
        (Votes.of(GOOD.for_a[:, :1], GOOD.for_b[:, :1]), "fewer than three"),
        (Votes.of(GOOD.for_a[:, :2], GOOD.for_b[:, :2]), "fewer than three"),
        (Votes.from_signs(APART), "no two judges voted for a side on one pair"),
        (Votes.from_signs(COINS), "agree no more than chance"),
    ],
)
def test_judges_that_cannot_be_told_apart_are_said_to_be_so(votes: Votes, doubt: str) -> None:
    assert doubt in " ".join(fitted(votes).doubts[0])


def test_variants_of_two_models_are_no_panel() -> None:
    rng = np.random.default_rng(9)
    truth = rng.choice([-1.0, 1.0], 300)
    signs = np.where(rng.random((300, 6)) < 0.8, truth[:, None], -truth[:, None])
    votes = Votes.from_signs(signs)
    assert fitted(votes).doubts == ((),)
    (said,) = fitted(votes, families=[0, 0, 0, 0, 1, 1]).doubts[0]
    assert "the 6 judges are variants of 2 models" in said
    assert fitted(votes, families=[0, 1, 2, 3, 3, 3]).doubts == ((),)


def test_a_family_counts_as_one_judge() -> None:
    found = fitted(simulated(500, 10).votes, families=[0, 1, 2, 2, 2, 2, 2, 2])
    assert found.independent[0] == pytest.approx(3, abs=0.3)
