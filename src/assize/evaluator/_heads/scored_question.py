"""What a raw number means: a question, and the maps from raw numbers to scores in [0, 1]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Question
from assize.base.record_parts import FIGURES
from assize.evaluator._features.views import Level
from assize.evaluator._heads.rating_scale import RatingScale
from assize.judging.aspects import ASPECTS, OVERALL, compared_on
from assize.results import Column
from assize.results.numbers import number
from assize.stats._arrays import FloatArray

SCORES = "share of the training data that is predicted worse, each corpus counted alike"

Population = Mapping[Level, Mapping[str, FloatArray]]
"""What scores are relative to: numbers of each corpus's views, by level."""


PUBLISHED_TIE = 0.01  # MTDEval's, on scores in [0, 1] (Tang et al., appendix H)


@dataclass(frozen=True, slots=True)
class TieRule:
    """When two scores are too close to call.

    Source: Tang et al. (MTDEval), appendix H: 0.01 on their map to [0, 1], which is not
    published. Ours is the question's own map, fixed on the training dialogues and stored.
    """

    threshold: float = PUBLISHED_TIE  # scores closer than this are a tie; from 0 to 1
    # of the threshold that was learnt: ternary accuracy on pairs that did not choose it, and how
    # many labelled pairs there were
    accuracy: Annotated[float, FIGURES] = float("nan")
    n: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise DataError(f"a tie threshold lies within 0..1; this one is {self.threshold}")

    def answer(self, a: float, b: float) -> str:
        """`A`, `B` or `tie` for the scores of two sides; equal scores are a tie.

        >>> TieRule().answer(0.723, 0.674), TieRule().answer(0.505, 0.5), TieRule(0.0).answer(0, 1)
        ('A', 'tie', 'B')
        """
        apart = a - b
        if apart == 0 or abs(apart) < self.threshold:
            return "tie"
        return "A" if apart > 0 else "B"


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """The answer that is expected at a rank, on the question's own scale: a line between its ends.

    Args:
        slope: by which the answer moves from rank 0 to rank 1; negative where higher is worse.
        low, high: ends of the scale.
    """

    slope: float
    intercept: float
    low: float
    high: float

    def __call__(self, ranks: ArrayLike) -> FloatArray:
        """Return the answers at ranks (N,) in [0, 1].

        >>> AnswerLine(4.0, 2.0, 1.0, 5.0)([0.5, 1.0]).tolist()
        [4.0, 5.0]
        """
        line = self.intercept + self.slope * np.asarray(ranks, np.float64)
        return np.clip(line, self.low, self.high)


def fit_answers(
    ranks: ArrayLike, answers: ArrayLike, ends: tuple[float, float], *, rising: bool
) -> AnswerLine:
    """Return the line of least squares through ranks (N,) and answers (N,); NaN is left out.

    Args:
        ranks: of items that the evaluator had not learnt from, or the line is too steep.
        ends: of the answers' scale.
        rising: whether a higher answer is better. A slope against that is chance: it is 0, and
            every item gets the mean.
    """
    x, y = np.asarray(ranks, np.float64), np.asarray(answers, np.float64)
    known = ~(np.isnan(x) | np.isnan(y))
    x, y = x[known], y[known]
    apart = x - x.mean()
    slope = float(apart @ y / max(float(apart @ apart), 1e-12))
    if (slope > 0) is not rising:
        slope = 0.0
    return AnswerLine(slope, float(y.mean() - slope * x.mean()), *ends)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredQuestion:
    """One question of an evaluator, and how a head's raw number becomes its score.

    The score is the rank of the raw number in the training data, or, with `answers`, the answer
    that is expected there.
    """

    # what the score answers; its range is [0, 1] without `answers`. A question of kind `preference`
    # is asked of pairs only: its raw number says which of two responses is better, and nothing of
    # one alone.
    question: Question
    # from raw number to score, for whole conversations and for single turns
    maps: Mapping[Level, MonotoneMap] = field(repr=False)
    # low, high: ranks at or below `low` are flagged as poor, at or above `high` as good
    low: Annotated[float, Column("low ≤", digits=2)] = 0.25
    high: Annotated[float, Column("high ≥", digits=2)] = 0.75
    trained_on: tuple[str, ...] = ()  # names of the corpora
    # of a question that pairs are asked as well: which side is better on it. None: they are not
    ties: TieRule | None = None
    scale: RatingScale | None = None  # people's scale, where some of their ratings were given
    answers: AnswerLine | None = None  # by rank, of a question that is answered on its own scale

    def __post_init__(self) -> None:
        name, values = self.question.id, self.question.values
        if not self.maps or not 0 <= self.low <= self.high <= 1:
            raise DataError(f"{name!r} has no score map, or levels outside 0..1")
        if values is not None and len(values) != len(self.question.answers):
            raise DataError(f"{name!r} has {len(values)} values; give one an answer")

    def score(self, rank: float) -> float:
        """The score at a rank."""
        return rank if self.answers is None else float(self.answers(rank))

    @property
    def poor(self) -> float | None:
        """The score at or below which an item is poor; None where higher is worse."""
        return None if self.question.higher == "worse" else self.score(self.low)

    @property
    def meaning(self) -> str:
        """What its scores say: their ends, which one is best, and what is low."""
        line = self.answers
        first, last = ("best", "worst") if self.question.higher == "worse" else ("worst", "best")
        scale = "A score of 0.30 is better than 30% of the training data; 0 is worst, 1 is best."
        if line is not None:
            ends = f"{line.low:g} ({first}) to {line.high:g} ({last})"
            scale = f"A score is the expected answer, from {ends}."
        return scale if self.poor is None else f"{scale} low: {number(self.poor, 2)} or less."

    @property
    def ends(self) -> tuple[float, float] | None:
        """The lowest and the highest score."""
        if self.answers is None:
            return self.question.range
        return self.answers.low, self.answers.high

    @property
    def of_pairs(self) -> Question:
        """What pairs are asked of it: as `preference`, under its own name; of an aspect, what
        `judge dimensions` asks."""
        if self.question.id in (*ASPECTS, OVERALL):
            return compared_on(self.question.id)
        text = f"Which of the two is better? {self.question.text}".rstrip()
        return replace(PREFERENCE, id=self.question.id, text=text)

    @property
    def beside_pairs(self) -> Question:
        """What a dialogue is asked of it, under a name that no pair is asked: `evaluator:NAME`
        where pairs are asked too, on their own scale."""
        if self.ties is None or self.pairs_only:
            return self.question
        return replace(self.question, id=f"evaluator:{self.question.id}")

    @property
    def pairs_only(self) -> bool:
        """Whether it compares two responses and says nothing of one alone."""
        return self.question.kind == "preference"


