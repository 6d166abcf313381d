"""Simulated corpora in which one feature is the quality."""

from __future__ import annotations

import numpy as np
import pytest
from letters import Letters
from scripts.default_evaluator.corpora import Corpora, Table
from scripts.default_evaluator.recipe import Dimension
from scripts.default_evaluator.study import Study, study
from tests.scripts.default_evaluator.feature_names import exchange_names

from assize.base.judgment import Question
from assize.evaluator._features import turns

D = Letters.dimension
QUALITY = "similarity.answers_mean"


def table(seed: int, names: list[str], n: int = 120) -> Table:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, len(exchange_names(D))))[:, : len(names)]
    ids = np.array([f"c{number}" for number in range(n)])
    bots = np.array([f"b{number % 4}" for number in range(n)])
    return Table(rows, {"good": rows[:, names.index(QUALITY)].copy()}, None, bots, ids)


def dimension(name: str) -> Dimension:
    asked = Question(name, kind="number", extra={"levels": [0.25, 0.75]})
    return Dimension(asked, {"reliable-eval": {"good": 1.0}, "ieval": {"good": 1.0}})


def made(names: list[str]) -> Corpora:
    """Two corpora, and a degraded bot."""
    conversations = {"reliable-eval": table(1, names), "ieval": table(2, names)}
    worse = table(3, names, 40)
    worse.rows[:, names.index(QUALITY)] -= 3
    return Corpora(conversations, conversations, {}, worse)


@pytest.fixture
def letters() -> Letters:
    return Letters()


@pytest.fixture
def corpora() -> Corpora:
    return made(exchange_names(D))


@pytest.fixture
def before() -> Corpora:
    """The same with the features of `turns`, which come first among those of `exchanges`."""
    return made(turns.names(D))


@pytest.fixture
def dimensions() -> list[Dimension]:
    return both()


def both() -> list[Dimension]:
    return [dimension("overall"), dimension("second")]


@pytest.fixture(scope="session")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """The study of both dimensions on these corpora; its folder has no others."""
    corpora, before = made(exchange_names(D)), made(turns.names(D))
    folder = tmp_path_factory.mktemp("no-corpora")
    return study(corpora, before, folder, Letters(), dimensions=both())
