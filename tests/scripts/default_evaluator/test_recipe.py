from __future__ import annotations

import numpy as np
from scripts.default_evaluator.corpora import Corpora, Sides, Table
from scripts.default_evaluator.recipe import DIMENSIONS, Dimension, population, sources
from tests.scripts.default_evaluator.conftest import dimension, two_corpora

from assize.base.judgment import Question

BARE = np.array(["", ""])
TABLE = Table(np.zeros((2, 3)), {"good": np.array([0.0, 2.0])}, None, BARE, BARE)
SIDES = Sides(np.ones((2, 3)), np.zeros((2, 3)), np.array([1.0, -1.0]))


def test_the_left_out_corpus_is_not_among_the_sources() -> None:
    found = sources(dimension("overall"), two_corpora(), left_out="reliable-eval")
    assert [source.corpus for source in found] == ["ieval"]


def test_small_corpora_of_another_kind_count_less() -> None:
    asked = Dimension(
        Question("overall"),
        {"conture": {"good": 1.0}},
        {"conture": {"good": 1.0}, "mrbench": {"good": 1.0}},
        ("hh-helpful",),
    )
    turns = {"conture": TABLE, "mrbench": TABLE}
    found = sources(asked, Corpora({"conture": TABLE}, turns, {"hh-helpful": SIDES}))
    weights = [(source.corpus, source.weight) for source in found]
    assert weights == [("conture", 0.5), ("conture", 0.5), ("mrbench", 0.25), ("hh-helpful", 0.5)]


def test_scores_are_relative_to_rated_conversations_or_else_to_the_own_pairs() -> None:
    corpora = Corpora({"x": TABLE}, {"x": TABLE, "p": TABLE}, {"p": SIDES})
    both = Dimension(Question("overall"), {"x": {"good": 1.0}}, pairs=("p",))
    alone = Dimension(Question("safe"), pairs=("p",))
    assert list(population(both, corpora)["conversation"]) == ["x"]
    assert list(population(alone, corpora)["conversation"]) == ["p"]
    assert len(population(alone, corpora)["conversation"]["p"]) == 4


def test_nothing_without_a_licence_trains() -> None:
    for one in DIMENSIONS:
        assert not {"uss", "gupta", "grade"} & {*one.conversations, *one.turns, *one.pairs}
