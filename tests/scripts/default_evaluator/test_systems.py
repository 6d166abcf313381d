from __future__ import annotations

import numpy as np
from letters import Letters
from scripts.default_evaluator.carryover import learners
from scripts.default_evaluator.corpora import Corpora, Table
from scripts.default_evaluator.recipe import Dimension
from scripts.default_evaluator.systems import better, better_from_worse, worse_halves


def table(bots: list[str], ratings: list[float]) -> Table:
    names = np.array(bots)
    rows = np.arange(float(len(bots)))[:, None]
    return Table(rows, {"good": np.array(ratings)}, None, names, names)


def test_the_better_half_is_by_mean_and_holds_the_middle_system() -> None:
    one = table(["x", "x", "y", "y", "z"], [0, 10, 1, 1, 4])
    found = better(one, {"good": 1.0})
    assert found is not None
    assert found.tolist() == [True, True, False, False, True]


def test_a_corpus_of_one_or_no_system_is_not_split() -> None:
    assert better(table(["", ""], [1, 2]), {"good": 1.0}) is None
    assert better(table(["x", "x"], [1, 2]), {"good": 1.0}) is None


def test_better_systems_do_not_train(
    corpora: Corpora, before: Corpora, dimensions: list[Dimension]
) -> None:
    weak = worse_halves(corpora, dimensions[0])
    for name, one in weak.conversations.items():
        whole = corpora.conversations[name]
        means = {bot: whole.ratings["good"][whole.bots == bot].mean() for bot in set(whole.bots)}
        assert set(one.bots) == set(sorted(means, key=lambda bot: means[bot])[:2])
    models = learners(corpora, before, Letters.dimension)
    for held in better_from_worse(dimensions[0], models):
        assert len(held.target) == 60
        assert held.measure().estimate > 0.5
