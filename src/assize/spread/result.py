"""What `measure_spread` returns: figures of each group, period and version, and their curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from assize.base.judgment import Question
from assize.formats.times import Period
from assize.results import Column, Estimate, Percent, Result, Table, Test
from assize.results.numbers import counted
from assize.spread.density import Grid
from assize.spread.groups import Groups
from assize.spread.ratings import FloatArray


@dataclass(frozen=True, slots=True)
class GroupMean:
    """The numbers of one group of conversations.

    Args:
        n: conversations with a number; kept apart, raters' numbers.
        unscored: conversations that were asked about and have none.
        difference: less the mean of the first group, over pairs where there are pairs.
        p_holm: adjusted for all differences; None of the first group.
        verdict: better, worse, or not shown.
    """

    question: str
    group: str
    n: int
    unscored: int
    not_applicable: int
    mean: Estimate
    difference: Annotated[Estimate | None, Column("less the first", signed=True)] = None
    test: Annotated[Test | None, Column("p", extra=True)] = None
    p_holm: Annotated[float | None, Column("p (Holm)", "p")] = None
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class AnswerShare:
    """How often one answer, or one of a few numbers, is given in a group.

    Each conversation counts with the share of its raters who give the answer; kept apart each
    rater's answer counts. A predicted rater gives each answer with its probability.

    Args:
        difference: less the share in the first group.
    """

    question: str
    answer: str
    group: str
    n: int
    unscored: int
    share: Percent[Estimate]
    difference: Annotated[
        Estimate | None, Column("less the first", "percent", digits=1, unit="%", signed=True)
    ] = None


@dataclass(frozen=True, slots=True)
class PeriodFigure:
    """A mean, a quantile or a share in one period.

    Args:
        line: group, or of a nominal question without groups the answer.
    """

    question: str
    line: str
    period: str
    figure: Annotated[Estimate | None, Column("mean")]
    share: Percent[Estimate | None]


@dataclass(frozen=True, slots=True)
class Fallen:
    """A conversation that is worse than its pair in the first group.

    Args:
        change: of the question's number; below 0 where higher is better.
    """

    question: str
    item: str
    group: str
    pair: str
    value: float
    change: Annotated[float, Column(signed=True)]


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """What the chart of one question shows.

    Args:
        raters: whose answers, in words.
        grid: of the scale; None where shares are shown.
        curves: by group (3, P) its density, and the ends of its band; none where shares are shown.
        edges: where strips of the scale begin and end, that lead to their conversations.
        values: (V,) the numbers whose shares are shown; none of a nominal question.
    """

    question: Question
    raters: str
    grid: Grid | None
    curves: Mapping[str, FloatArray]
    edges: FloatArray
    values: FloatArray = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True)
class Spread(Result):
    """How answers are spread over conversations."""

    heading = "How answers are spread"

    conversations: int
    means: Annotated[
        Sequence[GroupMean],
        Table("Means", "Where each group of conversations stands.", "question"),
    ]
    shares: Annotated[
        Sequence[AnswerShare], Table("Shares", "How often each answer is given.", "question")
    ]
    periods: Annotated[
        Sequence[PeriodFigure], Table("Over time", "Whether answers change.", "question")
    ]
    fallen: Annotated[
        Sequence[Fallen],
        Table("Fell furthest", "What to read: conversations that are worse than their pair."),
    ]
    distributions: Sequence[Distribution] = field(repr=False)
    spans: Sequence[Period] = field(repr=False)
    groups: Groups = field(repr=False)
    notes: Sequence[str] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    signature: str = ""

    @property
    def sentence(self) -> str:
        """How many conversations and questions there are."""
        questions = counted(len(self.distributions), "question")
        return f"{counted(self.conversations, 'conversation')}, {questions}."

    @property
    def missing(self) -> tuple[int, int]:
        """Conversations without a number, and those that were asked about."""
        unscored = sum(row.unscored for row in self.means)
        return unscored, unscored + sum(row.n for row in self.means)
