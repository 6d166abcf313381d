"""From stored votes to one decision a judge: both orders must agree, and both must be there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, overload

import numpy as np
import pyarrow.compute as pc

from assize.base.conversation import Pair
from assize.base.judgment import PREFERENCE, Judgment
from assize.judgments import JudgmentTable
from assize.judgments.combine import Combined, combine
from assize.judgments.table import IntArray
from assize.judgments.values import FloatArray, vote_of, votes

MISSING = "missing"  # one order of two
NOT_ASKED = "not asked"  # no vote at all

_ANSWERS = {1.0: "A", 0.0: "tie", -1.0: "B"}


@dataclass(frozen=True, slots=True)
class Ballot:
    """One judge's decision on one item, with the votes that led to it.

    Args:
        judge: its full name.
        votes: the rows as they are stored; none where the judge was never asked.
        answer: `A` or `B` where all votes say so, `tie` where they differ or say tie,
            None where the judge is unscored.
        reason: why it is unscored.
    """

    judge: str
    votes: Sequence[Judgment]
    answer: str | None
    reason: str | None = None

    @property
    def decides(self) -> bool:
        """Whether a cascade stops here."""
        return self.answer in ("A", "B")


def ballot_details(ballot: Ballot) -> dict[str, Any]:
    """Return the judge, what it came to, and each vote, as a verdict's `details` keep them."""
    details: dict[str, Any] = {"judge": ballot.judge, "answer": ballot.answer}
    if ballot.reason is not None:
        details["unscored"] = ballot.reason
    return details | {"votes": [_vote_details(row) for row in ballot.votes]}


def _vote_details(row: Judgment) -> dict[str, Any]:
    details: dict[str, Any] = {} if row.order is None else {"order": row.order}
    if row.repeat:
        details["repeat"] = row.repeat
    if row.unscored is not None:
        return details | {"unscored": row.unscored.reason}
    return details | {"answer": vote_of(row)}


@dataclass(frozen=True)
class VoteTable:
    """Votes on one question as columns; what they came to by judge and item (a cell)."""

    table: JudgmentTable
    found: Combined

    @cached_property
    def values(self) -> FloatArray:
        """(N,) each vote: 1 for A, 0 for a tie, -1 for B, NaN for none."""
        return votes(self.table)

    @cached_property
    def by_cell(self) -> tuple[IntArray, IntArray]:
        """Rows sorted by cell, then repeat and order; and (C + 1,) where each cell's begin."""
        order, _ = self.table.codes("order")
        repeat = self.table.repeats()
        names = self.table.codes("order")[1]
        rank = np.array([*np.argsort(np.argsort(names)), -1])[order]  # AB before BA, none first
        rows = np.lexsort((rank, repeat, self.found.cell))
        counts = np.bincount(self.found.cell, minlength=len(self.found.values))
        return rows, np.concatenate([[0], np.cumsum(counts)])

    @cached_property
    def rows(self) -> Sequence[Judgment]:
        """Every vote as a judgment, sorted as in `by_cell`."""
        taken = self.table.arrow.take(self.by_cell[0])
        return JudgmentTable(taken).rows()

    @cached_property
    def reasons(self) -> Sequence[str | None]:
        """(N,) why each vote could not be made."""
        column = self.table.arrow["unscored"]
        found: list[str | None] = pc.struct_field(column, "reason").to_pylist()
        return found

    @cached_property
    def usage(self) -> Mapping[str, FloatArray]:
        """(C,) sums over each cell's votes of what they used; see `juries.cost`."""
        used = self.table.present("usage")
        part = {
            name: pc.struct_field(self.table.arrow["usage"], name)
            for name in ("input_tokens", "output_tokens", "cost_usd")
        }
        attempts = np.nan_to_num(self.table.numeric("attempts"))
        rows: dict[str, Any] = {
            "votes": np.ones(len(used)),
            "calls": np.where(used, np.where(attempts > 0, attempts, 1), 0),
            **{name: one.fill_null(0).to_numpy() for name, one in part.items()},
            "unpriced": used & np.asarray(pc.is_null(part["cost_usd"]).to_numpy(), dtype=bool),
            "unknown": ~used,
        }
        size = len(self.found.values)
        return {
            name: np.bincount(self.found.cell, one, size).astype(np.float64)
            for name, one in rows.items()
        }

    def reason(self, cell: int) -> str:
        """Why a cell has no decision: its first vote that could not be made, or what is missing."""
        rows, starts = self.by_cell
        mine = rows[starts[cell] : starts[cell + 1]]
        failed = [self.reasons[at] for at in mine if self.reasons[at] is not None]
        if failed:
            return failed[0] or MISSING
        if self.found.not_applicable[cell]:
            return "not applicable"
        return "no preference" if np.isnan(self.values[mine]).any() else MISSING


