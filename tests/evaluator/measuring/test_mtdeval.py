"""Tables of measured evaluators, in the shape of MTDEval's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tests.evaluator.measuring.tasks_of import ASKED, table, task, votes

from assize.evaluator._measuring.measure import against, averages, measure
from assize.evaluator._measuring.measured import EvaluatorFigures
from assize.evaluator._measuring.runtime import Runtime
from assize.evaluator._measuring.tasks import Task
from assize.results import Ranked
from assize.stats import mean

N = 40
TRUTH = np.tile([1.0, -1.0], N // 2)


def made(
    tasks: Sequence[Task], wrong: dict[str, int], among: Sequence[str] = ()
) -> EvaluatorFigures:
    """Of judges who are wrong about so many of the first pairs; the first one is an evaluator."""
    every = table(
        *(
            votes(name, np.where(np.arange(N) < count, -TRUTH, TRUTH), one.id)
            for name, count in wrong.items()
            for one in ASKED
        )
    )
    first = next(iter(wrong))
    found = measure(tasks, every.where(judge=first), every)
    tests = against(found, permutations=100)
    seconds = Runtime(first, mean([0.1, 0.2]), mean([]))
    chosen = among or list(wrong)
    return EvaluatorFigures(first, found, averages(found), tests, first, chosen, (seconds,), "0f")


def test_best_and_second_best_are_set_off_among_those_that_are_named() -> None:
    tasks = [task(TRUTH, benchmark=name) for name in ("one", "two")]
    found = made(tasks, {"e": 8, "a": 4, "b": 2, "c": 0}, among=["e", "a", "b"])
    shown = found.tables["compared"]
    assert [one.name for one in shown.columns[2:]] == [
        f"{name} w/{o} tie" for name in ("one", "two") for o in ("", "o")
    ]
    places = {row[1]: row[2].place for row in shown.rows if isinstance(row[2], Ranked)}
    assert places == {"a": 2, "b": 1}
    text = str(shown)
    assert "95.0*" in text
    assert "90.0+" in text
    assert "of e, a, b" in shown.notes[0]


def test_equal_figures_share_a_place() -> None:
    shown = made([task(TRUTH)], {"e": 4, "a": 4, "b": 8}).tables["compared"]
    assert [cell.place for row in shown.rows if isinstance(cell := row[2], Ranked)] == [1, 1, 2]


def test_dimensions_stand_across_with_their_average() -> None:
    tables = made([task(TRUTH, question=one.id) for one in ASKED], {"e": 8, "a": 4}).tables
    assert list(tables) == ["figures", "tests", "runtimes", "compared", "dimensions"]
    names = [one.name for one in tables["dimensions"].columns]
    assert names == ["group", "judge", "Accuracy", "Safety", "average"]
    row = next(row for row in tables["dimensions"].rows if row[1] == "a")
    cells = [cell.value.estimate for cell in row[2:] if isinstance(cell, Ranked)]  # type: ignore[union-attr]
    assert cells == [0.9, 0.9, 0.9]


def test_one_evaluator_has_its_figures_alone() -> None:
    tables = made([task(TRUTH)], {"e": 8}).tables
    assert list(tables) == ["figures", "runtimes"]
    columns = [column.name for column in tables["figures"].columns]
    row = dict(zip(columns, tables["figures"].rows[0], strict=True))
    assert (row["question"], row["judge"], row["n"]) == ("preference", "e", 40)
    assert tables["figures"].title == "s: preference, pair: Against gold"
    assert "gold labels" in tables["figures"].notes[0]
