"""Each judge's decision on each item, as a matrix: what every jury decides from.

    votes ──► decisions (J judges, N items): 1 for A, 0 for a tie, -1 for B, NaN for unscored

Both presentation orders must be there and agree; see `judgments.combine`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from assize.base.conversation import Pair
from assize.base.judgment import PREFERENCE, Judgment
from assize.judgments import JudgmentTable
from assize.judgments.combine import Combined, combine
from assize.judgments.table import IntArray
from assize.judgments.values import FloatArray, vote_of, votes

Labels = NDArray[np.object_]

MISSING = "missing"  # one order of two
NOT_ASKED = "not asked"  # no vote at all
ANSWERS = {1.0: "A", 0.0: "tie", -1.0: "B"}


@dataclass(frozen=True)
class Decisions:
    """The decisions of J judges on N items.

    Args:
        judges, items: names and ids, as the rows and columns are ordered.
        values: (J, N) 1 for A, 0 for a tie, -1 for B, NaN where the judge is unscored.
        reasons: (J, N) why a judge is unscored, "" where it is not.
        votes: (J, N) how many votes are stored.
        orders: (J,) orders in which a judge must have voted, 1 or 2.
        usage: (J, N) each, what the votes used; the names are those of `outcome.VoteUsage`.
        table: the stored votes.
    """

    judges: tuple[str, ...]
    items: tuple[str, ...]
    values: FloatArray
    reasons: Labels
    votes: IntArray
    orders: IntArray
    usage: Mapping[str, FloatArray]
    table: JudgmentTable = field(repr=False)

    def select(self, judges: Sequence[str], items: Sequence[str]) -> Decisions:
        """The decisions of these judges on these items; unscored where nobody was asked."""
        rows, columns = _positions(judges, self.judges), _positions(items, self.items)
        cells = np.ix_(rows, columns)

        def pick(array: NDArray[Any], absent: Any) -> NDArray[Any]:
            # Position -1 is the row, or column, that padding adds at the end.
            return np.pad(array, ((0, 1), (0, 1)), constant_values=absent)[cells]

        return Decisions(
            tuple(judges),
            tuple(items),
            pick(self.values, np.nan),
            pick(self.reasons, NOT_ASKED),
            pick(self.votes, 0),
            np.append(self.orders, 1)[rows],
            {name: pick(array, 0.0) for name, array in self.usage.items()},
            self.table,
        )

    def stored_votes(self, judge: int, item: int) -> list[Judgment]:
        """The votes behind one decision (row, column), by repeat and order."""
        return self._stored.get((self.judges[judge], self.items[item]), [])

    @cached_property
    def _stored(self) -> dict[tuple[str, str], list[Judgment]]:
        stored: dict[tuple[str, str], list[Judgment]] = defaultdict(list)
        for row in self.table.rows():
            stored[row.judge, row.item].append(row)
        for rows in stored.values():
            rows.sort(key=lambda row: (row.repeat, row.order or ""))
        return dict(stored)

    def record(self, judge: int, item: int) -> dict[str, Any]:
        """Return one decision as a verdict's `details` keep it: judge, answer, and each vote."""
        answer = ANSWERS.get(float(self.values[judge, item]))
        record: dict[str, Any] = {"judge": self.judges[judge], "answer": answer}
        if answer is None:
            record["unscored"] = self.reasons[judge, item]
        return record | {"votes": list(map(_vote_record, self.stored_votes(judge, item)))}


def _vote_record(row: Judgment) -> dict[str, Any]:
    record: dict[str, Any] = {} if row.order is None else {"order": row.order}
    if row.repeat:
        record["repeat"] = row.repeat
    if row.unscored is not None:
        return record | {"unscored": row.unscored.reason}
    return record | {"answer": vote_of(row)}


