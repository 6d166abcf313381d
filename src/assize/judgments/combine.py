"""One value a judge and unit, of all that the judge said of it.

Repeats in one order are put together first: the mean, for votes the strict majority, a tie
where there is none. Then the orders: votes that differ are a tie, and a unit of which one
order is missing or unscored is unscored, where the judge was shown any unit in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.judgments.table import BoolArray, IntArray, JudgmentTable, Unit, appearing
from assize.judgments.values import (
    SIGN,
    FloatArray,
    categories,
    goodness,
    not_applicable,
    number_of,
    numbers,
    vote_of,
    votes,
)

Votes = Literal["agree", "mean"]
"""How a judge's votes become one: both orders must agree, or the sign of their mean counts."""


@dataclass(frozen=True, slots=True)
class Combined:
    """One value a cell, which is a judge and a unit that it was asked about; C cells.

    Args:
        judges: names, in order of appearance.
        units: (item, turn), in order of appearance.
        judge, unit: (C,) places of each cell's judge and unit; cells stand in order of
            appearance.
        values: (C,) NaN where there is none; votes as 1 for A, 0 for a tie, -1 for B; nominal
            answers as their place among the question's.
        not_applicable: (C,) without a value because the question does not apply.
        split: (C,) votes that cancel out, or differ.
        expected: (judges,) orders in which a judge must have scored a unit, 1 or 2.
        cell: (N,) the cell of each row of the table.
    """

    judges: tuple[str, ...]
    units: tuple[Unit, ...]
    judge: IntArray
    unit: IntArray
    values: FloatArray
    not_applicable: BoolArray
    split: BoolArray
    expected: IntArray
    cell: IntArray

    @property
    def unscored(self) -> BoolArray:
        """(C,) asked, and without a value: a call failed, an order is missing, or nothing that
        was said is worth anything."""
        return np.isnan(self.values) & ~self.not_applicable


def combine(table: JudgmentTable, question: Question, how: Votes = "agree") -> Combined:
    """The values of a table whose rows all answer `question`.

    Args:
        how: of a preference; `mean` takes whatever orders are there, and the sign of the
            mean of all votes. A nominal answer is the most frequent one, none where several
            are; a number is the mean over orders of the mean over repeats.

    Source: AMULET (arXiv 2505.20451), section 4.1: votes in both orders must agree.
    """
    names = table.judges
    codes, known = table.codes("judge")
    at = {name: place for place, name in enumerate(names)}
    judge = np.array([at.get(name, -1) for name in known], dtype=np.int64)[codes]
    unit, units = table.units()
    cell, first = appearing(judge * len(units) + unit)
    slot, begins = appearing(cell * 3 + _orders(table))
    cell_of = cell[begins]  # of each slot: a cell in one order
    slots = np.bincount(cell_of, minlength=len(first))
    expected = np.ones(len(names), dtype=np.int64)
    np.maximum.at(expected, judge[first], slots)
    given = row_values(table, question)
    if question.kind == "preference" and how == "agree":
        shown = _majority(given, slot, len(begins))
        values, split = _agreed(shown, cell_of, expected[judge[first]])
        sided = _any(np.nan_to_num(given) != 0, cell, len(first))
        split |= (values == 0) & sided  # also where repeats in one order cancel out
    elif question.kind == "preference":
        values, split = _leaning(given, cell, len(first))
    elif question.kind == "nominal":
        values, split = _most_frequent(given, cell, len(first))
    else:
        values = group_means(group_means(given, slot, len(begins)), cell_of, len(first))
        split = np.zeros(len(first), dtype=bool)
    failed = _any(table.present("unscored"), cell, len(first))
    skipped = _any(not_applicable(table), cell, len(first)) & ~failed & np.isnan(values)
    return Combined(names, units, judge[first], unit[first], values, skipped, split, expected, cell)


def agreed_vote(rows: Sequence[Judgment]) -> str | None:
    """One judge's vote on one pair, from all its judgments of it, as `combine` has it.

    Args:
        rows: in every order that was asked.

    Returns:
        `A`, `B` or `tie`; None where an order has no vote.

    >>> votes = [Judgment("p", "j", "preference", answer="A", order=one) for one in ("AB", "BA")]
    >>> agreed_vote(votes)
    'A'
    """
    value = agreed_value(rows, PREFERENCE)
    return None if value is None else next(side for side, sign in SIGN.items() if sign == value)


def agreed_value(rows: Sequence[Judgment], question: Question) -> float | None:
    """One judge's number for one unit: the mean over orders of the mean over repeats, of a
    preference what its votes agree on; None where there is none."""
    by_order: dict[str | None, list[float]] = {}
    for row in rows:
        values = by_order.setdefault(row.order, [])
        if question.kind != "preference":
            value = number_of(row, question)
        else:
            vote = vote_of(row)
            value = None if vote is None else SIGN[vote]
        values += [] if value is None else [value]
    if question.kind != "preference":
        means = [sum(values) / len(values) for values in by_order.values() if values]
        return sum(means) / len(means) if means else None
    sides = {_majority_of(values) for values in by_order.values()}
    if not sides or None in sides:
        return None
    return sides.pop() if len(sides) == 1 else 0.0