def score_question(name: str, text: str, levels: tuple[float, float] = (0.25, 0.75)) -> Question:
    """Return a question of one dialogue that is answered by a rank in the training data.

    Args:
        levels: ranks at or below which, and at or above which, an item is flagged.
    """
    more = {"levels": list(levels)}
    return Question(
        id=name, text=text, kind="number", range=(0.0, 1.0), higher="better", extra=more
    )


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


KNOTS = 101
_EDGE = 0.01  # the share of the training data beyond the first and beyond the last knot


@dataclass(frozen=True, slots=True, eq=False)
class MonotoneMap:
    """Strictly increasing: linear between knots, approaching 0 and 1 beyond them.

    The score is the share of the training data that is predicted worse, each corpus counted alike.
    Beyond the last knot what is left to 1 (to 0 below the first) halves with every tenth of the
    knots' span, so that different numbers keep different scores.
    """

    knots: FloatArray  # raw numbers, (K,), strictly increasing
    levels: FloatArray  # the scores there, (K,), strictly increasing inside (0, 1)

    def __post_init__(self) -> None:
        if self.knots.ndim != 1 or len(self.knots) < 2 or self.knots.shape != self.levels.shape:
            raise DataError("a score map needs two knots or more, and as many levels")
        if not all(np.all(np.diff(part) > 0) for part in (self.knots, self.levels)):
            raise DataError("the knots and the levels of a score map must rise")
        if not 0 < self.levels[0] < self.levels[-1] < 1:
            raise DataError("the levels of a score map must lie between 0 and 1")

    def __call__(self, raw: ArrayLike) -> FloatArray:
        """Scores of raw numbers (N,).

        >>> MonotoneMap(np.array([0.0, 1.0]), np.array([0.25, 0.75]))([0.5, 1.1]).round(6).tolist()
        [0.5, 0.875]
        """
        values = np.asarray(raw, dtype=np.float64)
        first, last = self.knots[0], self.knots[-1]
        inside = np.interp(values, self.knots, self.levels)
        step = (last - first) / 10
        below = np.exp2(np.minimum(values - first, 0) / step)
        above = np.exp2(np.minimum(last - values, 0) / step)
        return np.asarray(1 - (1 - inside * below) * above)


def fit_map(raw: ArrayLike, weights: ArrayLike) -> MonotoneMap:
    """The map that sends raw numbers (N,) to their weighted rank among `raw`."""
    values, shares = np.asarray(raw, np.float64), np.asarray(weights, np.float64)
    order = np.argsort(values, kind="stable")
    ranks = (np.cumsum(shares[order]) - shares[order] / 2) / shares.sum()
    levels = np.linspace(_EDGE, 1 - _EDGE, KNOTS)
    knots = np.interp(levels, ranks, values[order])
    apart = np.diff(knots) > 1e-9 * float(np.ptp(values))
    keep = np.concatenate([[True], apart])
    if keep.sum() < 2:
        raise DataError("a score map needs at least two different predictions to learn from")
    return MonotoneMap(knots[keep], levels[keep])
