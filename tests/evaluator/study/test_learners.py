"""Learners: tie thresholds, and what each makes of planted judges."""

from __future__ import annotations

import numpy as np
import pytest
from tests.evaluator.study.planted import accuracy, halves, planted

from assize.base.errors import DataError
from assize.evaluator._study.learners import (
    FITS,
    from_targets,
    gold_labels,
    threshold_of,
    with_ties,
)
from assize.evaluator._study.targets import TARGETS
from assize.evaluator._ties import answers
from assize.stats._reliability import Votes


@pytest.mark.parametrize("name", list(FITS))
def test_every_way_learns_which_side_is_better(name: str) -> None:
    data = planted(n=400)
    fitted, held = halves(data)
    assert accuracy(data, held, FITS[name](data, fitted)(data, held)) > 0.75


def test_the_threshold_is_between_ties_and_sides() -> None:
    votes = np.array([[0, 2, 0], [0, 1, 1], [3, 0, 0], [0, 0, 1]])
    found = threshold_of(np.array([0.1, -0.2, 2.0, -3.0]), votes)
    assert 0.1 < found <= 2.0  # the pair at -0.2 speaks for a tie and for B alike
    assert threshold_of(np.array([0.1, 2.0]), np.array([[1, 0, 0], [1, 0, 0]])) == 1e-9


def test_ties_are_learnt_from_the_votes() -> None:
    data = planted({"good": 0.95, "fair": 0.85, "other": 0.8}, n=600, ties=0.4)
    fitted, held = halves(data)
    learnt = with_ties(FITS["average"])(data, fitted, 0)
    said = answers(learnt(data, held), 1.0)
    right = float((said == data.truth[held]).mean())
    assert right > 0.7
    sides = float((np.sign(learnt(data, held)) == data.truth[held]).mean())
    assert right > sides + 0.2  # without a threshold every tie is missed


def test_some_judges_alone_are_learnt_from() -> None:
    data = planted({"good": 0.95, "liar": 0.05}, n=300)
    fitted, held = halves(data)
    fit = from_targets(TARGETS["majority vote"])
    by = {
        name: accuracy(data, held, with_ties(fit, (name,))(data, fitted, 0)(data, held))
        for name in ("good", "liar")
    }
    assert by["good"] > 0.75
    assert by["liar"] < 0.25


def test_gold_is_what_there_is_to_be_reached() -> None:
    data = planted(n=300)
    assert gold_labels(data, np.arange(5)).tolist() == data.truth[:5].tolist()


def test_judges_without_votes_are_explained() -> None:
    data = planted(n=40)
    zeros = np.zeros_like(data.votes.for_a)
    object.__setattr__(data, "votes", Votes(zeros, zeros, zeros))
    with pytest.raises(DataError, match="no vote on the pairs"):
        FITS["average"](data, np.arange(40))
