"""Learners: tie thresholds, and what each makes of planted judges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.evaluator.study.planted import halves, held_out_accuracy, planted

from assize.base.errors import DataError
from assize.evaluator._study.learners import (
    FITS,
    from_targets,
    threshold_of,
    with_ties,
)
from assize.evaluator._study.targets import TARGETS
from assize.evaluator._ties import answers
from assize.stats._reliability import Votes


@pytest.mark.parametrize("name", list(FITS))
def test_every_way_learns_which_side_is_better(name: str) -> None:
    assert held_out_accuracy(planted(n=400), FITS[name]) > 0.75


def test_the_threshold_is_between_ties_and_sides() -> None:
    votes = np.array([[0, 2, 0], [0, 1, 1], [3, 0, 0], [0, 0, 1]])
    found = threshold_of(np.array([0.1, -0.2, 2.0, -3.0]), votes)
    assert 0.1 < found <= 2.0  # the pair at -0.2 speaks for a tie and for B alike
    assert threshold_of(np.array([0.1, 2.0]), np.array([[1, 0, 0], [1, 0, 0]])) == 1e-9


def test_ties_are_learnt_from_the_votes() -> None:
    data = planted({"good": 0.95, "fair": 0.85, "other": 0.8}, n=600, ties=0.4)
    fitted, held = halves(data)
    differences = with_ties(FITS["average"])(data, fitted, 0)(data, held)
    right, sides = (
        float((said == data.truth[held]).mean())
        for said in (answers(differences, 1.0), np.sign(differences))
    )
    assert right > 0.7
    assert right > sides + 0.2  # without a threshold every tie is missed


def test_some_judges_alone_are_learnt_from() -> None:
    data = planted({"good": 0.95, "liar": 0.05}, n=300)
    fit = from_targets(TARGETS["majority vote"])

    def alone(judge: str) -> float:
        learn = with_ties(fit, (judge,))
        return held_out_accuracy(data, lambda pairs, rows: learn(pairs, rows, 0))

    assert alone("good") > 0.75
    assert alone("liar") < 0.25


def test_judges_without_votes_are_explained() -> None:
    data = planted(n=40)
    zeros = np.zeros_like(data.votes.for_a)
    with pytest.raises(DataError, match="no vote on the pairs"):
        FITS["average"](replace(data, votes=Votes(zeros, zeros, zeros)), np.arange(40))
