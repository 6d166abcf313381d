"""A table of methods: every figure of every method, and tests between all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Annotated, Any

import numpy as np

from assize import stats
from assize.base.errors import DataError
from assize.results import Column, Estimate, Hidden, PValue, ResultTable
from assize.results.types import Test
from assize.stats._arrays import FloatArray
from assize.stats._studies.measures import (
    LOSSES,
    MEASURES,
    Figure,
    Loss,
    Measure,
    Predictions,
    Truth,
    counts,
    figures,
)
from assize.stats._studies.splits import D, Folds, Mask, Method, cross_fit

CROSS_VALIDATED, TEST_SET = "cross-validated", "test set"


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two methods on the rows that both predict: mean loss of the first less the second's.

    Args:
        loss: its name, such as `squared error`.
        test: signs of the differences flipped item by item; over the seeds' mean losses.
        p_holm: its p-value, corrected for all pairs of the loss (Holm).
    """

    first: str
    second: str
    loss: str
    test: Test
    p_holm: float


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A method in a table.

    Args:
        group: the part of the table that it is shown in.
        about: what it does, in a line.
    """

    name: str
    predicted: Predictions
    group: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class MethodTable:
    """Methods on the same held-out rows: figures of each, and the tests between all.

    Args:
        name: of the rows: `cross-validated` or `test set`.
        count: rows with a truth.
        figures: by method and measure.
        tests: of all pairs, for every loss; each loss is a family of its own.
        measures, losses: what was looked at.
    """

    name: str
    count: int
    rows: Sequence[Row]
    figures: Mapping[str, Mapping[str, Figure]]
    tests: Sequence[Pairing]
    measures: Mapping[str, Measure] = field(default_factory=lambda: MEASURES)
    losses: Mapping[str, Loss] = field(default_factory=lambda: LOSSES)

    @property
    def measured(self) -> dict[str, Measure]:
        """The measures that any method has; answers without an order have the log loss alone."""
        return {
            name: measure
            for name, measure in self.measures.items()
            if any(not math.isnan(figures[name].estimate) for figures in self.figures.values())
        }

    def best(self, loss: str, *, but: Sequence[str] = ()) -> str:
        """The method with the best measure of a loss; "" where none has one.

        Args:
            but: groups that are left out, such as what knows more than a method can.
        """
        name = self.losses[loss].measure
        sign = 1 if self.measures[name].lower else -1
        known = {
            row.name: sign * value
            for row in self.rows
            if row.group not in but
            and not math.isnan(value := self.figures[row.name][name].estimate)
        }
        return min(known, key=lambda one: known[one], default="")

    def against(self, base: str, loss: str) -> dict[str, float]:
        """p-value of every other row against one, Holm-corrected for these comparisons alone."""
        p_values: dict[str, float] = {}
        for pair in self.tests:
            if pair.loss == loss and base in (pair.first, pair.second):
                p_values[pair.second if pair.first == base else pair.first] = pair.test.p_value
        corrected = stats.adjust(list(p_values.values()))
        return dict(zip(p_values, corrected, strict=True))

    def gaps(self, base: str, loss: str) -> dict[str, tuple[float, float]]:
        """Every other row's mean loss less that of one, with the p-value of all pairs."""
        gaps = {}
        for pair in self.tests:
            if pair.loss == loss and base in (pair.first, pair.second):
                turned = pair.first == base
                gap = -pair.test.statistic if turned else pair.test.statistic
                gaps[pair.second if turned else pair.first] = gap, pair.p_holm
        return gaps


@dataclass(frozen=True, slots=True)
class MethodRow:
    """A method as a study shows it.

    Args:
        group: the part of the table that it stands in.
        figures: by measure; the measures that any method of the table has.
        n, unscored: rows that it predicts and does not, see `counts`; None where it predicts all.
        p: of its loss against that of a base, Holm-corrected for these comparisons alone; NaN
            for the base itself.
        about: what it does, in a line.
    """

    group: str
    method: str
    figures: Mapping[str, Annotated[Estimate, Column(ends="page", blanks=True)]]
    n: int
    unscored: int | None
    p: PValue
    about: Hidden[str] = ""


def method_rows(table: MethodTable, base: str, loss: str) -> list[MethodRow]:
    """Return every method with its figures, and p against one of them by a loss."""
    against, names = table.against(base, loss), list(table.measured)
    rows = []
    for row in table.rows:
        figures = table.figures[row.name]
        known = {name: figures[name] for name in names}
        n, unscored = counts(figures)
        p = against.get(row.name, math.nan)
        rows.append(MethodRow(row.group, row.name, known, n, unscored or None, p, row.about))
    return rows


