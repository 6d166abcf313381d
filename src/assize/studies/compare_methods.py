"""A table of methods: every figure of every method, and tests between all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from assize import stats
from assize.errors import DataError
from assize.stats import Test
from assize.stats.arrays import FloatArray
from assize.stats.estimate import nullable
from assize.studies.measures import (
    LOSSES,
    MEASURES,
    Figure,
    Loss,
    Measure,
    Predictions,
    Truth,
    figures,
)
from assize.studies.splits import D, Folds, Mask, Method, cross_fit

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

    def to_json(self) -> dict[str, Any]:
        """The test's object with both names."""
        named = {"first": self.first, "second": self.second, "loss": self.loss}
        return named | self.test.to_json() | {"p_holm": nullable(self.p_holm)}


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
            if any(not math.isnan(found[name].estimate) for found in self.figures.values())
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
        found: dict[str, float] = {}
        for one in self.tests:
            if one.loss == loss and base in (one.first, one.second):
                found[one.second if one.first == base else one.first] = one.test.p_value
        corrected = stats.holm(list(found.values())).tolist() if found else []
        return dict(zip(found, corrected, strict=True))

    def gaps(self, base: str, loss: str) -> dict[str, tuple[float, float]]:
        """Every other row's mean loss less that of one, with the p-value of all pairs."""
        found = {}
        for one in self.tests:
            if one.loss == loss and base in (one.first, one.second):
                turned = one.first == base
                gap = -one.test.statistic if turned else one.test.statistic
                found[one.second if turned else one.first] = gap, one.p_holm
        return found

    def to_json(self) -> dict[str, Any]:
        """Rows with their figures, and every pair's test."""
        rows = {
            row.name: {"group": row.group, "about": row.about}
            | figures_json(self.figures[row.name])
            for row in self.rows
        }
        return {"rows": rows, "tests": [one.to_json() for one in self.tests]}


def figures_json(found: Mapping[str, Figure]) -> dict[str, Any]:
    """A method's figures by measure."""
    return {name: figure.to_json() for name, figure in found.items()}


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
    corrected = stats.holm([test.p_value for test in tests]).tolist()
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
    """The table of what was cross-validated, and that of the test set where there is one.

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
    """Cross-fits every method on the same folds, measures it, and tests all differences.

    Args:
        methods: by name.
        data: whatever they read; row k of it is row k of `truth` and of `folds`.
        others: as in `method_tables`.

    Raises:
        DataError: truth and folds are of different numbers of rows.

    >>> from assize.studies import folds_of
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
