"""The record of measured evaluators."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.evaluator.measuring.tasks_of import table, task, votes

from assize.evaluator._measuring.measure import against, averages, measure
from assize.evaluator._measuring.measured import EvaluatorFigures

GOLD = task([1, 1, -1, -1, 0, 1])
OWN = table(votes("evaluator@x", np.array([1.0, 1, -1, -1, 0])))


@pytest.fixture
def found() -> EvaluatorFigures:
    """An evaluator that scores five pairs of six, and a judge who scores all."""
    rows = measure([GOLD], OWN, table(votes("gpt", np.array([1.0, -1, -1, 1, 0, 1]))))
    tested = against(rows, permutations=100)
    return EvaluatorFigures(
        "evaluator@x", rows, averages(rows), tested, "evaluator@x", ["evaluator@x", "gpt"], (), "0f"
    )


def test_the_json_has_every_figure_and_test(found: EvaluatorFigures) -> None:
    record = found.to_json()
    own, gpt = record["figures"]
    assert (own["judge"], own["gold"], own["group"]) == ("evaluator@x", "gold", "evaluators")
    assert (own["with_tie"]["estimate"], own["with_tie"]["unscored"]) == (1.0, 1)
    assert gpt["with_tie"]["estimate"] == pytest.approx(4 / 6)
    tested = {(one["figure"], one["difference"]["n"]) for one in record["tests"]}
    assert tested == {("with_tie", 5), ("without_tie", 4), ("kappa", 5)}


def test_what_the_first_evaluator_leaves_unscored_decides_the_exit_code(
    found: EvaluatorFigures,
) -> None:
    assert found.missing == (1, 6)
    assert found.lines == ["signature 0f"]


def test_whose_word_is_the_gold_is_said(found: EvaluatorFigures) -> None:
    assert found.notes == []
    rows = measure([replace(GOLD, source="judges")], OWN, None)
    alone = EvaluatorFigures("evaluator@x", rows, (), (), "", (), (), "0f")
    assert "nobody's word is gold" in alone.notes[0]
