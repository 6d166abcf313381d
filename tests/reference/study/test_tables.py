"""The tables of metrics: what stands in them, and where."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.reference.study.examples import column, data_of, ratings, simulated

from assize.reference.study.run import Settings, study
from assize.reference.study.tables import best_of, ensemble_groups

QUICK = Settings(learners=("linear",), permutations=200)
FIVE = (1.0, 2.0, 3.0, 4.0, 5.0)


def test_the_best_metric_may_fall_as_ratings_rise() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(1, 6, 60).astype(float)
    people = ratings(*[[one, one] for one in y], answers=FIVE)
    names = {"falls": -y + rng.normal(size=60), "rises": y + 5 * rng.normal(size=60)}
    columns = [replace(column(one.tolist()), name=name) for name, one in names.items()]
    table = study([data_of(people, *columns)], QUICK).tables["best"]
    assert table.rows[0][0] == "falls"
    assert table.rows[0][1].estimate < -0.7


def test_the_best_ensemble_is_no_single_metric() -> None:
    found = study([simulated(conversations=10)[0]], QUICK)
    metric, learnt = best_of(found, found.row("content"))
    assert metric is not None
    assert learnt is not None
    assert (metric.name, learnt.trained.learner) == ("strong", "linear")
    assert ensemble_groups(found) == {"own": "Ensembles, cross-validated"}


def test_of_several_sets_the_best_ensemble_from_the_first_stands_beside_the_sets_own() -> None:
    two = [
        replace(simulated(conversations=10, seed=at)[0], name=name)
        for at, name in ((1, "A"), (2, "B"))
    ]
    found = study(two, QUICK)
    table = found.tables["best"]
    names = [one.name for one in table.columns]
    assert names[-4:] == ["ensemble", "r", "trained on A", "r applied"]
    (own_a, from_a), (own_b, brought) = (
        (row[-3].estimate, row[-1].estimate) for row in table.rows if row[0] == "content"
    )
    assert own_a == from_a  # in A itself both are cross-validated
    (learnt,) = [
        one
        for one in found.row("content", "B").learnt
        if (one.trained.on, one.trained.learner) == ("A", "linear")
    ]
    assert brought == learnt.by["items"].pearson.estimate != own_b
    alone = study(two[:1], QUICK).tables["best"]
    assert [one.name for one in alone.columns][-2:] == ["ensemble", "r"]


def test_nothing_measured_has_no_best() -> None:
    people = ratings(*[[1.0], [2.0], [3.0]] * 5, answers=FIVE)
    found = study([data_of(people, column([np.nan] * 15))], QUICK)
    assert best_of(found, found.row("content")) == (None, None)


def test_gains_have_a_row_for_every_ensemble_and_their_difference() -> None:
    found = study([simulated(conversations=10)[0]], QUICK)
    (row,) = found.tables["gains content"].rows
    assert row[1] == "linear"
    best, own, difference = row[2:5]
    assert difference.estimate == own.estimate - best.estimate
    assert row[5] == difference.estimate / best.estimate
