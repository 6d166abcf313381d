"""Head and reliabilities together: planted judges, and the better use of texts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.evaluator.study.planted import accuracy, held_out_accuracy, planted, without_sides

from assize.base.errors import DataError
from assize.evaluator._study.joint_head import fit_joint, joint
from assize.evaluator._study.learners import FITS
from assize.stats._reliability import Votes

RATES = {"good": 0.88, "fair": 0.75, "weak": 0.62, "liar": 0.25}


def test_reliabilities_are_found_with_the_head() -> None:
    data = planted(RATES, n=1500)
    head, found = fit_joint(data, np.arange(1500))
    np.testing.assert_allclose(found.alpha[:, 0], list(RATES.values()), atol=0.06)
    np.testing.assert_allclose(found.beta[:, 0], list(RATES.values()), atol=0.06)
    assert accuracy(data, np.arange(1500), head(data, np.arange(1500))) > 0.85


def test_it_learns_more_than_from_a_majority_where_judges_differ() -> None:
    data = planted({"good": 0.9, "liar": 0.3, "other liar": 0.3, "guess": 0.5, "fair": 0.7}, n=600)
    own, majority = (held_out_accuracy(data, FITS[name]) for name in ("joint", "majority vote"))
    assert own > majority + 0.03


def test_without_a_vote_for_a_side_nothing_is_learnt() -> None:
    with pytest.raises(DataError, match="nothing can be learnt"):
        joint(without_sides(planted(n=40)), np.arange(40))


def test_a_judge_of_whom_nothing_is_known_changes_nothing() -> None:
    data, rows = planted(n=200), np.arange(200)
    parts = (data.votes.for_a, data.votes.for_b, data.votes.ties)
    votes = Votes(*(np.pad(part, ((0, 0), (0, 1), (0, 0))) for part in parts))
    more = replace(data, votes=votes, judges=(*data.judges, "silent"))
    found, wanted = (joint(pairs, rows)(data, rows) for pairs in (more, data))
    assert np.corrcoef(found, wanted)[0, 1] > 0.999
