"""What a study of criteria comes to: figures by method and policy, and their differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

import numpy as np

from assize.criteria._selection.pool import Mask
from assize.criteria._selection.window import Wanted, Window
from assize.formats.labels import Labels
from assize.results import Column, Estimate, Hidden, Result, ResultTable, Table
from assize.results.numbers import with_interval
from assize.stats._arrays import FloatArray, IntArray

Points = Annotated[Estimate, Column(kind="percent", digits=1, ends="below", coarse=0)]


@dataclass(frozen=True, eq=False)
class HeldOutScores:
    """Scores of test conversations, and what was learnt on training ones.

    Args:
        sat: (N,) sum of what SAT criteria say; NaN where one is unscored.
        dsat: (N,) sum of what DSAT criteria say, not negated.
        good: (N,) labels.
        threshold: of NetSAT, above which a conversation is good.
        learnt: the window of the training conversations.
        wanted: how surely labels must be right.
    """

    sat: FloatArray
    dsat: FloatArray
    good: Mask
    threshold: float
    learnt: Window
    wanted: Wanted

    @property
    def nets(self) -> FloatArray:
        """NetSAT (N,); NaN where a criterion is unscored."""
        return self.sat - self.dsat

    @property
    def unscored(self) -> int:
        """Conversations without a NetSAT."""
        return int(np.isnan(self.nets).sum())

    def rows(self, rows: IntArray) -> HeldOutScores:
        """Some of the conversations, each as often as it is named."""
        return replace(self, sat=self.sat[rows], dsat=self.dsat[rows], good=self.good[rows])


@dataclass(frozen=True, slots=True, eq=False)
class StudyMeasures:
    """The measures of one method with one policy.

    Args:
        name: the method, the policy, or both, whatever tells rows apart.
        delta_netsat: NetSAT of good conversations less that of bad ones.
        yield_test: share labelled at the precision wanted, by a window that is found on the test
            half, as published.
        accuracy, precision, recall, f1: of the threshold learnt on the training half.
        yield_train, precision_train: share labelled by the window of the training half, and of
            these the share whose label is right.
        correlation: Pearson's r of the sums of SAT and of DSAT criteria.
    """

    name: str
    method: Hidden[str]
    policy: Hidden[str]
    delta_netsat: Annotated[Estimate, Column("good less bad", digits=1, ends="below")]
    yield_test: Annotated[Estimate, Column("yield", "percent", 1, "below", 0)]
    accuracy: Points
    precision: Points
    recall: Points
    f1: Annotated[Estimate, Column("F1", "percent", 1, "below", 0)]
    yield_train: Annotated[Estimate, Column("yield, own window", "percent", 1, "below", 0)]
    precision_train: Annotated[Estimate, Column("precision, own window", "percent", 1, "below", 0)]
    correlation: Annotated[Estimate, Column("r", digits=2, ends="below")]


@dataclass(frozen=True, slots=True, eq=False)
class StudyRow(StudyMeasures):
    """The measures on the test halves, as means over splits.

    Args:
        size: criteria chosen, mean over splits, of `pool` that there were to choose from.
        n: test conversations, all splits together.
        unscored: of these, those without a NetSAT.
        chosen: ids, a list a split.
        weights: of sharpness, one a split; None where the set fits the budgets and is taken whole.
        tests: the scores of the test half, one a split.
    """

    size: Annotated[float, Column("criteria", digits=1)]
    pool: Annotated[int, Column("of", extra=True)]
    n: int
    unscored: int
    chosen: Hidden[Sequence[Sequence[str]]]
    weights: Hidden[Sequence[float | None]]
    tests: Sequence[HeldOutScores] = field(default=(), repr=False)

    @property
    def whole(self) -> bool:
        """Whether the set fits the budgets, so that there was nothing to choose."""
        return all(weight is None for weight in self.weights)


@dataclass(frozen=True, slots=True, eq=False)
class StudyDifference(StudyMeasures):
    """Each measure of a method with a policy, less that of another, on the same resamples.

    Args:
        less: the first method, by the same policy; or the first policy, for the same method.
    """

    less: Hidden[str]


@dataclass(frozen=True, slots=True)
class CriteriaStudy(Result):
    """Methods and policies, compared on conversations that no criterion was chosen on.

    Args:
        rows: every method with every policy.
        differences: of each to the first method and to the first policy.
        splits, resamples: over which figures are means, and which intervals are from.
        train, test: good and bad conversations of a half.
        policies: in the order given; methods are compared by the first.
        precision: that yields are of.
        labels: what good and bad were.
        agreement: between the people who labelled; None where labels are not people's judgments.
        signature: of scores, labels and settings.
    """

    heading: ClassVar[str] = "Study of criteria"

    rows: Annotated[
        Sequence[StudyRow],
        Table(
            "Methods and policies",
            "What each makes of conversations that its criteria were not chosen on; in percent,"
            " but for NetSAT of good less bad conversations and r.",
        ),
    ]
    differences: Annotated[
        Sequence[StudyDifference],
        Table(
            "Less the first",
            "How much each method and policy differs from the first one, with 95% intervals.",
        ),
    ]
    splits: Hidden[int]
    resamples: Hidden[int]
    train: Mapping[str, int]
    test: Mapping[str, int]
    policies: Sequence[str]
    precision: float
    labels: Labels
    agreement: Result | None = None
    notes: Sequence[str] = ()
    signature: str = ""
    settings: Mapping[str, object] = field(default_factory=dict, repr=False)

    @property
    def sentence(self) -> str:
        """What was compared, and which did best."""
        best = max(self.rows, key=lambda row: row.delta_netsat.estimate)
        counts = f"{self.test['good']:,} good and {self.test['bad']:,} bad test conversations"
        methods, policies = len({row.method for row in self.rows}), len(self.policies)
        return (
            f"Of {methods} method{'s' if methods > 1 else ''} and"
            f" {policies} {'policies' if policies > 1 else 'policy'} on {counts}, {best.method} by"
            f" {best.policy} parts good from bad ones most: NetSAT differs by"
            f" {with_interval(best.delta_netsat, 1)}."
        )

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """What the figures are of."""
        whole = sorted({row.method for row in self.rows if row.whole})
        return {
            "rows": [
                f"Yield: share labelled at {100 * self.precision:g}% precision by a window of the"
                " test half, as published; own window: that of the training half. r: of the SAT"
                " and the DSAT sums. Intervals: 95% over test conversations.",
                *([f"{', '.join(whole)}: within the budgets, so taken whole."] if whole else []),
            ]
        }

    @property
    def missing(self) -> tuple[int, int]:
        """Test conversations without a NetSAT, over all rows and splits, and how many there are."""
        return sum(row.unscored for row in self.rows), sum(row.n for row in self.rows)

    def row(self, method: str, policy: str | None = None) -> StudyRow:
        """Return one method with one policy, the first by default."""
        wanted = self.policies[0] if policy is None else policy
        return next(row for row in self.rows if (row.method, row.policy) == (method, wanted))

    def paper_tables(self) -> Mapping[str, ResultTable]:
        """The agreement of all who labelled, or of the two that there are."""
        if self.agreement is None:
            return {}
        tables = {name.rpartition(": ")[2]: table for name, table in self.agreement.tables.items()}
        first = next(name for name in ("overall", "pairs", *tables) if name in tables)
        title = "Agreement of the people who labelled"
        return {"agreement of labels": replace(tables[first], title=title)}
