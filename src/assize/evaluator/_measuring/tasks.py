"""What is to be predicted: the gold of one question on the items of one benchmark.

Gold is what the judge `gold` says, or a pair says of itself; else what people say together; else,
where there is neither, what all judges say together. Of ratings it is the mean; of preferences the
answer that most gave, a tie where none has more votes than every other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.base.conversation import Item
from assize.base.judgment import PREFERENCE
from assize.judging.aspects import canonical, spelling
from assize.judgments import JudgmentTable, Unit
from assize.judgments.combine import combine, unit_means
from assize.judgments.item_fields import judgments_of
from assize.judgments.membership import group_units
from assize.judgments.values import SIGN
from assize.stats import majority
from assize.stats._arrays import FloatArray

GOLD = "gold"
SIDES = np.array(list(SIGN.values()))


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One question on the items of one benchmark.

    Args:
        benchmark: its name: a file's, or `items`.
        question: its id; `preference` also stands for Overall, asked of pairs.
        level: `conversation`, `turn` or `pair`.
        units: (N) what has gold.
        truth: (N,) mean ratings, higher being better; of pairs 1 for A, 0 for a tie, -1 for B.
        clusters: (N,) labels of units that are not independent.
        source: who gave the gold: `gold`, `people` or `judges`.
    """

    benchmark: str
    question: str
    level: str
    units: tuple[Unit, ...]
    truth: FloatArray
    clusters: NDArray[Any]
    source: str

    @property
    def paired(self) -> bool:
        """Whether two responses are compared."""
        return self.level == "pair"

    @property
    def overall(self) -> bool:
        """Whether it is asked of the whole and not of one dimension."""
        return self.question == PREFERENCE.id or not self.paired


def find_tasks(
    benchmarks: Mapping[str, Sequence[Item]],
    table: JudgmentTable | None,
    *,
    gold: str = GOLD,
    by: str | None = None,
) -> list[Task]:
    """What there is gold for, benchmark by benchmark, ratings before preferences.

    Args:
        benchmarks: items by the name of their benchmark.
        table: judgments that hold the gold; None where pairs hold it all.
        gold: judge whose answers count as true.
        by: what units that are not independent share, as in `group_units`: `system`,
            `metadata.NAME` or a pattern found in ids; by default each item stands alone.
    """
    parts = [_own_gold(benchmarks, gold), *([] if table is None else [canonical(table)])]
    whole = JudgmentTable.concat([part for part in parts if len(part)])
    tasks: list[Task] = []
    for question in whole.asked:
        asked = whole.questions[question]
        paired = asked.kind == "preference"
        rows, source = _truthful(whole.where(question=question), gold)
        known = _preferred(rows) if paired else unit_means(rows, asked)
        for benchmark, items in benchmarks.items():
            ids = {item.id for item in items}
            levels: dict[str, dict[Unit, float]] = {}
            for unit, value in known.items():
                if unit[0] in ids and value == value:
                    level = "pair" if paired else "conversation" if unit[1] is None else "turn"
                    levels.setdefault(level, {})[unit] = value
            for level, values in levels.items():
                truth, clusters = np.array([*values.values()]), clusters_of([*values], items, by)
                task = Task(benchmark, question, level, (*values,), truth, clusters, source)
                tasks.append(task)
    return sorted(tasks, key=lambda task: ([*benchmarks].index(task.benchmark), task.paired))


def _own_gold(benchmarks: Mapping[str, Sequence[Item]], gold: str) -> JudgmentTable:
    """What pairs say of themselves, as judgments."""
    rows = [
        replace(row, judge=gold, question=spelling(row.question), kind=None)
        for items in benchmarks.values()
        for item in items
        for row in judgments_of(item)
    ]
    names = dict.fromkeys(row.question for row in rows)
    return JudgmentTable.of(rows, [replace(PREFERENCE, id=name) for name in names])


def _truthful(rows: JudgmentTable, gold: str) -> tuple[JudgmentTable, str]:
    """The rows that are taken for the truth, and who gave them."""
    if gold in rows.judges:
        return rows.where(judge=gold), "gold"
    people = rows.where(kind=("person", None))
    return (people, "people") if len(people) else (rows, "judges")


def _preferred(rows: JudgmentTable) -> dict[Unit, float]:
    """The answer that most judges give to each pair; NaN where nobody gives one."""
    found = combine(rows, PREFERENCE)
    counts = np.zeros((len(found.units), len(SIDES)))
    for place, side in enumerate(SIDES):
        counts[:, place] = np.bincount(found.unit[found.values == side], minlength=len(counts))
    return dict(zip(found.units, majority_sides(counts).tolist(), strict=True))


def majority_sides(counts: FloatArray) -> FloatArray:
    """(N,) what most of the votes (N, 3) for A, a tie and B say, as 1, 0 and -1.

    A tie where two answers share the first place; NaN without a vote.
    """
    most = majority(counts)
    return np.where(most >= 0, SIDES[np.maximum(most, 0)], np.where(most == -1, 0.0, np.nan))


def clusters_of(units: Sequence[Unit], items: Sequence[Item], by: str | None) -> NDArray[Any]:
    """(N,) the item of each unit, or the group that its item is in; items of none stand alone."""
    alone = [item for item, _ in units]
    if by is None:
        return np.array(alone)
    groups = group_units(units, by, items).names
    named = zip(alone, groups, strict=True)
    return np.array([f"item {one}" if group is None else f"group {group}" for one, group in named])
