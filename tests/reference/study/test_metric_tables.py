"""The tables of metrics: what stands in them, and where."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.reference.study.examples import FIVE, QUICK, column, data_of, ratings, simulated

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
    found = study([simulated(conversations=10)[0]], QUICK)
    assert (found.best[0].metric, found.best[0].ensemble) == ("strong", "linear")
    assert ensemble_headings([None], None) == {"own": "Ensembles, cross-validated"}


def test_of_several_sets_the_best_ensemble_from_the_first_stands_beside_the_sets_own() -> None:
    two = [
        replace(simulated(conversations=10, seed=at)[0], name=name)
        for at, name in ((1, "A"), (2, "B"))
    ]
    found = study(two, QUICK)
    in_a, in_b = (row for row in found.best if row.target == "content")
    assert in_a.ensemble_r == in_a.applied_r  # in A itself both are cross-validated
    assert (found.trained_on, in_b.applied) == ("A", "linear")
    (brought,) = [
        row.pearson
        for row in found.figures
        if (row.target, row.data, row.unit) == ("content", in_b.data, "items")
        and (row.trained_on, row.metric) == ("A", "linear")
    ]
    assert in_b.applied_r == brought != in_b.ensemble_r
    assert study(two[:1], QUICK).best[0].applied is None


def test_nothing_measured_has_no_best() -> None:
    people = ratings(*[[1.0], [2.0], [3.0]] * 5, answers=FIVE)
    found = study([data_of(people, column([np.nan] * 15))], QUICK)
    assert found.best == []
    assert found.sentence == "No metric could be compared with people's ratings."
