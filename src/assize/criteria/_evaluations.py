"""What judges said about criteria, as one matrix from 0 to 10."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assize.base.errors import DataError
from assize.criteria._criterion import Criterion
from assize.criteria._selection.pool import NEUTRAL
from assize.judgments import JudgmentTable
from assize.judgments.combine import group_means
from assize.judgments.values import not_applicable, numbers, scale_ends
from assize.stats._arrays import FloatArray

_TOP = 10.0
_NAMED = 3


@dataclass(frozen=True, eq=False)
class Evaluations:
    """Evaluations of conversations by criteria.

    Args:
        items: ids of the conversations.
        criteria: in the order of the columns.
        values: (N, M) from 0, does not hold at all, to 10; NaN where nobody scored it. Several
            judges, repeats and turns are averaged.
        neutral: answers that the criterion does not apply; they count as 5.
        notes: what a reader should know: scales that were mapped, judges that were averaged.
    """

    items: Sequence[str]
    criteria: Sequence[Criterion]
    values: FloatArray
    neutral: int
    notes: Sequence[str] = ()

    def of(self, items: Sequence[str], criteria: Sequence[Criterion]) -> FloatArray:
        """The values (N, M) of some conversations and criteria."""
        rows = {one: at for at, one in enumerate(self.items)}
        columns = {one.id: at for at, one in enumerate(self.criteria)}
        return self.values[np.ix_([rows[one] for one in items], [columns[c.id] for c in criteria])]


def evaluations_of(table: JudgmentTable, criteria: Sequence[Criterion]) -> Evaluations:
    """The evaluations that judgments hold; their questions are the criteria's ids.

    A scale that does not run from 0 to 10 is stretched to it linearly, from the ends that its
    question states, else from the least and the greatest answer to any such question.

    Raises:
        DataError: no judgment answers any of the criteria.
    """
    asked = [one for one in criteria if one.id in table.asked]
    if not asked:
        theirs = ", ".join(one.id for one in criteria[:_NAMED])
        ours = ", ".join(table.asked[:_NAMED])
        raise DataError(
            f"no judgment is about any of the {len(criteria)} criteria ({theirs}, ...); judged were"
            f" {ours}; score the criteria first, or name them by the judgments' questions"
        )
    rows = table.where(question=[one.id for one in asked])
    codes, names = rows.codes("item")
    values = np.full((len(names), len(criteria)), np.nan)
    neutral, mapped = 0, []
    guessed = _guessed(rows)
    for column, one in enumerate(criteria):
        if one.id not in rows.asked:
            continue
        about, question = rows.codes("question")[1].index(one.id), rows.questions[one.id]
        mask = rows.codes("question")[0] == about
        part = rows.filter(mask)
        found = numbers(part, question)
        ends = guessed if _open(rows, one.id) else scale_ends(question)
        ends = (0.0, _TOP) if ends is None else ends
        if ends != (0.0, _TOP):
            mapped.append(ends)
            found = _TOP * (found - ends[0]) / (ends[1] - ends[0])
        silent = not_applicable(part)
        neutral += int(silent.sum())
        found[silent] = NEUTRAL
        values[:, column] = group_means(found, codes[mask], len(names))
    kept = np.flatnonzero(np.isin(np.arange(len(names)), codes))
    whose, known = rows.codes("question")
    asked_cells = len(np.unique(codes * len(known) + whose))
    notes = _notes(rows, mapped, neutral, len(rows) / asked_cells)
    return Evaluations([names[at] for at in kept], list(criteria), values[kept], neutral, notes)


def _guessed(rows: JudgmentTable) -> tuple[float, float] | None:
    """The ends of all answers to questions whose scale is not stated, taken together."""
    open_ones = [one for one in rows.asked if _open(rows, one)]
    seen = [numbers(rows.where(question=one), rows.questions[one]) for one in open_ones]
    known = np.concatenate([one[~np.isnan(one)] for one in seen]) if seen else np.empty(0)
    if not known.size or known.min() == known.max():
        return None
    return float(known.min()), float(known.max())


def _open(rows: JudgmentTable, name: str) -> bool:
    return name in rows.inferred or scale_ends(rows.questions[name]) is None


def _notes(
    rows: JudgmentTable, mapped: Sequence[tuple[float, float]], neutral: int, rows_each: float
) -> Sequence[str]:
    found = []
    for low, high in sorted(set(mapped)):
        count = mapped.count((low, high))
        found.append(f"{count} criteria: answers from {low:g} to {high:g} are stretched to 0 to 10")
    if len(rows.judges) > 1 and rows_each > 1:
        named = ", ".join(rows.judges[:_NAMED]) + (", ..." if len(rows.judges) > _NAMED else "")
        found.append(
            f"{rows_each:.1f} answers a score, of {len(rows.judges)} judges, are averaged: {named}"
        )
    if neutral:
        found.append(f"{neutral:,} answers that a criterion does not apply count as neutral")
    return found
