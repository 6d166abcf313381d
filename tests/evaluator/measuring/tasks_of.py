"""Tasks with planted gold, and what judges say of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.evaluator._measuring.said import Said
from assize.evaluator._measuring.tasks import Task
from assize.judgments import JudgmentTable
from assize.stats._arrays import FloatArray

NAN = float("nan")
ASKED = [
    Question(name, kind="preference", answers=PREFERENCE.answers)
    for name in ("preference", "Accuracy", "Safety")
]
ANSWERS = {1.0: "A", 0.0: "tie", -1.0: "B"}


def task(
    truth: ArrayLike,
    level: str = "pair",
    *,
    benchmark: str = "s",
    question: str = "preference",
    source: str = "gold",
) -> Task:
    """Gold of items `p0`, `p1` and so on."""
    gold = np.asarray(truth, dtype=float)
    units = tuple((f"p{at}", None) for at in range(len(gold)))
    return Task(benchmark, question, level, units, gold, np.arange(len(gold)), source)


def said(values: ArrayLike, lean: ArrayLike | None = None, answered: str = "preference") -> Said:
    """What a judge says; it leans as it votes unless `lean` says otherwise."""
    given = np.asarray(values, dtype=float)
    leans = given if lean is None else np.asarray(lean, dtype=float)
    return Said("j", "judges", answered, given, leans)


def votes(name: str, values: FloatArray, question: str = "preference") -> list[Judgment]:
    """The answers of a judge to the items of `task`."""
    return [
        Judgment(f"p{at}", name, question, answer=ANSWERS[value], kind="model")
        for at, value in enumerate(values.tolist())
    ]


def table(*rows: Sequence[Judgment]) -> JudgmentTable:
    return JudgmentTable.of([row for some in rows for row in some], ASKED)
