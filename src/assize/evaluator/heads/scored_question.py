"""What a raw number means: a question, and the maps from raw numbers to scores in [0, 1]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize.errors import DataError
from assize.evaluator.features.surface import FloatArray
from assize.evaluator.features.views import Level
from assize.evaluator.heads.monotone_map import MonotoneMap, fit_map
from assize.judgment import Question

SCORES = "share of the training data that is predicted worse, each corpus counted alike"

Population = Mapping[Level, Mapping[str, FloatArray]]
"""What scores are relative to: numbers of each corpus's views, by level."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoredQuestion:
    """One question of an evaluator, and how a head's raw number becomes its score."""

    # what the score answers; its range is [0, 1]. A question of kind `preference` is asked of pairs
    # only: its raw number says which of two responses is better, and nothing of one alone.
    question: Question
    # from raw number to score, for whole conversations and for single turns
    maps: Mapping[Level, MonotoneMap]
    # low, high: scores at or below `low` are flagged as poor, at or above `high` as good
    low: float = 0.25
    high: float = 0.75
    trained_on: tuple[str, ...] = ()  # names of the corpora

    @property
    def pairs_only(self) -> bool:
        """Whether it compares two responses and says nothing of one alone."""
        return self.question.kind == "preference"


def scored_on(
    question: Question, raw: Population, trained_on: Sequence[str]
) -> tuple[ScoredQuestion, float]:
    """A question whose scores are ranks among raw numbers, and the spread by which these are
    divided: their standard deviation over the conversations (or else the turns), within and
    between corpora."""
    filled = {
        level: {name: values for name, values in corpora.items() if len(values)}
        for level, corpora in raw.items()
    }
    spread = _spread(next((corpora for corpora in filled.values() if corpora), {}))
    maps = {
        level: fit_map(*_pooled({name: values / spread for name, values in corpora.items()}))
        for level, corpora in filled.items()
        if corpora
    }
    low, high = question.extra["levels"]
    return ScoredQuestion(question, maps, low, high, tuple(trained_on)), spread


def _spread(raw: Mapping[str, FloatArray]) -> float:
    if not raw:
        raise DataError("there is no conversation to fit the score map on")
    values, weights = _pooled(raw)
    mean = np.average(values, weights=weights)
    spread = float(np.sqrt(np.average((values - mean) ** 2, weights=weights)))
    if spread < 1e-12:
        raise DataError("all conversations get the same prediction; give more, or other ones")
    return spread


def _pooled(raw: Mapping[str, FloatArray]) -> tuple[FloatArray, FloatArray]:
    """All values, and weights by which every corpus counts alike."""
    values = np.concatenate(list(raw.values()))
    weights = np.concatenate([np.full(len(part), 1 / len(part)) for part in raw.values()])
    return values, weights