def gaps_table(table: MethodTable, others: Sequence[str], loss: str) -> ResultTable:
    """Return every method's mean loss less that of each of `others`, with p of all pairs."""
    gaps = {other: table.gaps(other, loss) for other in others}
    none = (math.nan, math.nan)
    rows = [
        (row.name, *(value for gap in gaps.values() for value in gap.get(row.name, none)))
        for row in table.rows
        if any(row.name in gap for gap in gaps.values())
    ]
    heads = [Column("method")]
    for other in gaps:
        heads += [Column(f"less {other}", "number", signed=True), Column("p", "p")]
    note = (
        "Mean loss less that of another method: below 0 is better. p: paired permutation tests,"
        " flipped item by item, after Holm's correction over all pairs of methods; JSON has every"
        " pair."
    )
    return ResultTable(f"{table.name.capitalize()}, by {loss}", heads, rows, [note])


def pairings(
    losses: Mapping[str, FloatArray],
    loss: str,
    clusters: Sequence[Any] | np.ndarray[Any, Any],
    *,
    permutations: int = 20_000,
    rng: np.random.Generator,
) -> list[Pairing]:
    """Paired permutation tests between all methods' losses (N,), Holm-corrected over all pairs."""
    pairs = list(combinations(losses, 2))
    if not pairs:
        return []
    gaps = np.column_stack([losses[first] - losses[second] for first, second in pairs])
    tests = stats.sign_flips(gaps, clusters=clusters, permutations=permutations, rng=rng)
    corrected = stats.adjust([test.p_value for test in tests])
    return [
        Pairing(first, second, loss, test, p)
        for (first, second), test, p in zip(pairs, tests, corrected, strict=True)
    ]


def method_tables(
    rows: Sequence[Row],
    truth: Truth,
    test: Mask,
    *,
    permutations: int = 20_000,
    measures: Mapping[str, Measure] = MEASURES,
    losses: Mapping[str, Loss] = LOSSES,
) -> list[MethodTable]:
    """Return the table of cross-validated methods, and that of the test set if there is one.

    Args:
        rows: methods with their held-out predictions.
        test: (N,) rows of the test set.
        permutations: of each test; the random flips are the same whatever is compared.
        measures, losses: instead of those for numbers and for answers with probabilities.
    """
    found = []
    for name, where in ((CROSS_VALIDATED, ~test), (TEST_SET, test)):
        kept = where & truth.known
        if not kept.any():
            continue
        tests = []
        for title, loss in losses.items():
            each = {row.name: loss.each(row.predicted, truth) for row in rows}
            tests += pairings(
                {method: one[kept] for method, one in each.items() if one is not None},
                title,
                truth.clusters[kept],
                permutations=permutations,
                rng=np.random.default_rng([0, 5]),
            )
        measured = {row.name: figures(row.predicted, truth, where, measures) for row in rows}
        found.append(MethodTable(name, int(kept.sum()), rows, measured, tests, measures, losses))
    return found


def compare_methods(
    methods: Mapping[str, Method[D]],
    data: D,
    truth: Truth,
    folds: Folds,
    *,
    permutations: int = 20_000,
    measures: Mapping[str, Measure] = MEASURES,
    losses: Mapping[str, Loss] = LOSSES,
) -> list[MethodTable]:
    """Cross-fit every method on the same folds, measure it, and test all differences.

    Args:
        methods: by name.
        data: whatever they read; row k of it is row k of `truth` and of `folds`.
        others: as in `method_tables`.

    Raises:
        DataError: truth and folds are of different numbers of rows.

    Examples:
        >>> from assize.study import folds_of
        >>> def mean(data, rows, seed):
        ...     middle = data[rows].mean()
        ...     return lambda data, rows: np.full(len(rows), middle)
        >>> scores = np.array([1.0, 2.0, 3.0, 6.0])
        >>> folds = folds_of("abcd", folds=2, seeds=1)
        >>> (found,) = compare_methods({"mean": mean}, scores, Truth(scores, np.arange(4)), folds)
        >>> found.figures["mean"]["rmse"].n
        4
    """
    if len(truth) != len(folds):
        raise DataError(f"`truth` has {len(truth):,} rows, and `folds` {len(folds):,}")
    rows = [
        Row(
            name,
            Predictions.of(cross_fit(method, data, folds, fit=truth.known), truth.scale),
            about=(method.__doc__ or "").strip().split("\n")[0],
        )
        for name, method in methods.items()
    ]
    return method_tables(
        rows, truth, folds.test, permutations=permutations, measures=measures, losses=losses
    )
