"""What a task has collected: judgments, and the work that each came from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable, Unit
from assize.judgments.combine import row_values
from assize.judgments.values import not_applicable
from assize.stats import Level
from assize.stats._arrays import FloatArray, IntArray

_LEVELS: Mapping[str, Level] = {"ordinal": "ordinal", "number": "interval"}


@dataclass(frozen=True, slots=True)
class Work:
    """One item in one person's hands.

    Args:
        item: the record's own id.
        state: reserved, done, skipped, expired or withdrawn.
        purpose: rate, gold, qualify or example.
        chosen: how the item came to this person: random, file, gold, ...
        repeat: of a qualification, its attempt, from 0; else 0.
        created, submitted: seconds since 1970; None where nothing was submitted.
        seconds: of work, idle time left out.
        reason: of a skip.
        pilot: whether it was given in a pilot round.
    """

    rater: str
    item: str
    state: str = "done"
    purpose: str = "rate"
    chosen: str = "random"
    repeat: int = 0
    created: float = 0.0
    submitted: float | None = None
    seconds: float = 0.0
    reason: str | None = None
    pilot: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """A task's judgments by people, and the work that they came from.

    Args:
        table: (N rows) judgments of all purposes.
        work: all assignments, those without judgments too.
        of_row: (N,) the place among `work` of each judgment.
        expected: by gold item the answers that are right, by question.
    """

    table: JudgmentTable
    work: tuple[Work, ...]
    of_row: IntArray
    expected: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        pieces: Iterable[tuple[Work, Sequence[Judgment]]],
        questions: Iterable[Question] = (),
        expected: Mapping[str, Mapping[str, str]] | None = None,
    ) -> Collected:
        """From assignments, each with the judgments of its last submitted answers."""
        work, rows, of_row = [], list[Judgment](), list[int]()
        for place, (one, judgments) in enumerate(pieces):
            work.append(one)
            rows += judgments
            of_row += [place] * len(judgments)
        table = JudgmentTable.of(rows, questions)
        return cls(table, tuple(work), np.array(of_row, dtype=np.int64), expected or {})

    @property
    def raters(self) -> tuple[str, ...]:
        """Everyone who has work, by name."""
        return tuple(sorted({one.rater for one in self.work}))

    def mask(self, wanted: Callable[[Work], bool]) -> NDArray[np.bool_]:
        """(N,) the judgments whose work is wanted."""
        return np.array([wanted(one) for one in self.work], dtype=bool)[self.of_row]

    def answered(self, question: str, wanted: Callable[[Work], bool] | None = None) -> Answered:
        """The answers to one question, of ordinary items unless others are wanted."""
        return answered(self, question, self.mask(ordinary if wanted is None else wanted))


def ordinary(work: Work) -> bool:
    """An answer to an item that is no gold, no worked example and of no qualification."""
    return work.purpose == "rate" and work.state == "done"


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """Answers to one question, one a rater and unit (an item, or a turn of one); A of them.

    Args:
        level: how far apart two answers are.
        value: (A,) what each is worth: nominal answers as places, preferences as 1, 0, -1.
        rater, unit: (A,) places among `raters` and `units`.
        at, seconds: (A,) when it was submitted, and the work on the whole form; NaN unknown.
        items: (units,) which units are turns of one item.
        not_applicable, unscored: answers that are no values, and stand in no array.
    """

    question: Question
    level: Level
    raters: tuple[str, ...]
    units: tuple[Unit, ...]
    value: FloatArray
    rater: IntArray
    unit: IntArray
    at: FloatArray
    seconds: FloatArray
    items: IntArray
    not_applicable: int = 0
    unscored: int = 0

    def __len__(self) -> int:
        return len(self.value)

    @property
    def ratings(self) -> IntArray:
        """(units,) how many answers each has."""
        return np.bincount(self.unit, minlength=len(self.units))

    def matrix(self) -> FloatArray:
        """(most answers of a unit, units): each unit's answers, NaN below them."""
        order = np.argsort(self.unit, kind="stable")
        counts = self.ratings
        starts = np.cumsum(counts) - counts
        found = np.full((int(counts.max(initial=0)), len(self.units)), np.nan)
        unit = self.unit[order]
        found[np.arange(len(order)) - starts[unit], unit] = self.value[order]
        return found


def answered(found: Collected, question: str, rows: NDArray[np.bool_]) -> Answered:
    """The answers of some judgments (N,) to one question."""
    asked = found.table.questions[question]
    codes, names = found.table.codes("question")
    mine = codes == names.index(question) if question in names else np.zeros(len(codes), bool)
    chosen = np.flatnonzero(mine & rows)
    keep = np.zeros(len(codes), dtype=bool)
    keep[chosen] = True
    table = found.table.filter(keep)
    value = row_values(table, asked)
    known = ~np.isnan(value)
    needless = int(not_applicable(table).sum())
    judge, judges = table.codes("judge")
    unit, units = table.units()
    work = [found.work[place] for place in found.of_row[chosen].tolist()]
    order = np.argsort(judges)
    place = np.empty(len(judges), dtype=np.int64)
    place[order] = np.arange(len(judges))
    return Answered(
        asked,
        _LEVELS.get(asked.kind, "nominal"),
        tuple(judges[at] for at in order),
        units,
        value[known],
        place[judge][known],
        unit[known],
        np.array([_or_nan(one.submitted) for one in work], dtype=float)[known],
        np.array([one.seconds for one in work], dtype=float)[known],
        _items(units),
        needless,
        int((~known).sum()) - needless,
    )


def _items(units: Sequence[Unit]) -> IntArray:
    place: dict[str, int] = {}
    return np.array([place.setdefault(item, len(place)) for item, _ in units], dtype=np.int64)


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value
