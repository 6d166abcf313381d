"""One of the times that judges were asked: repeats as runs, and not pooled."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assize.base.errors import DataError
from assize.judgments import JudgmentTable


def repeats_of(table: JudgmentTable, *, gold: str = "gold") -> dict[str, tuple[int, ...]]:
    """The numbers under which each judge was asked, in rising order; of `gold` none.

    >>> from assize.base.judgment import Judgment
    >>> rows = [Judgment("p", "j", "q", answer="A", repeat=n) for n in (0, 1)]
    >>> repeats_of(JudgmentTable.of(rows))
    {'j': (0, 1)}
    """
    judge, names = table.codes("judge")
    number = table.numeric("repeat")
    number = np.where(np.isnan(number), 0, number).astype(np.int64)
    found: dict[str, tuple[int, ...]] = {}
    for name in table.judges:
        if name != gold:
            found[name] = tuple(np.unique(number[judge == names.index(name)]).tolist())
    return found


def runs_of(asked: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    """The repeats that every judge has who was asked more than once; none where nobody was.

    >>> runs_of({"da": (0, 1, 2), "maxim": (0, 1), "reward": (0,)}), runs_of({"da": (0,)})
    ((0, 1), ())
    """
    several = [set(numbers) for numbers in asked.values() if len(numbers) > 1]
    return tuple(sorted(set.intersection(*several))) if several else ()


def of_repeat(table: JudgmentTable, repeat: int, *, gold: str = "gold") -> JudgmentTable:
    """The table as one run has it: of who was asked several times, the answers under one number.

    Judges that were asked once, such as reward models, and `gold` stay as they are.

    Raises:
        DataError: no judge that was asked several times has this number, or one lacks it.
    """
    asked = repeats_of(table, gold=gold)
    several = {name: numbers for name, numbers in asked.items() if len(numbers) > 1}
    without = [name for name, numbers in several.items() if repeat not in numbers]
    if without or not (several or any(repeat in numbers for numbers in asked.values())):
        there = "; ".join(
            f"{name} has {', '.join(map(str, numbers))}" for name, numbers in asked.items()
        )
        raise DataError(f"no repeat {repeat} of {', '.join(without) or 'any judge'}: {there}")
    judge, names = table.codes("judge")
    number = np.nan_to_num(table.numeric("repeat"))
    chosen = np.array([name in several for name in names], dtype=bool)[judge]
    return table.filter(~chosen | (number == repeat))
