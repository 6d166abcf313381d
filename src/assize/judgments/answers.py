"""From a table of judgments to one column of numbers a judge, side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assize.base.errors import ConfigError
from assize.base.judgment import TRUTHS, Question, infer_question
from assize.base.signature import sign_text
from assize.judgments.combine import Combined, Votes, combine, joined
from assize.judgments.table import JudgmentTable, Unit, appearing, names_array
from assize.judgments.values import SPELT, numbers, value_of_answer
from assize.judgments.values import probabilities as of_rows

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
        split: units whose votes differ or cancel out; a preference is then a tie, a nominal
            answer is missing.
    """

    values: NDArray[np.float64]
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

    def matrix(self, judges: Iterable[str]) -> NDArray[np.float64]:
        """Values of some judges: (judges R, units N)."""
        return np.stack([self.by_judge[judge].values for judge in judges])

    @property
    def items(self) -> tuple[str, ...]:
        """The item of each unit."""
        return tuple(item for item, _ in self.units)

    def digest(self) -> str:
        """Eight digits that stand for the values, whatever the order of rows in the files."""
        ids = [item if turn is None else f"{item}\x1f{turn}" for item, turn in self.units]
        order = pc.sort_indices(pa.array(ids, pa.string())).to_numpy()
        pieces = ["\x1e".join([ids[at] for at in order.tolist()]).encode()]
        for judge in sorted(self.by_judge):
            values = self.by_judge[judge].values[order]
            rounded = np.where(np.isnan(values), np.nan, np.round(values, 12) + 0.0)
            pieces += [f"\x1d{judge}\x1c".encode(), rounded.tobytes()]
        return sign_text(b"".join(pieces), 8)


def columns(
    table: JudgmentTable,
    question: str,
    *,
    judges: Collection[str] | None = None,
    votes: Votes = "agree",
) -> Columns:
    """The answers to one question, one value a judge and unit.

    What a judgment is worth, and how several of one judge on one unit become one value,
    stands in `assize.judgments.values` and `assize.judgments.combine`.

    Args:
        judges: the only ones to keep, in this order; all when None.
        votes: `agree` makes a preference whose orders differ a tie, and unscored where one of
            them is missing; `mean` takes the sign of the mean of what is there.
    """
    asked = table.questions[question]
    rows = table.where(question=question)
    if judges is not None:
        rows = rows.where(judge=list(judges))
    found = combine(rows, asked, votes)
    names = found.judges if judges is None else [one for one in judges if one in found.judges]
    facts = _facts(rows)
    by_judge = {name: _column(found, name, *facts[name]) for name in names}
    return Columns(asked, found.units, by_judge, rows.duplicates)


def _column(found: Combined, name: str, anonymous: bool, person: bool) -> Column:
    mine = found.judge == found.judges.index(name)
    values = np.full(len(found.units), np.nan)
    asked = np.zeros(len(found.units), dtype=bool)
    values[found.unit[mine]] = found.values[mine]
    asked[found.unit[mine]] = ~found.not_applicable[mine]
    return Column(
        values,
        asked,
        int(found.unscored[mine].sum()),
        int(found.not_applicable[mine].sum()),
        anonymous,
        person,
        int(found.split[mine].sum()),
    )


def _facts(table: JudgmentTable) -> dict[str, tuple[bool, bool]]:
    """Of each judge, by its first row: whether it is anonymous, whether it is a person."""
    codes, names = table.codes("judge")
    _, first = appearing(codes)
    kinds, known = table.codes("kind")
    anonymous = table.numeric("anonymous")
    found = {}
    for at in first.tolist():
        name = names[codes[at]]
        person = name == "gold" or (kinds[at] >= 0 and known[kinds[at]] == "person")
        found[name] = (bool(anonymous[at] == 1), person)
    return found


def with_people(found: Columns) -> Columns:
    """The same columns with all people together as one more judge, `people`.

    Their answers to a unit are the mean, of preferences its sign, of nominal answers the most
    frequent one.
    """
    people = [one for name, one in found.by_judge.items() if one.person and name not in TRUTHS]
    if not people:
        return found
    values, split = joined(np.stack([one.values for one in people]), found.question)
    given = np.any([~np.isnan(one.values) for one in people], axis=0)
    together = Column(values, given & ~np.isnan(values), 0, 0, False, True, int(split.sum()))
    return Columns(
        found.question, found.units, {**found.by_judge, PEOPLE: together}, found.duplicates
    )


