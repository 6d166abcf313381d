from __future__ import annotations

import numpy as np
from tests.stats.reliability.simulated import simulated

from assize.stats._reliability import fit_votes


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
