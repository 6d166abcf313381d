"""From a table of judgments to one column of numbers a judge, side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assize.errors import ConfigError
from assize.judgment import NOT_APPLICABLE, Judgment, JudgmentTable, Question
from assize.signature import sign_text
from assize.stats.arrays import FloatArray

Unit = tuple[str, int | None]

PEOPLE = "people"
"""The judge that stands for all people together."""


@dataclass(frozen=True, slots=True)
class Column:
    """One judge's answers to one question.

    Args:
        values: (units N,) NaN where there is none.
        asked: (units N,) where the judge was asked, and answered or failed; not where the
            question did not apply.
        unscored: units that were asked and have no answer because every call failed.
        not_applicable: units to which the judge answered that the question does not apply.
        anonymous: whether the judge's id is a position and not a person.
        person: whether the judge is a person.
        split: units whose votes cancel out; a preference is then a tie, a nominal answer
            is missing.
    """

    values: FloatArray
    asked: NDArray[np.bool_]
    unscored: int
    not_applicable: int
    anonymous: bool
    person: bool
    split: int

    @property
    def scored(self) -> int:
        """Units with an answer."""
        return int((~np.isnan(self.values)).sum())


@dataclass(frozen=True, slots=True)
class Columns:
    """All judges' answers to one question, on the same units (an item, or a turn of one).

    Args:
        question: with its scale; nominal answers stand as their place among `answers`.
        units: (item, turn) of each row.
        by_judge: in order of appearance.
        duplicates: rows that repeat an earlier one's item, judge, question, order, turn
            and repeat; they are counted into the mean or majority like any other.
    """

    question: Question
    units: tuple[Unit, ...]
    by_judge: Mapping[str, Column]
    duplicates: int

    def matrix(self, judges: Iterable[str]) -> FloatArray:
        """Values of some judges: (judges R, units N)."""
        return np.stack([self.by_judge[judge].values for judge in judges])

    @property
    def items(self) -> tuple[str, ...]:
        """The item of each unit."""
        return tuple(item for item, _ in self.units)

    def digest(self) -> str:
        """Eight digits that stand for the values, whatever the order of rows in the files."""
        lines = []
        for judge, column in self.by_judge.items():
            for (item, turn), value in zip(self.units, column.values, strict=True):
                if not np.isnan(value):
                    lines.append(f"{judge}\x1f{item}\x1f{turn}\x1f{value:.12g}")
        return sign_text("\x1e".join(sorted(lines)), 8)


def columns(
    table: JudgmentTable, question: str, *, judges: Collection[str] | None = None
) -> Columns:
    """The answers to one question, one value a judge and unit.

    A unit with several votes (orders, repeats) gets their mean; a preference the sign of
    it, a nominal answer the strict majority. An ordinal answer counts as its value in the
    question; where a judgment has a score it is preferred, where it has only a
    distribution its mean (nominal: its peak) is taken.

    Args:
        judges: the only ones to keep, in this order; all when None.
    """
    asked = table.questions[question]
    rows: dict[str, dict[Unit, list[Judgment]]] = defaultdict(lambda: defaultdict(list))
    units: dict[Unit, int] = {}
    keys: set[tuple[object, ...]] = set()
    count = 0
    for row in table:
        if row.question != question or (judges is not None and row.judge not in judges):
            continue
        count += 1
        keys.add(row.key)
        units.setdefault((row.item, row.turn), len(units))
        rows[row.judge][row.item, row.turn].append(row)
    names = list(rows) if judges is None else [name for name in judges if name in rows]
    by_judge = {name: _column(rows[name], units, asked) for name in names}
    return Columns(asked, tuple(units), by_judge, count - len(keys))


def _column(
    rows: Mapping[Unit, list[Judgment]], units: Mapping[Unit, int], question: Question
) -> Column:
    values, asked = np.full(len(units), np.nan), np.zeros(len(units), dtype=bool)
    unscored = not_applicable = split = 0
    first = next(iter(rows.values()))[0]
    for unit, votes in rows.items():
        numbers = [value for vote in votes if (value := value_of(vote, question)) is not None]
        if numbers:
            value, undecided = _together(numbers, question)
            values[units[unit]], asked[units[unit]] = value, True
            split += undecided
        elif any(vote.unscored is None for vote in votes):
            not_applicable += 1
        else:
            asked[units[unit]] = True
            unscored += 1
    person = first.kind == "person" or first.judge == "gold"
    return Column(values, asked, unscored, not_applicable, first.anonymous, person, split)


def _together(numbers: list[float], question: Question) -> tuple[float, bool]:
    """One value of several votes, and whether they cancel out."""
    if len(numbers) == 1:
        return numbers[0], False
    if question.kind == "preference":
        total = sum(numbers)
        return float(np.sign(total)), total == 0 and any(numbers)
    if question.kind == "nominal":
        found, counts = np.unique(numbers, return_counts=True)
        tied = (counts == counts.max()).sum() > 1
        return (float("nan"), True) if tied else (float(found[counts.argmax()]), False)
    return float(np.mean(numbers)), False


def value_of(row: Judgment, question: Question) -> float | None:
    """The number that one judgment stands for; None where it has none."""
    if row.unscored is not None or row.answer == NOT_APPLICABLE:
        return None
    if row.score is not None and question.kind not in ("nominal", "preference"):
        return None if np.isnan(row.score) else float(row.score)
    scale = scale_of(question)
    if row.answer is not None:
        return scale[row.answer] if row.answer in scale else _number(row.answer, question)
    if row.distribution:
        return _of_distribution(row.distribution, scale, question)
    return None if row.score is None or np.isnan(row.score) else float(row.score)


def scale_of(question: Question) -> dict[str, float]:
    """The value of each answer; its place where the question gives no values."""
    if question.kind == "preference":
        return {"A": 1.0, "tie": 0.0, "B": -1.0}
    if question.values is not None and question.kind != "nominal":
        return dict(zip(question.answers, question.values, strict=False))
    return {answer: float(place) for place, answer in enumerate(question.answers)}


def _number(answer: str, question: Question) -> float | None:
    if question.kind not in ("number", "ordinal", "binary"):
        return None
    try:
        value = float(answer)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def _of_distribution(
    distribution: Mapping[str, float], scale: Mapping[str, float], question: Question
) -> float | None:
    known = [(scale[answer], p) for answer, p in distribution.items() if answer in scale]
    total = sum(p for _, p in known)
    if total <= 0:
        return None
    if question.kind in ("nominal", "preference"):
        best = max(p for _, p in known)
        peaks = [value for value, p in known if p == best]
        if len(peaks) > 1:
            return 0.0 if question.kind == "preference" else None
        return peaks[0]
    return sum(value * p for value, p in known) / total


def with_people(found: Columns) -> Columns:
    """The same columns with all people together as one more judge, `people`.

    Their answers to a unit are combined as one judge's votes are: mean, or majority.
    """
    people = [
        (name, column)
        for name, column in found.by_judge.items()
        if column.person and name != "gold"
    ]
    if not people:
        return found
    stacked = np.stack([column.values for _, column in people])
    values, split = np.full(len(found.units), np.nan), 0
    for unit in np.flatnonzero((~np.isnan(stacked)).any(axis=0)):
        given = stacked[:, unit]
        values[unit], undecided = _together(given[~np.isnan(given)].tolist(), found.question)
        split += undecided
    joined = Column(values, ~np.isnan(values), 0, 0, False, True, split)
    return Columns(
        found.question, found.units, {**found.by_judge, PEOPLE: joined}, found.duplicates
    )


def as_one(table: JudgmentTable, same: Mapping[str, str]) -> JudgmentTable:
    """The table with some questions read as others, where judges were asked apart.

    Args:
        same: question -> the question that it is read as. Where the two have different
            scales, both become numbers: order and distance count, answers do not.

    Raises:
        ConfigError: nobody answered one of them, or one has no numbers.
    """
    questions = dict(table.questions)
    answered = {row.question for row in table}
    for old, new in same.items():
        for name in (old, new):
            if name not in answered:
                raise ConfigError(f"no question {name!r}; asked were {', '.join(sorted(answered))}")
        one, two = questions[old], questions[new]
        if (one.kind, one.answers, one.values) != (two.kind, two.answers, two.values):
            if not {one.kind, two.kind} <= {"ordinal", "number", "binary"}:
                raise ConfigError(f"{old} ({one.kind}) cannot be read as {new} ({two.kind})")
            questions[new] = replace(two, kind="number", answers=(), values=None, range=None)
    rows = (_moved(row, table.questions[row.question], same) for row in table)
    return JudgmentTable(tuple(rows), questions, table.inferred) if same else table


def _moved(row: Judgment, asked: Question, same: Mapping[str, str]) -> Judgment:
    """The row under its new question, its answer as the number that it stands for."""
    if row.question not in same and row.question not in same.values():
        return row
    value = value_of(row, asked) if asked.kind in ("ordinal", "number", "binary") else None
    name = same.get(row.question, row.question)
    return replace(row, question=name, score=row.score if value is None else value)


def probability_of(row: Judgment, question: Question) -> float | None:
    """The probability that a judgment gives to the positive answer of a two-way question:
    the last of two answers, or A among A and B (a tie counts half)."""
    if row.unscored is not None:
        return None
    if row.distribution is not None:
        scale = scale_of(question)
        known = [(scale[answer], p) for answer, p in row.distribution.items() if answer in scale]
        total = sum(p for _, p in known)
        if total <= 0:
            return None
        low, high = min(scale.values()), max(scale.values())
        return sum((value - low) / (high - low) * p for value, p in known) / total
    if question.kind == "binary" and row.score is not None and 0 <= row.score <= 1:
        return float(row.score)
    return None


def probabilities(table: JudgmentTable, found: Columns, judge: str) -> FloatArray | None:
    """Mean probabilities of the positive answer (N,), for two-way questions; None where the
    judge gives none, or only 0 and 1."""
    question = found.question
    if question.kind != "preference" and not (
        question.kind == "binary" and len(question.answers) == 2
    ):
        return None
    place = {unit: at for at, unit in enumerate(found.units)}
    total, count = np.zeros(len(place)), np.zeros(len(place))
    for row in table:
        if row.judge == judge and row.question == question.id:
            value = probability_of(row, question)
            if value is not None:
                total[place[row.item, row.turn]] += value
                count[place[row.item, row.turn]] += 1
    values = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    given = values[~np.isnan(values)]
    return None if len(given) == 0 or np.isin(given, (0, 0.5, 1)).all() else values
