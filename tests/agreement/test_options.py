"""How figures are asked for."""

from __future__ import annotations

import numpy as np

from assize.agreement import Statistics


def test_every_figure_is_drawn_from_the_seed_anew() -> None:
    how = Statistics(seed=3)
    assert how.rng().random() == how.rng().random() == np.random.default_rng(3).random()


def test_a_statistic_is_given_clusters_the_interval_and_a_generator_at_the_seed() -> None:
    how = Statistics(seed=3)
    clusters = np.arange(4)
    arguments = how.sampled(clusters)
    assert arguments["clusters"] is clusters
    assert arguments["how"] is how.interval
    assert arguments["rng"].random() == np.random.default_rng(3).random()
