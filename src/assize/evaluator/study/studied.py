"""What a study of learning from judges came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assize.results import Result
from assize.results.numbers import counted
from assize.stats import Estimate, pearson
from assize.stats.estimate import nullable
from assize.studies import Folds, MethodTable

if TYPE_CHECKING:
    from assize.evaluator.measuring.runtime import Runtime
    from assize.evaluator.study.vote_counts import VoteCounts


@dataclass(frozen=True, slots=True)
class Change:
    """What another jury changes, against the default one with the same learner.

    Args:
        jury: its name, such as `- gpt-4`.
        with_tie, without_tie: accuracy less the default's, pair by pair.
    """

    jury: str
    about: str
    with_tie: Estimate
    without_tie: Estimate

    def to_json(self) -> dict[str, Any]:
        """Both differences."""
        differences = {"with_tie": self.with_tie, "without_tie": self.without_tie}
        named = {"jury": self.jury, "about": self.about}
        return named | {name: one.to_json() for name, one in differences.items()}


@dataclass(frozen=True, slots=True)
class JudgeOnPairs:
    """One judge's votes and what was learnt of it.

    Args:
        votes: for a side.
        alpha, beta: sensitivity and specificity from votes alone, with 95% intervals.
        alpha_with_texts, beta_with_texts: learnt together with the linear head from all pairs.
        right: share of its votes for a side that are gold's, on pairs with decided gold.
    """

    judge: str
    votes: int
    alpha: float
    alpha_interval: tuple[float, float]
    beta: float
    beta_interval: tuple[float, float]
    alpha_with_texts: float
    beta_with_texts: float
    right: float

    @property
    def reliability(self) -> float:
        """(alpha + beta) / 2 from votes alone."""
        return (self.alpha + self.beta) / 2

    def to_json(self) -> dict[str, Any]:
        """As it stands in `--json`."""
        return {
            "judge": self.judge,
            "votes": self.votes,
            "alpha": {"estimate": nullable(self.alpha), "interval": _json(self.alpha_interval)},
            "beta": {"estimate": nullable(self.beta), "interval": _json(self.beta_interval)},
            "alpha_with_texts": nullable(self.alpha_with_texts),
            "beta_with_texts": nullable(self.beta_with_texts),
            "right": nullable(self.right),
        }


def _json(interval: tuple[float, float]) -> list[float | None]:
    return [nullable(end) for end in interval]


@dataclass(frozen=True, slots=True, eq=False)
class EvaluatorStudy(Result):
    """Learners and juries on the same held-out pairs.

    Args:
        question: what the votes are about.
        source: whose word is the gold: `gold` or `people`.
        table: every row's figures, and the tests between all.
        changes: the juries of table 3 against the default one.
        default: the row of the default jury.
        together: the row of all judges that single judges are compared with.
        judges: reliabilities, and how often each judge is right.
        counts: how often each judge said what; empty where it was not counted.
        folds: of the pairs.
        groups: sets of pairs that share a text.
        pairs: with a vote.
        failed: by row, why it has no figure.
        doubts: why reliabilities may be the wrong way round.
        left_out: pairs without a vote, or with nothing to read on a side.
        runtimes: seconds an instance, where they were asked for.
    """

    question: str
    source: str
    table: MethodTable
    changes: Sequence[Change]
    default: str
    together: str
    judges: Sequence[JudgeOnPairs]
    counts: Sequence[VoteCounts]
    folds: Folds
    groups: int
    pairs: int
    failed: Mapping[str, str]
    doubts: Sequence[str]
    left_out: int
    signature: str
    runtimes: Sequence[Runtime] = ()

    tables_from = "assize.evaluator.study.tables:study_tables"

    @property
    def found(self) -> Estimate:
        """Pearson's correlation of learnt reliabilities with the shares of right votes."""
        learnt = [one.reliability for one in self.judges]
        return pearson(learnt, [one.right for one in self.judges])

    @property
    def lines(self) -> Sequence[str]:
        """The signature."""
        return [f"signature {self.signature}"]

    @property
    def notes(self) -> Sequence[str]:
        """How pairs were held out, what failed, and what to doubt."""
        whose = "gold labels" if self.source == "gold" else "what people preferred"
        held = (
            f"{counted(self.pairs, 'pair')} in {counted(self.groups, 'group')} that share a text,"
            f" {self.table.count:,} with gold; {self.folds.count} folds, dealt"
            f" {counted(len(self.folds.seeds), 'time')}; against {whose}"
        )
        left = (
            [f"{self.left_out:,} pairs are left out: no vote, or nothing to read on a side"]
            if self.left_out
            else []
        )
        failed = [f"{name}: {why}" for name, why in self.failed.items()]
        return [held, *left, *self.doubts, *failed]

    def to_json(self) -> dict[str, Any]:
        """Every row, test, change, judge and count."""
        return {
            "question": self.question,
            "gold": self.source,
            "pairs": self.pairs,
            "groups": self.groups,
            "left_out": self.left_out,
            "measured": self.table.count,
            "folds": self.folds.count,
            "seeds": len(self.folds.seeds),
            **self.table.to_json(),
            "default": self.default,
            "changes": [one.to_json() for one in self.changes],
            "judges": [one.to_json() for one in self.judges],
            "reliability_found": self.found.to_json(),
            "votes": [one.to_json() for one in self.counts],
            "runtime": [one.to_json() for one in self.runtimes],
            "failed": dict(self.failed),
            "doubts": list(self.doubts),
            "signature": self.signature,
        }


def single_mean(study: EvaluatorStudy, measure: str, group: str = "one judge") -> float:
    """The mean figure of the rows that learn from one judge each."""
    values = [
        study.table.figures[row.name][measure].estimate
        for row in study.table.rows
        if row.group == group
    ]
    known = [one for one in values if one == one]
    return float(np.mean(known)) if known else float("nan")
