"""What was learnt of the judges: one row a judge and question, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assize.evaluator.features.surface import FloatArray
from assize.evaluator.training.given_differences import Bounds, Reliabilities
from assize.evaluator.training.lessons import Lessons
from assize.results import Cell, Result, ResultTable, columns

if TYPE_CHECKING:
    from assize.evaluator.evaluator import Evaluator

INTERVALS = "95% intervals from the observed information, given the network"


@dataclass(frozen=True, slots=True)
class JudgeReliability:
    """One judge on one question.

    Args:
        votes: for a side; both orders of a pair are two.
        alpha, beta: sensitivity P(A | A is better) and specificity P(B | B is better), among
            votes for a side; each with its interval.
        agrees: share of its votes that the network agrees with on pairs it did not learn from.
    """

    judge: str
    question: str
    votes: float
    alpha: float
    alpha_low: float
    alpha_high: float
    beta: float
    beta_low: float
    beta_high: float
    agrees: float


@dataclass(frozen=True, slots=True)
class LearntReliabilities:
    """All judges on all questions; those without a vote for a side are left out."""

    rows: tuple[JudgeReliability, ...]

    @classmethod
    def of(
        cls, lessons: Lessons, found: Reliabilities, bounds: Bounds, difference: FloatArray
    ) -> LearntReliabilities:
        """From what was learnt, and differences (N, K) of pairs not learnt from."""
        votes = lessons.votes
        total = (votes.for_a + votes.for_b).sum(axis=0)
        above = (difference > 0)[:, None]
        right = np.where(above, votes.for_a, votes.for_b).sum(axis=0)
        rows = [
            JudgeReliability(
                judge,
                question,
                float(total[j, k]),
                float(found.alpha[j, k]),
                float(bounds.alpha_low[j, k]),
                float(bounds.alpha_high[j, k]),
                float(found.beta[j, k]),
                float(bounds.beta_low[j, k]),
                float(bounds.beta_high[j, k]),
                float(right[j, k] / total[j, k]),
            )
            for k, question in enumerate(lessons.questions)
            for j, judge in enumerate(lessons.judges)
            if total[j, k] > 0
        ]
        return cls(tuple(rows))

    def to_json(self) -> list[dict[str, Any]]:
        """A dict a row, six digits."""
        return [
            {
                name: round(value, 6) if isinstance(value, float) else value
                for name, value in asdict(row).items()
            }
            for row in self.rows
        ]


def learnt_in(about: Mapping[str, Any]) -> LearntReliabilities:
    """What an evaluator's `about` holds of its judges; nothing for one learnt otherwise."""
    rows: list[Mapping[str, Any]] = about.get("reliabilities", [])
    known: list[dict[str, Any]] = [
        {name: np.nan if one is None else one for name, one in row.items()} for row in rows
    ]
    return LearntReliabilities(tuple(JudgeReliability(**row) for row in known))


def reliability_table(about: Mapping[str, Any]) -> ResultTable:
    """A row a judge and question, with intervals."""
    named = [
        *columns("words", "question", "judge"),
        *columns("count", "votes"),
        *columns("words", "alpha", "beta"),
        *columns("number", "agrees", digits=2),
    ]
    rows: list[Sequence[Cell]] = [
        (
            row.question,
            row.judge,
            round(row.votes),
            _with_interval(row.alpha, row.alpha_low, row.alpha_high),
            _with_interval(row.beta, row.beta_low, row.beta_high),
            row.agrees,
        )
        for row in learnt_in(about).rows
    ]
    return ResultTable("Reliability of the judges", named, rows)


def _with_interval(value: float, low: float, high: float) -> str:
    return f"{value:.2f} [{low:.2f}, {high:.2f}]"


@dataclass(frozen=True, slots=True)
class JudgesLearnt(Result):
    """The judges that taught an evaluator, as a result to look at."""

    evaluator: Evaluator

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`reliabilities`."""
        return {"reliabilities": reliability_table(self.evaluator.about)}

    @property
    def lines(self) -> Sequence[str]:
        """What the intervals are, and the signature."""
        return [INTERVALS, f"signature {self.evaluator.signature}"]

    def to_json(self) -> dict[str, Any]:
        """By judge and question."""
        rows = learnt_in(self.evaluator.about).to_json()
        return {"reliabilities": rows, "signature": self.evaluator.signature}
