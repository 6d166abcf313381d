"""Simulated corpora in which one feature is the quality."""

from __future__ import annotations

import numpy as np
import pytest
from letters import Letters
from scripts.default_evaluator.corpora import Corpora, Table
from scripts.default_evaluator.recipe import Dimension
from scripts.default_evaluator.study import Study, study
from tests.scripts.default_evaluator.feature_names import names

from assize.base.judgment import Question

D = Letters.dimension
QUALITY = "similarity.answers_mean"
NAMES = names(D)


def table(seed: int, *, shape: bool, n: int = 120) -> Table:
    rng = np.random.default_rng(seed)
    every = rng.normal(size=(n, len(NAMES)))
    rows = every[:, [name.startswith("shape.") for name in NAMES]] if shape else every
    ids = np.array([f"c{number}" for number in range(n)])
    bots = np.array([f"b{number % 4}" for number in range(n)])
    return Table(rows, {"good": every[:, NAMES.index(QUALITY)].copy()}, None, bots, ids)


def dimension(name: str) -> Dimension:
    asked = Question(name, kind="number", extra={"levels": [0.25, 0.75]})
    return Dimension(asked, {"reliable-eval": {"good": 1.0}, "ieval": {"good": 1.0}})


def made(*, shape: bool = False) -> Corpora:
    """Two corpora, and a degraded bot.

    Args:
        shape: with the features of that block alone.
    """
    conversations = {"reliable-eval": table(1, shape=shape), "ieval": table(2, shape=shape)}
    worse = table(3, shape=shape, n=40)
    if not shape:
        worse.rows[:, NAMES.index(QUALITY)] -= 3
    return Corpora(conversations, conversations, {}, worse)


@pytest.fixture
def letters() -> Letters:
    return Letters()


@pytest.fixture
def corpora() -> Corpora:
    return made()


@pytest.fixture
def before() -> Corpora:
    """The same with the features of the baselines."""
    return made(shape=True)


@pytest.fixture
def dimensions() -> list[Dimension]:
    return both()


def both() -> list[Dimension]:
    return [dimension("overall"), dimension("second")]


@pytest.fixture(scope="session")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """The study of both dimensions on these corpora; its folder has no others."""
    corpora, before = made(), made(shape=True)
    folder = tmp_path_factory.mktemp("no-corpora")
    return study(corpora, before, folder, Letters(), dimensions=both())
