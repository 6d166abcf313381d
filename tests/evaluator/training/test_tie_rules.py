"""Tie thresholds learnt from votes on pairs that were held out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.evaluator._heads.scored_question import PUBLISHED_TIE, TieRule, scored_on
from assize.evaluator._training.from_votes import asked
from assize.evaluator._training.given_differences import Reliabilities
from assize.evaluator._training.lessons import Lessons
from assize.evaluator._training.tie_rules import held_out_by, labels_of, tie_rules
from assize.stats._arrays import FloatArray
from assize.stats._reliability import Votes

RATES = Reliabilities(np.full((3, 1), 0.8), np.full((3, 1), 0.8))


def lessons(a: object, b: object, ties: object) -> Lessons:
    """Votes (N, J) of three judges on one question."""
    votes = Votes.of(*(np.asarray(one, float)[:, :, None] for one in (a, b, ties)))
    n = votes.shape[0]
    rows = np.arange(2.0 * n)[:, None]
    return Lessons(rows, np.arange(n), n + np.arange(n), votes, ("Overall",), ("x", "y", "z"))


def test_a_tie_needs_more_judges_than_either_side_and_a_divided_judge_says_tie() -> None:
    given = lessons(
        [[1, 1, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0], [1, 0, 0]],
        [[0, 0, 1], [0, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 1, 1], [0, 0, 1], [0, 0, 0], [0, 1, 0]],
    )
    found = labels_of(given, RATES)[:, 0]
    np.testing.assert_array_equal(found, [1, 0, 0, np.nan, 1])


def test_the_side_of_a_pair_is_that_of_the_judges_who_are_right() -> None:
    given = lessons([[1, 0, 0]], [[0, 1, 1]], [[0, 0, 0]])
    rates = np.array([[0.95], [0.55], [0.55]])
    assert labels_of(given, Reliabilities(rates, rates))[0, 0] == 1
    assert labels_of(given, Reliabilities(1 - rates, 1 - rates))[0, 0] == -1
    assert labels_of(given, RATES)[0, 0] == -1


def test_a_dialogue_is_scored_by_the_member_that_held_it_out_on_the_scale_of_all() -> None:
    """Members that differ by an affine map say the same of a dialogue."""
    quality = np.random.default_rng(0).normal(size=(50, 2))
    members = np.stack([quality, 3 * quality + 5, quality / 2 - 1])
    fold = np.arange(50) % 5
    found = held_out_by(members, fold)
    np.testing.assert_allclose(found[fold < 3], members.mean(axis=0)[fold < 3])
    assert np.isnan(found[fold >= 3]).all()
    assert np.isnan(held_out_by(members, np.full(50, -1))).all()


def planted(n: int, *, ties: float) -> tuple[Lessons, np.ndarray, np.ndarray]:
    """Judges say tie where scores differ by less than `ties`, and else the side, nearly always."""
    rng = np.random.default_rng(1)
    raw = rng.uniform(size=2 * n)
    apart = raw[:n] - raw[n:]
    truth = np.where(np.abs(apart) < ties, 0, np.sign(apart))
    wrong = rng.random((n, 3)) < 0.1
    said = np.where(wrong, rng.integers(-1, 2, (n, 3)), truth[:, None])
    given = lessons(said == 1, said == -1, said == 0)
    return given, raw[:, None], np.arange(2 * n) % n % 4


def ruled(given: Lessons, raw: FloatArray, fold: Any, questions: int = 1) -> dict[str, TieRule]:
    """The rules of questions that all have the same raw numbers."""
    scored, spread = scored_on(asked("Overall"), {"conversation": {"v": raw[:, 0]}}, ["v"])
    members = np.stack([np.tile(raw / spread, questions)] * 4)
    rates = np.full((3, questions), 0.8)
    named = dict.fromkeys(("Overall", "nice")[:questions], scored)
    return tie_rules(given, Reliabilities(rates, rates), named, members, fold, seed=0)


def test_a_planted_threshold_is_found_again() -> None:
    rule = ruled(*planted(1500, ties=0.2))["Overall"]
    assert rule.threshold == pytest.approx(0.2, abs=0.015)
    assert rule.accuracy > 0.95
    assert rule.n == 1500


@pytest.mark.parametrize(
    ("n", "ties", "held"), [(19, 0.5, True), (200, 0.0, True), (200, 0.5, False)]
)
def test_with_few_pairs_or_ties_or_none_held_out_the_published_one_stands(
    n: int, ties: float, held: bool
) -> None:
    given, raw, fold = planted(n, ties=ties)
    if not ties:  # no vote for a tie where none was planted
        given.votes.ties[:] = 0
    rule = ruled(given, raw, fold if held else np.full(len(fold), -1))["Overall"]
    assert (rule.threshold, rule.n) == (PUBLISHED_TIE, 0)


def test_a_question_that_only_ratings_are_about_is_not_asked_of_pairs() -> None:
    given, raw, fold = planted(50, ties=0.2)
    counts = (given.votes.for_a, given.votes.for_b, given.votes.ties)
    wide = Votes(*(np.pad(one, ((0, 0), (0, 0), (0, 1))) for one in counts))
    both = replace(given, votes=wide, questions=("Overall", "nice"))
    assert list(ruled(both, raw, fold, questions=2)) == ["Overall"]
