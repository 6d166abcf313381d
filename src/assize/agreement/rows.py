"""The rows of the tables of agreement: pairs of judges, comparisons, raters, audits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from assize.results import Column, Estimate, Hidden, Share, Test

Figure = Annotated[Estimate | None, Column(coarse=2)]
"""A statistic; None where it does not suit the question's scale."""


@dataclass(frozen=True, slots=True)
class QuestionFacts:
    """What was asked.

    Args:
        kind: scale of the answers.
        text: the question; "" where it is unknown.
        gold: judge that counts as true; None for none.
        n: items (or turns of items) that were judged.
        data: digits that stand for all answers compared.
    """

    question: str
    kind: str
    text: str
    gold: str | None
    n: int
    data: str


@dataclass(frozen=True, slots=True)
class OverallFigure:
    """One statistic of all judges of a question, such as alpha.

    The shares called perfect, majority, plurality and none are of the items that reach this
    agreement and no higher one (UPHELD, table 5).
    """

    question: str
    statistic: str
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class JudgePair:
    """The agreement of two judges, on what both answered.

    Args:
        second: gold, where one of the two is.
        unscored: items that both were asked about and one failed on.
        accuracy_with_tie: of three answers, on all pairs.
        accuracy: on pairs whose gold is decided; a predicted tie is wrong.
        accuracy_decided: where neither is a tie, which is `coverage` of the pairs.
        auc: how well a score tells gold's two answers apart.
    """

    question: str
    first: str
    second: str
    n: int
    unscored: int
    agreement: Figure = None
    kappa: Figure = None
    alpha: Figure = None
    cramers_v: Annotated[Estimate | None, Column("Cramer's V", coarse=2)] = None
    pearson: Hidden[Estimate | None] = None
    spearman: Figure = None
    kendall: Hidden[Estimate | None] = None
    rmse: Hidden[Estimate | None] = None
    mae: Annotated[Estimate | None, Column("MAE", coarse=2)] = None
    accuracy: Figure = None
    accuracy_with_tie: Hidden[Estimate | None] = None
    accuracy_decided: Annotated[Estimate | None, Column("both decided", coarse=2)] = None
    coverage: Figure = None
    auc: Annotated[Estimate | None, Column("AUC", coarse=2)] = None
    average_precision: Annotated[Estimate | None, Column("avg. precision", coarse=2)] = None

    @property
    def figures(self) -> Mapping[str, Estimate]:
        """The statistics that there are, by name."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in values.items() if isinstance(value, Estimate)}


@dataclass(frozen=True, slots=True)
class GoldComparison:
    """Which of two judges is closer to gold, on what all three answered.

    Args:
        test: a permutation test that swaps the two judges item by item.
        p_holm: its p-value after Holm's adjustment for all questions; None for one question.
        better: name of the better judge; `not shown` where the test shows no difference.
    """

    question: str
    measure: str
    first: str
    second: str
    difference: Annotated[Estimate, Column(signed=True)]
    test: Annotated[Test, Column("p")]
    p_holm: Annotated[float | None, Column("p (Holm)", "p")]
    better: str
    first_figure: Annotated[Estimate, Column("of the first", coarse=2)]
    second_figure: Annotated[Estimate, Column("of the second", coarse=2)]
    n: int
    unscored: int


@dataclass(frozen=True, slots=True)
class GroupAccuracy:
    """How often a judge prefers what gold prefers, among the items of one group.

    Ties of gold do not enter; an answer of tie counts as wrong.
    """

    question: str
    judge: str
    group: str
    accuracy: Estimate


@dataclass(frozen=True, slots=True)
class AuditFigure:
    """One figure of an audit of one judge, such as how often its answer changes with the order."""

    question: str
    judge: str
    audit: str
    estimate: Estimate
    test: Annotated[Test | None, Column("p")] = None


@dataclass(frozen=True, slots=True)
class JudgeCounts:
    """How much one judge answered of one question.

    Args:
        gold: whether the judge counts as true.
        split_votes: pairs whose votes differ by order, which count as ties.
    """

    question: str
    judge: str
    gold: bool
    n: int
    unscored: int
    not_applicable: int
    split_votes: int


@dataclass(frozen=True, slots=True)
class RaterFigures:
    """How one rater differs from the others, on items that at least one of them answered too.

    Args:
        n: such items.
        difference: the rater's mean less the others' on the same items; None of nominal answers.
        agreement: share of the others who gave the same answer; None of numbers.
        correlation: Spearman's, with the others' mean; of answers with an order.
        odd: share of the answers that are odd, where at least two others answered: more than half
            of them gave one other answer, or a number is three times as far from their median as
            the median answer.
    """

    question: str
    rater: str
    n: int
    unscored: int
    difference: Annotated[
        Estimate | None, Column("mean less the others'", coarse=2, ends="below", signed=True)
    ]
    agreement: Annotated[Estimate | None, Column("agreement with the rest", coarse=2, ends="below")]
    correlation: Annotated[
        Estimate | None, Column("Spearman with the rest", coarse=2, ends="below")
    ]
    odd: Annotated[Share, Column("odd answers", kind="percent", digits=0, unit="%", ends="below")]
