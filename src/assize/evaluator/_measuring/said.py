"""What an evaluator or a judge says of a task: a value a unit, and which side it leans to.

A vote that is stored with a margin, with a score of each side or with probabilities leans to a side
even where the vote itself is a tie; a bare vote leans where it votes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from assize.base.judgment import Judgment
from assize.evaluator._measuring.tasks import GOLD, Task
from assize.judgments import JudgmentTable, Unit
from assize.judgments.combine import combine
from assize.judgments.values import SIGN, vote_of
from assize.stats._arrays import FloatArray

Group = Literal["evaluators", "judges", "together"]
MAIN = ("overall", "rating", "score")
"""Questions that stand for a judge's rating of the whole, where it answers none of the name."""


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """One row's values on one task.

    Args:
        name: of the evaluator, the judge, or the way to put several together.
        group: what it is.
        answered: the question that it answered, which need not be of the task's name; "" where it
            answered none that fits.
        values: (N,) its ratings, higher being better, or its votes as 1, 0 and -1; NaN for none.
        lean: (N,) of pairs: above 0 towards A; NaN where there is no vote.
    """

    name: str
    group: Group
    answered: str
    values: FloatArray
    lean: FloatArray

    @property
    def there(self) -> bool:
        """Whether it says anything of the task."""
        return not bool(np.isnan(self.values).all())


def said_by(table: JudgmentTable, task: Task, name: str, group: Group) -> Said:
    """What one judge says.

    Args:
        table: judgments in canonical spelling, of any judges.
        name: the judge.

    Of ratings the question of the task's name counts (upper and lower case are one, and
    `evaluator:Safety` is Safety where nothing else is), else its
    `overall`, `rating` or `score`, else the only one that it answers, else the first; a rating of
    which higher is worse is turned round. Of pairs only the question itself counts.
    """
    mine = table.where(judge=name)
    answered = _question(mine, task)
    none = np.full(len(task.units), np.nan)
    if answered == "":
        return Said(name, group, "", none, none)
    rows, asked = mine.where(question=answered), mine.questions[answered]
    found = combine(rows, asked)
    sign = -1.0 if asked.higher == "worse" else 1.0
    by_unit = {
        found.units[unit]: sign * value
        for unit, value in zip(found.unit.tolist(), found.values.tolist(), strict=True)
    }
    values = _placed(by_unit, task.units)
    if not task.paired:
        return Said(name, group, answered, values, none)
    lean = _placed(_leaning(rows), task.units)
    lean = np.where(np.isnan(lean), values, lean)
    return Said(name, group, answered, values, np.where(np.isnan(values), np.nan, lean))


def judges_in(table: JudgmentTable, gold: str = GOLD) -> list[str]:
    """Judges that are measured: neither gold nor people. One of no stated kind counts."""
    kinds = table.where(kind=("model", "metric", "evaluator", None))
    return [name for name in kinds.judges if name != gold]


def _question(mine: JudgmentTable, task: Task) -> str:
    fits = [
        name
        for name in mine.asked
        if (mine.questions[name].kind == "preference") is task.paired
        and mine.questions[name].kind not in ("nominal", "text")
    ]
    by_name = {name.casefold().partition(":")[2]: name for name in reversed(fits) if ":" in name}
    by_name |= {name.casefold(): name for name in reversed(fits)}
    if task.question.casefold() in by_name:
        return by_name[task.question.casefold()]
    if task.paired or not fits:
        return ""
    return next((by_name[name] for name in MAIN if name in by_name), fits[0])


def _placed(known: Mapping[Unit, float], units: Sequence[Unit]) -> FloatArray:
    return np.array([known.get(unit, math.nan) for unit in units])


def _leaning(rows: JudgmentTable) -> dict[Unit, float]:
    """Towards A above 0: the mean over a unit's rows of what each says beyond its vote."""
    each: dict[Unit, list[float]] = {}
    for row in rows:
        if (leant := lean_of(row)) is not None:
            each.setdefault((row.item, row.turn), []).append(leant)
    return {unit: sum(found) / len(found) for unit, found in each.items()}


def lean_of(row: Judgment) -> float | None:
    """How far one preference leans towards A; None where it says nothing.

    The first that is there of: the margin, the difference of both sides' scores, the score, the
    probability of A less that of B, the vote.

    >>> lean_of(Judgment("p", "j", "preference", answer="tie", details={"margin": 0.01}))
    0.01
    """
    if row.unscored is not None:
        return None
    details = row.details or {}
    margin, scores = _number(details.get("margin")), details.get("scores")
    if margin is not None:
        return margin
    if isinstance(scores, Mapping):
        a, b = _number(scores.get("A")), _number(scores.get("B"))
        if a is not None and b is not None:
            return a - b
    if row.score is not None and math.isfinite(row.score):
        return float(row.score)
    if row.distribution:
        return row.distribution.get("A", 0.0) - row.distribution.get("B", 0.0)
    vote = vote_of(row)
    return None if vote is None else SIGN[vote]


def _number(value: Any) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if known and math.isfinite(value) else None
