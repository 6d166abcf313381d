"""The tables of metrics: what stands in them, and where."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.reference.study.examples import FIVE, QUICK, column, data_of, ratings, studied

from assize.reference._study.metric_tables import ensemble_headings
from assize.reference._study.run import study


def test_the_best_metric_may_fall_as_ratings_rise() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(1, 6, 60).astype(float)
    people = ratings(*[[one, one] for one in y], answers=FIVE)
    names = {"falls": -y + rng.normal(size=60), "rises": y + 5 * rng.normal(size=60)}
    columns = [replace(column(one.tolist()), name=name) for name, one in names.items()]
    (best,) = study([data_of(people, *columns)], QUICK).best
    assert best.metric_r is not None
    assert (best.metric, best.metric_r.estimate < -0.7) == ("falls", True)


def test_the_best_ensemble_is_no_single_metric() -> None:
    best = studied().best[0]
    assert (best.metric, best.ensemble, best.applied) == ("strong", "linear", None)
    assert ensemble_headings([None], None) == {"own": "Ensembles, cross-validated"}


def test_nothing_measured_has_no_best() -> None:
    people = ratings(*[[1.0], [2.0], [3.0]] * 5, answers=FIVE)
    found = study([data_of(people, column([np.nan] * 15))], QUICK)
    assert found.best == []
    assert found.sentence == "No metric could be compared with people's ratings."
