"""Simulated corpora in which one feature is the quality."""

from __future__ import annotations

import numpy as np
import pytest
from letters import Letters
from scripts.default_evaluator.recipe import Corpora, Dimension, Table

from assize.evaluator.features.turns import names, widths
from assize.judgment import Question

D = Letters.dimension
F = sum(widths(D).values())
QUALITY = names(D).index("similarity.answers_mean")


def table(seed: int, n: int = 120) -> Table:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, F))
    ids = np.array([f"c{number}" for number in range(n)])
    return Table(rows, {"good": rows[:, QUALITY]}, None, np.full(n, ""), ids)


def dimension(name: str) -> Dimension:
    asked = Question(name, kind="number", extra={"levels": [0.25, 0.75]})
    return Dimension(asked, {"reliable-eval": {"good": 1.0}, "other": {"good": 1.0}})


@pytest.fixture
def letters() -> Letters:
    return Letters()


@pytest.fixture
def corpora() -> Corpora:
    """Two corpora, and a degraded bot."""
    conversations = {"reliable-eval": table(1), "other": table(2)}
    worse = table(3, 40)
    worse.rows[:, QUALITY] -= 3
    return Corpora(conversations, conversations, {}, worse)


@pytest.fixture
def dimensions() -> list[Dimension]:
    return [dimension("overall"), dimension("second")]