def _majority_of(votes: Sequence[float]) -> float | None:
    """The vote of more than half, a tie where there is none; None without votes."""
    majority = [side for side in (1.0, -1.0) if 2 * votes.count(side) > len(votes)]
    return majority[0] if majority else 0.0 if votes else None


def row_values(table: JudgmentTable, question: Question) -> FloatArray:
    """(N,) what each row is worth on the question: a vote, a category or a number."""
    if question.kind == "preference":
        return votes(table)
    return categories(table, question) if question.kind == "nominal" else numbers(table, question)


def joined(values: FloatArray, question: Question) -> tuple[FloatArray, BoolArray]:
    """Several judges' values (J, U) as one judge's: (U,) the mean, of votes its sign, of nominal
    answers the most frequent; and where these cancel out."""
    judges, size = values.shape
    unit = np.tile(np.arange(size), judges)
    if question.kind == "preference":
        return _leaning(values.ravel(), unit, size)
    if question.kind == "nominal":
        return _most_frequent(values.ravel(), unit, size)
    return group_means(values.ravel(), unit, size), np.zeros(size, dtype=bool)


def unit_means(table: JudgmentTable, question: Question) -> dict[Unit, float]:
    """By unit the mean of everybody's numbers, higher being better; NaN where there is none.

    The rows of `table` all answer `question`.
    """
    place, units = table.units()
    means = group_means(goodness(table, question), place, len(units))
    return dict(zip(units, means.tolist(), strict=True))


def _orders(table: JudgmentTable) -> IntArray:
    """(N,) 0 for no order, 1 for AB, 2 for BA."""
    codes, known = table.codes("order")
    place = {"AB": 1, "BA": 2}
    return np.asarray(np.array([*(place.get(one, 0) for one in known), 0], dtype=np.int64)[codes])


def _any(mask: BoolArray, group: IntArray, size: int) -> BoolArray:
    """(size,) whether the mask holds anywhere in each group."""
    return np.bincount(group[mask], minlength=size) > 0


def group_means(values: FloatArray, group: IntArray, size: int) -> FloatArray:
    """(size,) the mean of each group's values, NaN left out; NaN where there is none."""
    known = ~np.isnan(values)
    count = np.bincount(group[known], minlength=size)
    total = np.bincount(group[known], values[known], size)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan))


def _majority(values: FloatArray, group: IntArray, size: int) -> FloatArray:
    """(size,) the vote that more than half of a group's are, a tie where none is."""
    count = np.bincount(group[~np.isnan(values)], minlength=size)
    found = np.where(count > 0, 0.0, np.nan)
    for side in (1.0, -1.0):
        found[2 * np.bincount(group[values == side], minlength=size) > count] = side
    return found


def _agreed(values: FloatArray, cell: IntArray, wanted: IntArray) -> tuple[FloatArray, BoolArray]:
    """(C,) what all orders say, a tie where they differ, NaN where one has no value."""
    size = len(wanted)
    scored = np.bincount(cell[~np.isnan(values)], minlength=size)
    lost = _any(np.isnan(values), cell, size) | (scored < wanted)
    total = np.bincount(cell, np.nan_to_num(values), size)
    alike = np.abs(total) == scored
    moved = _any(np.nan_to_num(values) != 0, cell, size)
    found = np.where(lost, np.nan, np.where(alike, np.sign(total), 0.0))
    return found, ~lost & ~alike & moved


def _leaning(values: FloatArray, cell: IntArray, size: int) -> tuple[FloatArray, BoolArray]:
    """(C,) the sign of each cell's mean vote, and whether votes cancel out."""
    mean = group_means(values, cell, size)
    moved = _any(np.nan_to_num(values) != 0, cell, size)
    return np.sign(mean), (mean == 0) & moved


def _most_frequent(values: FloatArray, cell: IntArray, size: int) -> tuple[FloatArray, BoolArray]:
    """(C,) the one most frequent answer of each cell; NaN, and split, where several are."""
    found = np.full(size, np.nan)
    known = ~np.isnan(values)
    width = int(values[known].max(initial=0)) + 1
    pair, first = appearing(cell[known] * width + values[known].astype(np.int64))
    count, owner = np.bincount(pair, minlength=len(first)), cell[known][first]
    most = np.zeros(size, dtype=np.int64)
    np.maximum.at(most, owner, count)
    top = count == most[owner]
    found[owner[top]] = values[known][first][top]
    split = np.bincount(owner[top], minlength=size) > 1
    found[split] = np.nan
    return found, split
