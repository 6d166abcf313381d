"""Tables of measured evaluators, in the shape of MTDEval's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.evaluator._measuring.measure import against, averages, measure
from assize.evaluator._measuring.measured import EvaluatorFigures
from assize.evaluator._measuring.runtime import Runtime
from assize.evaluator._measuring.tasks import Task
from assize.judgments import JudgmentTable
from assize.results import Ranked
from assize.stats import mean

N = 40
TRUTH = np.tile([1.0, -1.0], N // 2)
ASKED = [
    Question(name, kind="preference", answers=PREFERENCE.answers)
    for name in ("preference", "Accuracy", "Safety")
]


def task(benchmark: str, question: str = "preference") -> Task:
    units = tuple((f"p{at}", None) for at in range(N))
    return Task(benchmark, question, "pair", units, TRUTH, np.arange(N), "gold")


def says(name: str, wrong: int, question: str) -> list[Judgment]:
    """A judge who is wrong about the first pairs."""
    said = np.where(np.arange(N) < wrong, -TRUTH, TRUTH)
    return [
        Judgment(f"p{at}", name, question, answer="A" if one > 0 else "B", kind="model")
        for at, one in enumerate(said.tolist())
    ]


def made(
    tasks: Sequence[Task], names: dict[str, int], among: Sequence[str] = ()
) -> EvaluatorFigures:
    rows = [
        row for name, wrong in names.items() for one in ASKED for row in says(name, wrong, one.id)
    ]
    table = JudgmentTable.of(rows, ASKED)
    first = next(iter(names))
    found = measure(tasks, table.where(judge=first), table)
    seconds = Runtime(first, mean([0.1, 0.2]), mean([]))
    return EvaluatorFigures(
        first,
        found,
        averages(found),
        against(found, permutations=100),
        first,
        among or list(names),
        (seconds,),
        "0f",
    )


def test_best_and_second_best_are_set_off_among_those_that_are_named() -> None:
    found = made(
        [task("one"), task("two")], {"e": 8, "a": 4, "b": 2, "c": 0}, among=["e", "a", "b"]
    )
    table = found.tables["compared"]
    assert [one.name for one in table.columns[2:]] == [
        "one w/ tie",
        "one w/o tie",
        "two w/ tie",
        "two w/o tie",
    ]
    places = {row[1]: row[2].place if isinstance(row[2], Ranked) else None for row in table.rows}
    assert places == {
        "e": None,
        "a": 2,
        "b": 1,
        "c": None,
        "majority vote": None,
        "Dawid-Skene": None,
    }
    text = str(table)
    assert "95.0*" in text
    assert "90.0+" in text
    assert "of e, a, b" in table.notes[0]


def test_equal_figures_share_a_place() -> None:
    table = made([task("s")], {"e": 4, "a": 4, "b": 8}).tables["compared"]
    shown = [cell.place for row in table.rows if isinstance(cell := row[2], Ranked)]
    assert shown == [1, 1, 2]


def test_dimensions_stand_across_with_their_average() -> None:
    tasks = [task("s", name) for name in ("preference", "Accuracy", "Safety")]
    tables = made(tasks, {"e": 8, "a": 4}).tables
    assert [one.name for one in tables["dimensions"].columns] == [
        "group",
        "judge",
        "Accuracy",
        "Safety",
        "average",
    ]
    row = next(row for row in tables["dimensions"].rows if row[1] == "a")
    cells = [cell.value.estimate for cell in row[2:] if isinstance(cell, Ranked)]  # type: ignore[union-attr]
    assert cells == [0.9, 0.9, 0.9]
    assert list(tables) == ["figures", "tests", "runtimes", "compared", "dimensions"]


def test_one_evaluator_has_its_figures_alone() -> None:
    tables = made([task("s")], {"e": 8}).tables
    assert list(tables) == ["figures", "runtimes"]
    columns = [column.name for column in tables["figures"].columns]
    row = dict(zip(columns, tables["figures"].rows[0], strict=True))
    assert (row["question"], row["judge"], row["n"]) == ("preference", "e", 40)
    assert tables["figures"].title == "s: preference, pair: Against gold"
    assert "gold labels" in tables["figures"].notes[0]