def collect_decisions(
    table: JudgmentTable, question: str, *, gold: str = "gold", members: Iterable[str] = ()
) -> Decisions:
    """Return the decisions of all judges on one question.

    Rows by the judge `gold` are no votes, and rows on single turns are passed over. A judge that
    saw any item in both orders must have seen every item in both: half of an answer does not
    tell whether the order decided it.

    Args:
        members: full names of judges that take part even if they have not voted.

    Source: AMULET (arXiv 2505.20451), section 4.1.
    """
    judges = [name for name in table.judges if name != gold]
    rows = table.where(question=question, judge=judges, turn=None)
    combined = combine(rows, PREFERENCE)
    names = tuple(dict.fromkeys([*members, *combined.judges]))
    items = tuple(item for item, _ in combined.units)
    cell = _positions(combined.judges, names)[combined.judge], combined.unit

    def spread(values: NDArray[Any], absent: Any) -> NDArray[Any]:
        matrix = np.full((len(names), len(items)), absent, dtype=values.dtype)
        matrix[cell] = values
        return matrix

    orders = np.ones(len(names), dtype=np.int64)
    orders[_positions(combined.judges, names)] = combined.expected
    return Decisions(
        names,
        items,
        spread(combined.values, np.nan),
        spread(_reasons(rows, combined), NOT_ASKED),
        spread(np.bincount(combined.cell, minlength=len(combined.values)), 0),
        orders,
        {name: spread(array, 0.0) for name, array in _usage(rows, combined).items()},
        rows,
    )


def _reasons(rows: JudgmentTable, combined: Combined) -> Labels:
    """(C,) why each cell is unscored, "" where it is not: the first failed vote's reason."""
    failure = np.array(pc.struct_field(rows.arrow["unscored"], "reason").to_pylist(), dtype=object)
    by_order = np.array([name or "" for name in rows.arrow["order"].to_pylist()])
    last_to_first = np.lexsort((by_order, rows.repeats()))[::-1]
    failed = last_to_first[[failure[row] is not None for row in last_to_first]]
    reasons = np.full(len(combined.values), MISSING, dtype=object)
    reasons[combined.cell[np.isnan(votes(rows))]] = "no preference"
    reasons[combined.not_applicable] = "not applicable"
    reasons[combined.cell[failed]] = failure[failed]
    reasons[~np.isnan(combined.values)] = ""
    return reasons


def _usage(rows: JudgmentTable, combined: Combined) -> dict[str, FloatArray]:
    """(C,) each: what the votes of a cell used."""
    used = rows.present("usage")
    tokens_in, tokens_out, cost = (
        pc.struct_field(rows.arrow["usage"], name)
        for name in ("input_tokens", "output_tokens", "cost_usd")
    )
    attempts = np.maximum(np.nan_to_num(rows.numeric("attempts")), 1)
    sums: dict[str, NDArray[Any]] = {
        "votes": np.ones(len(used)),
        "calls": np.where(used, attempts, 0),
        "input_tokens": tokens_in.fill_null(0).to_numpy(),
        "output_tokens": tokens_out.fill_null(0).to_numpy(),
        "cost_usd": cost.fill_null(0).to_numpy(),
        "unpriced": used & np.asarray(pc.is_null(cost).to_numpy(), dtype=bool),
        "unknown": ~used,
    }
    size = len(combined.values)
    return {
        name: np.bincount(combined.cell, values, size).astype(np.float64)
        for name, values in sums.items()
    }


def _positions(names: Sequence[str], among: Sequence[str]) -> IntArray:
    """Each name's position among others, -1 where it is none of them."""
    position = {name: number for number, name in enumerate(among)}
    return np.array([position.get(name, -1) for name in names], dtype=np.int64)


def gold_answers(
    table: JudgmentTable, question: str, gold: str, pairs: Mapping[str, Pair] | None = None
) -> dict[str, str]:
    """Gold by item: a pair's own, else that of the judge `gold`; a tie where that contradicts
    itself."""
    combined = combine(table.where(question=question, judge=gold, turn=None), PREFERENCE, "mean")
    answers = {
        combined.units[unit][0]: ANSWERS[value]
        for unit, value in zip(combined.unit.tolist(), combined.values.tolist(), strict=True)
        if value in ANSWERS
    }
    for item, pair in (pairs or {}).items():
        own = pair.gold
        if isinstance(own, str):
            own = {PREFERENCE.id: own}
        if own is not None and (answer := own.get(question)) is not None:
            answers[item] = answer
    return answers
