"""What a judge says of a task: a value a unit, and the side it leans to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assize.base.judgment import PREFERENCE, Judgment, Question, Unscored
from assize.evaluator._measuring.said import Said, judges_in, lean_of, said_by
from assize.evaluator._measuring.tasks import Task
from assize.judgments import JudgmentTable


def say(table: JudgmentTable, question: str = "preference", level: str = "pair") -> Said:
    """What the judge `j` says of two items, `p` and `q`."""
    gold = np.zeros(2)
    task = Task("s", question, level, (("p", None), ("q", None)), gold, gold, "gold")
    return said_by(table, task, "j", "judges")


def rated(question: str, **more: Any) -> Said:
    rows = [Judgment(item, "j", question, score=float(n)) for n, item in enumerate("pq", 1)]
    table = JudgmentTable.of(rows, [Question(question, kind="number", **more)])
    return say(table, "Overall", "conversation")


@pytest.mark.parametrize(
    ("more", "lean"),
    [
        ({"answer": "tie", "details": {"margin": -0.02}}, -0.02),
        ({"answer": "tie", "details": {"scores": {"A": 0.7, "B": 0.5}}}, 0.2),
        ({"answer": "tie", "score": 0.4}, 0.4),
        ({"answer": "tie", "distribution": {"A": 0.5, "tie": 0.4, "B": 0.1}}, 0.4),
        ({"answer": "B"}, -1.0),
        ({"answer": "tie", "details": {"margin": float("nan")}}, 0.0),
        ({"unscored": Unscored("parse", ""), "details": {"margin": 1.0}}, None),
    ],
)
def test_a_tie_leans_where_what_stands_beside_it_does(more: Any, lean: float | None) -> None:
    assert lean_of(Judgment("p", "j", "preference", **more)) == pytest.approx(lean)


def test_both_orders_are_one_vote_and_their_leans_a_mean() -> None:
    rows = [
        Judgment("p", "j", "preference", answer="A", order="AB", score=0.9),
        Judgment("p", "j", "preference", answer="B", order="BA", score=-0.1),
        Judgment("q", "j", "preference", answer="A", order="AB"),
    ]
    found = say(JudgmentTable.of(rows, [PREFERENCE]))
    # the orders of p differ; an order of q that was asked elsewhere is missing
    np.testing.assert_array_equal(found.values, [0.0, np.nan])
    np.testing.assert_allclose(found.lean, [0.4, np.nan])


def test_a_rating_is_found_by_name_then_by_what_stands_for_the_whole() -> None:
    for name in ("overall", "rating", "wit"):
        found = rated(name)
        assert (found.answered, found.values.tolist()) == (name, [1.0, 2.0])
    assert rated("overall", higher="worse").values.tolist() == [-1.0, -2.0]


def test_a_dimension_of_pairs_is_answered_by_itself_alone() -> None:
    rows = JudgmentTable.of([Judgment("p", "j", "preference", answer="A")], [PREFERENCE])
    found = say(rows, "Accuracy")
    assert (found.answered, found.there) == ("", False)


def test_gold_and_people_are_not_measured() -> None:
    kinds = {"gold": None, "ann": "person", "gpt": "model", "e": "evaluator"}
    rows = [
        Judgment("p", name, "preference", answer="A", kind=kind)  # type: ignore[arg-type]
        for name, kind in kinds.items()
    ]
    assert judges_in(JudgmentTable.of(rows, [PREFERENCE])) == ["gpt", "e"]