def as_one(table: JudgmentTable, same: Mapping[str, str]) -> JudgmentTable:
    """The table with some questions read as others, where judges were asked apart.

    Args:
        same: question -> the question that it is read as. Where the two have different
            scales, both become numbers: order and distance count, answers do not. Where a judge
            answered both about a unit, the answer to the former counts alone.

    Raises:
        ConfigError: nobody answered one of them, or one has no numbers.
    """
    questions = dict(table.questions)
    answered = table.asked
    for old, new in same.items():
        for name in (old, new):
            if name not in answered:
                raise ConfigError(f"no question {name!r}; asked were {', '.join(sorted(answered))}")
        one, two = questions[old], questions[new]
        joined = _join_scales(one, two, guessed={old, new} <= table.inferred)
        if joined is None:
            if not {one.kind, two.kind} <= set(SPELT):
                raise ConfigError(f"{old} ({one.kind}) cannot be read as {new} ({two.kind})")
            joined = replace(two, kind="number", answers=(), values=None, range=None)
        questions[new] = joined
    return _moved(_answered_once(table, same), questions, same) if same else table


def mixed_scales(table: JudgmentTable, same: Mapping[str, str]) -> set[str]:
    """Return the questions that `same` makes of answered questions with different scales."""
    return {
        new
        for old, new in same.items()
        if {old, new} <= set(table.asked)
        and _join_scales(
            table.questions[old], table.questions[new], guessed={old, new} <= table.inferred
        )
        is None
    }


def _join_scales(first: Question, second: Question, *, guessed: bool) -> Question | None:
    """The second with a scale that both have; None where their scales differ.

    Two guessed scales of numbers are one: each holds the answers that happened to be seen.
    """
    if (first.kind, first.answers, first.values) == (second.kind, second.answers, second.values):
        return second
    answers, numbers = {*first.answers, *second.answers}, Question("", kind="number")
    spelled = all(value_of_answer(answer, numbers) is not None for answer in answers)
    if not guessed or not spelled or not first.kind == second.kind == "ordinal":
        return None
    joined = infer_question(second.id, answers)
    return replace(second, answers=joined.answers, values=joined.values)


def _answered_once(table: JudgmentTable, same: Mapping[str, str]) -> JudgmentTable:
    """The table without a judge's second answer where it answered two questions that become one."""
    unit, _ = table.units()
    judge, judges = table.codes("judge")
    question, names = table.codes("question")
    about = unit * len(judges) + judge
    keep = np.ones(len(table), dtype=bool)
    for old, new in same.items():
        replaced = about[question == names.index(old)]
        keep &= (question != names.index(new)) | ~np.isin(about, replaced)
    return table.filter(keep)


def _moved(
    table: JudgmentTable, questions: Mapping[str, Question], same: Mapping[str, str]
) -> JudgmentTable:
    """The rows under their new questions, with the number that each stands for as its score."""
    codes, names = table.codes("question")
    score = table.numeric("score")
    for name in {*same, *same.values()}:
        if table.questions[name].kind in SPELT:
            rows = codes == names.index(name)
            worth = numbers(table.filter(rows), table.questions[name])
            score[rows] = np.where(np.isnan(worth), score[rows], worth)
    renamed = names_array([same.get(name, name) for name in names], codes)
    changed = {"question": renamed, "score": pa.array(score, from_pandas=True)}
    return JudgmentTable(table.replaced(changed), questions, table.inferred)


def probabilities(table: JudgmentTable, found: Columns, judge: str) -> NDArray[np.float64] | None:
    """Mean probabilities of the positive answer (N,), for two-way questions; None where the
    judge gives none, or only 0 and 1."""
    question = found.question
    two_way = question.kind == "binary" and len(question.answers) == 2
    if question.kind != "preference" and not two_way:
        return None
    rows = table.where(judge=judge, question=question.id)
    place, units = rows.units()
    at = {unit: index for index, unit in enumerate(found.units)}
    given = of_rows(rows, question)
    known = ~np.isnan(given)
    count = np.bincount(place[known], minlength=len(units))
    total = np.bincount(place[known], given[known], len(units))
    values = np.full(len(found.units), np.nan)
    for unit, n, p in zip(units, count.tolist(), total.tolist(), strict=True):
        values[at[unit]] = p / n if n else np.nan
    said = values[~np.isnan(values)]
    return None if len(said) == 0 or np.isin(said, (0, 0.5, 1)).all() else values
