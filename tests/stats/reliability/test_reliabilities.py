from __future__ import annotations

import numpy as np
from tests.stats.reliability.simulated import simulated

from assize.stats.reliability import Votes, fit_votes


def test_labels_are_the_more_probable_side_and_missing_where_nobody_took_one() -> None:
    made = simulated(60, 1)
    votes = made.votes
    votes.for_a[0], votes.for_b[0] = 0, 0
    votes.ties[0] = 1
    found = fit_votes(votes, rng=np.random.default_rng(0), resamples=0)
    labels = found.labels()[:, 0]
    assert np.isnan(labels[0])
    assert np.isnan(found.posterior[0, 0])
    assert (labels[1:] == np.where(found.posterior[1:, 0] > 0.5, 1, -1)).all()


def test_with_modelled_ties_a_pair_of_ties_is_the_same() -> None:
    signs = np.where(simulated(200, 2).votes.for_a[:, :5, 0] > 0, 1.0, -1.0)
    signs[:60] = 0.0
    found = fit_votes(Votes.from_signs(signs), ties="modelled", rng=np.random.default_rng(0))
    assert found.tie_model is not None
    assert (found.labels()[:60, 0] == 0).all()
    assert (found.tie_model.same[:60, 0] > 0.9).all()
    assert found.labels()[60:, 0].any()
