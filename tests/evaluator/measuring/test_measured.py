"""The record of measured evaluators."""

from __future__ import annotations

import numpy as np
import pytest

from assize.base.judgment import PREFERENCE, Judgment
from assize.evaluator._measuring.measure import against, averages, measure
from assize.evaluator._measuring.measured import EvaluatorFigures
from assize.evaluator._measuring.tasks import Task
from assize.judgments import JudgmentTable

UNITS = tuple((f"p{at}", None) for at in range(6))
TRUTH = np.array([1.0, 1, -1, -1, 0, 1])


def judged(name: str, said: str) -> list[Judgment]:
    sides = {"A": "A", "B": "B", "=": "tie"}
    return [
        Judgment(item, name, "preference", answer=sides[one], kind="model")
        for (item, _), one in zip(UNITS, said, strict=False)
    ]


@pytest.fixture
def found() -> EvaluatorFigures:
    """An evaluator that scores five pairs of six, and a judge who scores all."""
    task = Task("s", "preference", "pair", UNITS, TRUTH, np.arange(6), "gold")
    own = JudgmentTable.of(judged("evaluator@x", "AABB="), [PREFERENCE])
    others = JudgmentTable.of(judged("gpt", "ABBA=A"), [PREFERENCE])
    rows = measure([task], own, others)
    tested = against(rows, permutations=100)
    return EvaluatorFigures(
        "evaluator@x", rows, averages(rows), tested, "evaluator@x", ["evaluator@x", "gpt"], (), "0f"
    )


def test_the_json_has_every_figure_and_test(found: EvaluatorFigures) -> None:
    said = found.to_json()
    (own, gpt) = said["figures"]
    assert (own["judge"], own["gold"], own["group"]) == ("evaluator@x", "gold", "evaluators")
    assert (own["with_tie"]["estimate"], own["with_tie"]["unscored"]) == (1.0, 1)
    assert gpt["with_tie"]["estimate"] == pytest.approx(4 / 6)
    assert {one["figure"] for one in said["tests"]} == {"with_tie", "without_tie", "kappa"}
    assert said["tests"][0]["difference"]["n"] == 5


def test_what_the_first_evaluator_leaves_unscored_decides_the_exit_code(
    found: EvaluatorFigures,
) -> None:
    assert found.missing == (1, 6)
    assert found.lines == ["signature 0f"]


def test_whose_word_is_the_gold_is_said(found: EvaluatorFigures) -> None:
    assert found.notes == []
    task = Task("s", "preference", "pair", UNITS, TRUTH, np.arange(6), "judges")
    own = JudgmentTable.of(judged("evaluator@x", "AABB="), [PREFERENCE])
    alone = EvaluatorFigures("evaluator@x", measure([task], own, None), (), (), "", (), (), "0f")
    assert "nobody's word is gold" in alone.notes[0]
