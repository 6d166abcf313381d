"""What a study of learning from judges came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np

from assize.evaluator._measuring.runtime import Runtime
from assize.evaluator._study.vote_counts import VoteCounts
from assize.results import Column, Estimate, Hidden, Result, Table
from assize.results.numbers import counted, percent
from assize.stats._studies import MethodTable, Pairing

AsShare = Column(kind="percent", digits=1, ends="below")
AsChange = replace(AsShare, signed=True)


@dataclass(frozen=True, slots=True)
class Learner:
    """What one learner comes to on held-out pairs.

    Args:
        group: what it learnt from: one judge, all judges, another jury, gold, or the votes alone.
        name: of the learner or the judge.
        with_tie, without_tie: accuracy over A, tie and B, and over sides where gold is decided.
        p_with_tie, p_without_tie: whether its errors are those of all judges together, flipped
            group by group and corrected (Holm); NaN for that row itself.
    """

    group: str
    name: Annotated[str, Column("learnt from")]
    about: Hidden[str]
    with_tie: Annotated[Estimate, replace(AsShare, name="with ties")]
    p_with_tie: Annotated[float, Column("p", kind="p")]
    without_tie: Annotated[Estimate, replace(AsShare, name="without ties")]
    p_without_tie: Annotated[float, Column("p without", kind="p")]
    n: int
    unscored: int


@dataclass(frozen=True, slots=True)
class JuryChange:
    """What another jury changes, against the default one with the same learner.

    Args:
        jury: its name, such as `- gpt-4`.
        about: what is other.
        with_tie, without_tie: accuracy less the default's, pair by pair.
        p_with_tie, p_without_tie: corrected over all rows (Holm).
    """

    jury: str
    about: Annotated[str, Column("what changes", cut=True)]
    with_tie: Annotated[Estimate, replace(AsChange, name="with ties")]
    p_with_tie: Annotated[float, Column("p", kind="p")]
    without_tie: Annotated[Estimate, replace(AsChange, name="without ties")]
    p_without_tie: Annotated[float, Column("p without", kind="p")]


@dataclass(frozen=True, slots=True)
class JudgeOnPairs:
    """One judge's votes and what was learnt of it.

    Args:
        alpha, beta: sensitivity and specificity from its `n` votes for a side alone.
        alpha_with_texts, beta_with_texts: learnt together with the linear head from all pairs.
        right: share of its votes for a side that are gold's, on pairs with decided gold.
    """

    judge: str
    alpha: Annotated[Estimate, Column(digits=2)]
    beta: Annotated[Estimate, Column(digits=2)]
    alpha_with_texts: Annotated[float, Column("alpha, with texts", digits=2)]
    beta_with_texts: Annotated[float, Column("beta, with texts", digits=2)]
    right: Annotated[float, Column(kind="percent", digits=1)]

    @property
    def reliability(self) -> float:
        """(alpha + beta) / 2 from votes alone."""
        return (self.alpha.estimate + self.beta.estimate) / 2


@dataclass(frozen=True, slots=True)
class EvaluatorStudy(Result):
    """Learners and juries on the same held-out pairs.

    Args:
        question: what the votes are about.
        source: whose word is the gold: `gold` or `people`.
        learners: every row's figures.
        juries: the juries of table 3 against the default one.
        judges: reliabilities, and how often each judge is right; the best first.
        votes: how often each judge said what; empty where it was not counted.
        runtimes: seconds an instance, where they were asked for.
        tests: between all learners, by the errors with ties and without.
        table: rows, figures and tests as they were made.
        together: the row of all judges that single judges are compared with.
        default: the row of the default jury.
        pairs: with a vote.
        groups: sets of pairs that share a text.
        measured: pairs with gold.
        left_out: pairs without a vote, or with nothing to read on a side.
        reliability_right: Pearson's correlation of learnt reliabilities with the shares of
            right votes, over judges.
        folds, seeds: of the pairs, and how often they were dealt.
        failed: by row, why it has no figure.
        doubts: why reliabilities may be the wrong way round.
    """

    heading = "Learning from judges"

    question: str
    source: str
    learners: Annotated[
        Sequence[Learner],
        Table(
            "Learnt from votes",
            "How often an evaluator that learnt from these votes answers new pairs as gold does.",
            group="group",
        ),
    ]
    juries: Annotated[
        Sequence[JuryChange],
        Table("Other juries", "What another jury changes, in points of accuracy."),
    ]
    judges: Annotated[
        Sequence[JudgeOnPairs],
        Table(
            "What is learnt of each judge",
            "How often each judge is right, as its votes tell and as gold tells.",
            notes=[
                "alpha: share of votes for A where A is better, beta: of votes for B where B is;"
                " from the votes alone, and learnt with the texts. n: votes for a side. right:"
                " share of these that are gold's; nothing learns from it."
            ],
        ),
    ]
    votes: Annotated[
        Sequence[VoteCounts],
        Table("Votes", group="question", notes=["Each order and repeat of a judge is one vote."]),
    ]
    tests: Sequence[Pairing]
    table: MethodTable = field(repr=False)
    together: str
    default: str
    pairs: int
    groups: Annotated[int, Column("groups that share a text")]
    measured: Annotated[int, Column("pairs with gold")]
    left_out: Hidden[int]
    reliability_right: Annotated[
        Estimate, Column("learnt reliabilities and right votes, Pearson", digits=2)
    ]
    folds: Hidden[int]
    seeds: Hidden[int]
    failed: Mapping[str, str]
    doubts: Sequence[str]
    signature: str
    runtimes: Annotated[
        Sequence[Runtime], Table("Seconds an instance, one at a time", notes=["95% intervals."])
    ] = ()

    @property
    def sentence(self) -> str:
        """How much all judges together teach, and one alone."""
        together = self.table.figures[self.together]["with_tie"].estimate
        alone = single_mean(self.table, "with_tie")
        return (
            f"{self.question}: learnt from all judges ({self.together}) {percent(together)} of new"
            f" pairs are answered as gold does; from one judge alone {percent(alone)} on average."
        )

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """What the tests compare."""
        learners = (
            "In percent, with the 95% interval over groups of pairs at one way to deal folds; ±:"
            f" deviation over the ways. p: errors against those of `{self.together}`, flipped group"
            " by group, Holm-corrected."
        )
        juries = (
            f"Less `{self.default}` on the same pairs, in points, with 95% intervals over groups of"
            " pairs; p Holm-corrected over all rows."
        )
        return {"learners": [learners], "juries": [juries]}

    @property
    def notes(self) -> Sequence[str]:
        """How pairs were held out, what failed, and what to doubt."""
        whose = "gold labels" if self.source == "gold" else "what people preferred"
        held = (
            f"{counted(self.pairs, 'pair')} in {counted(self.groups, 'group')} that share a text,"
            f" {self.measured:,} with gold; {self.folds} folds, dealt"
            f" {counted(self.seeds, 'time')}; against {whose}"
        )
        lost = f"{self.left_out:,} pairs are left out: no vote, or nothing to read on a side"
        failed = [f"{name}: {why}" for name, why in self.failed.items()]
        return [held, *([lost] if self.left_out else []), *self.doubts, *failed]


def learners_of(table: MethodTable, together: str) -> list[Learner]:
    """Return every row of a table with its figures and its tests against all judges together."""
    p_with, p_without = (table.against(together, loss) for loss in table.losses)
    rows = []
    for row in table.rows:
        figures = table.figures[row.name]
        with_tie, without = (figures[name] for name in ("with_tie", "without_tie"))
        tests = [p.get(row.name, np.nan) for p in (p_with, p_without)]
        rows.append(
            Learner(
                row.group,
                row.name,
                row.about,
                with_tie,
                tests[0],
                without,
                tests[1],
                with_tie.n,
                with_tie.unscored,
            )
        )
    return rows


def single_mean(table: MethodTable, measure: str, group: str = "one judge") -> float:
    """Return the mean figure of the rows that learn from one judge each."""
    values = [table.figures[row.name][measure].estimate for row in table.rows if row.group == group]
    known = [value for value in values if value == value]
    return float(np.mean(known)) if known else float("nan")
