"""Simulated corpora in which one feature is the quality."""

from __future__ import annotations

import numpy as np
import pytest
from letters import Letters
from scripts.default_evaluator.corpora import Corpora, Reader, Table
from scripts.default_evaluator.recipe import Dimension
from scripts.default_evaluator.study import Study, study
from tests.scripts.default_evaluator.feature_names import names

from assize.base.judgment import Question

D = Letters.dimension
QUALITY = "similarity.answers_mean"
NAMES = names(D)


def table(seed: int, n: int = 120) -> Table:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, len(NAMES)))
    ids = np.array([f"c{number}" for number in range(n)])
    bots = np.array([f"b{number % 4}" for number in range(n)])
    return Table(rows, {"good": rows[:, NAMES.index(QUALITY)].copy()}, None, bots, ids)


def dimension(name: str) -> Dimension:
    asked = Question(name, kind="number", extra={"levels": [0.25, 0.75]})
    return Dimension(asked, {"reliable-eval": {"good": 1.0}, "ieval": {"good": 1.0}})


def two_corpora() -> Corpora:
    """Two corpora, and a degraded bot."""
    conversations = {"reliable-eval": table(1), "ieval": table(2)}
    worse = table(3, n=40)
    worse.rows[:, NAMES.index(QUALITY)] -= 3
    return Corpora(conversations, conversations, {}, worse)


def two_dimensions() -> list[Dimension]:
    return [dimension("overall"), dimension("second")]


@pytest.fixture(scope="session")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """The study of both dimensions on these corpora; its folder has no others."""
    folder = tmp_path_factory.mktemp("no-corpora")
    return study(two_corpora(), folder, Reader(Letters()), dimensions=two_dimensions())
