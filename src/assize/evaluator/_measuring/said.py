"""What an evaluator or a judge says of a task: a value a unit, and which side it leans to.

A vote that is stored with a margin, with a score of each side or with probabilities leans to a side
even where the vote itself is a tie; a bare vote leans where it votes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from assize.base.judgment import Judgment
from assize.evaluator._measuring.tasks import GOLD, Task
from assize.judgments import JudgmentTable, Unit
from assize.judgments.answers import columns
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
    own = columns(rows, answered)
    sign = -1.0 if asked.higher == "worse" else 1.0
    by_unit = dict(zip(own.units, (sign * own.by_judge[name].values).tolist(), strict=True))
    values = np.array([by_unit.get(unit, math.nan) for unit in task.units])
    if not task.paired:
        return Said(name, group, answered, values, none)
    leans: dict[Unit, list[float]] = {}
    for row in rows:
        if (leant := lean_of(row)) is not None:
            leans.setdefault((row.item, row.turn), []).append(leant)
    lean = [
        sum(leans[unit]) / len(leans[unit]) if unit in leans else value
        for unit, value in zip(task.units, values.tolist(), strict=True)
    ]
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


def lean_of(row: Judgment) -> float | None:
    """How far one preference leans towards A; None where it says nothing.

    The first that is there of: the margin, the difference of both sides' scores, the score, the
    probability of A less that of B, the vote.

    >>> lean_of(Judgment("p", "j", "preference", answer="tie", details={"margin": 0.01}))
    0.01
    """
    if row.unscored is not None:
        return None
    details, vote = row.details or {}, vote_of(row)
    scores, shares = details.get("scores"), row.distribution or {}
    sides = scores if isinstance(scores, Mapping) else {}
    a, b = _number(sides.get("A")), _number(sides.get("B"))
    says = (
        _number(details.get("margin")),
        None if a is None or b is None else a - b,
        _number(row.score),
        shares.get("A", 0.0) - shares.get("B", 0.0) if shares else None,
        None if vote is None else SIGN[vote],
    )
    return next((value for value in says if value is not None), None)


def _number(value: Any) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if known and math.isfinite(value) else None
