"""What an ensemble's agreement is made of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.reference.study.examples import column, data_of, ratings

from assize.reference._study.controls import ControlFigures, measure_controls
from assize.reference._study.data import DataSet
from assize.reference._study.ensembles import (
    BEST,
    conversation_folds,
    cross_validate,
)

CONVERSATIONS, EACH = 60, 4


def two_systems(*, quality: float) -> DataSet:
    """A system whose turns are long and rated by 2 more; `cosine` follows quality within both."""
    rng = np.random.default_rng(1)
    n = CONVERSATIONS * EACH
    system, good = np.arange(n) % 2, rng.normal(size=n)
    rated = ratings(*[[value] for value in 2.0 * system + quality * good + rng.normal(size=n)])
    metrics = [
        replace(column((system + rng.normal(0, 0.1, n)).tolist()), name="length", referenced=False),
        replace(column((good + rng.normal(0, 0.5, n)).tolist()), name="cosine"),
    ]
    data = data_of(rated, *metrics, conversations=[f"c{at // EACH}" for at in range(n)])
    return replace(data, sources=np.where(system == 1, "good", "bad"))


def controls(data: DataSet) -> dict[tuple[str, str], float]:
    fold = conversation_folds(data, 5, 0)
    group = [cross_validate(name, data, "content", fold, "items", 0) for name in (BEST, "linear")]
    rows = measure_controls(data, "content", group, fold, "items", 0)
    assert all(isinstance(row, ControlFigures) for row in rows)
    return {(row.ensemble, row.basis): row.r.estimate for row in rows}


def test_what_only_tells_systems_apart_is_nothing_within_one() -> None:
    found = controls(two_systems(quality=0.0))
    assert found["linear", "all metrics"] > 0.6
    assert found["linear", "no reference used"] > 0.6
    assert abs(found["linear", "within one system"]) < 0.15
    assert abs(found[BEST, "within one system"]) < 0.15


def test_what_the_reference_tells_is_lost_without_it() -> None:
    found = controls(two_systems(quality=1.0))
    assert found["linear", "no reference used"] < found["linear", "all metrics"] - 0.05
    assert found["linear", "within one system"] > 0.5


def test_without_such_metrics_or_sources_the_figures_are_missing() -> None:
    data = two_systems(quality=1.0)
    known = replace(data, columns=data.columns[1:], sources=np.array([""] * len(data)))
    found = controls(known)
    assert found["linear", "all metrics"] == pytest.approx(found[BEST, "all metrics"], abs=0.03)
    assert np.isnan(found["linear", "no reference used"])
    assert np.isnan(found["linear", "within one system"])