@dataclass(frozen=True, slots=True)
class StoredVotes(Sequence[Judgment]):
    """The votes of one cell, made into judgments when they are looked at."""

    source: VoteTable
    cell: int

    def _span(self) -> tuple[int, int]:
        starts = self.source.by_cell[1]
        return int(starts[self.cell]), int(starts[self.cell + 1])

    def __len__(self) -> int:
        start, end = self._span()
        return end - start

    @overload
    def __getitem__(self, at: int) -> Judgment: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Judgment]: ...
    def __getitem__(self, at: int | slice) -> Judgment | Sequence[Judgment]:
        start, end = self._span()
        return self.source.rows[start:end][at]

    def __iter__(self) -> Iterator[Judgment]:
        start, end = self._span()
        return iter(self.source.rows[start:end])


@dataclass(frozen=True)
class Ballots:
    """All judges' decisions on all items.

    Args:
        judges: names, in order of appearance.
        items: ids, in order of appearance.
        source: the votes.
        cells: by judge and item, the cell of `source`.
        made: decisions that have been asked for already.
    """

    judges: tuple[str, ...]
    items: tuple[str, ...]
    source: VoteTable
    cells: Mapping[str, Mapping[str, int]]
    made: dict[tuple[str, str], Ballot] = field(default_factory=dict)

    def of(self, judge: str, item: str) -> Ballot:
        """The decision of a judge; unscored as `not asked` where there is no vote."""
        found = self.made.get((judge, item))
        if found is None:
            found = self.made[judge, item] = self._decided(judge, item)
        return found

    def _decided(self, judge: str, item: str) -> Ballot:
        cell = self.cells[judge].get(item)
        if cell is None:
            return Ballot(judge, (), None, NOT_ASKED)
        given = StoredVotes(self.source, cell)
        answer = _ANSWERS.get(float(self.source.found.values[cell]))
        if answer is None:
            return Ballot(judge, given, None, self.source.reason(cell))
        return Ballot(judge, given, answer)

    def expected(self, judge: str) -> int:
        """The most orders in which this judge saw any item."""
        found = self.source.found
        return int(found.expected[found.judges.index(judge)]) if judge in found.judges else 1


def gather(
    table: JudgmentTable, question: str, *, gold: str = "gold", members: Iterable[str] = ()
) -> Ballots:
    """The votes on one question, by judge and item; rows of the judge `gold` are no votes.

    Rows on single turns are passed over. A judge that has shown any item in both orders is
    expected to show all items in both: half of an answer says nothing of whether the order
    decided it.

    Args:
        members: full names of judges who take part even where they have not voted at all.

    Source: AMULET, section 4.1 (agreement of both presentation orders).
    """
    others = [name for name in table.judges if name != gold]
    rows = table.where(question=question, judge=others, turn=None)
    found = combine(rows, PREFERENCE)
    items = tuple(item for item, _ in found.units)
    cells: dict[str, dict[str, int]] = {name: {} for name in (*members, *found.judges)}
    for cell, (judge, unit) in enumerate(
        zip(found.judge.tolist(), found.unit.tolist(), strict=True)
    ):
        cells[found.judges[judge]][items[unit]] = cell
    return Ballots(tuple(cells), items, VoteTable(rows, found), cells)


def gold_of(table: JudgmentTable, question: str, *, gold: str = "gold") -> dict[str, str]:
    """The gold answers of a table, by item; where gold contradicts itself, a tie."""
    found = combine(table.where(question=question, judge=gold, turn=None), PREFERENCE, "mean")
    return {
        found.units[unit][0]: _ANSWERS[value]
        for unit, value in zip(found.unit.tolist(), found.values.tolist(), strict=True)
        if value in _ANSWERS
    }


def gold_in(pair: Pair, question: str) -> str | None:
    """A pair's own gold answer to the question."""
    if isinstance(pair.gold, str):
        return pair.gold if question == PREFERENCE.id else None
    return None if pair.gold is None else pair.gold.get(question)
