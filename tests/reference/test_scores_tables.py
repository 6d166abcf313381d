from __future__ import annotations

from assize.conversation import Continuation
from assize.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.reference.metrics.table import METRICS
from assize.reference.scores import ReferenceScores
from assize.reference.scores_tables import tables


def scored(*, turns: bool = True, judges: tuple[str, ...] = ("metrics",)) -> ReferenceScores:
    """Two conversations of two turns, by one source each."""
    items = [
        Continuation(f"{id}{turn}", (), "x", ("y",), id, turn if turns else None, f"by {id}")
        for id in "ab"
        for turn in (1, 3)
    ]
    rows = [
        Judgment(item.id, judge, name, score=0.5)
        for judge in judges
        for name in ("cosine", "rouge2-f1", "cosine-mean")
        for item in items
    ]
    metrics = [METRICS["cosine"].question, METRICS["rouge2-f1"].question, METRICS["cosine"].mean]
    return ReferenceScores.of(JudgmentTable.of(rows, metrics), items)


def test_all_metrics_stand_in_the_first_table() -> None:
    found = tables(scored())
    assert [row[1] for row in found["metrics"].rows] == ["cosine", "rouge2-f1"]
    assert "4 continuations in 2 conversations" in found["metrics"].title


def test_means_over_references_have_a_table_of_their_own() -> None:
    assert [row[1] for row in tables(scored())["means"].rows] == ["cosine"]


def test_a_few_are_shown_by_source_and_by_turn() -> None:
    found = tables(scored())
    assert [row[:2] for row in found["sources"].rows] == [("cosine", "by a"), ("cosine", "by b")]
    assert [row[:2] for row in found["turns"].rows] == [("cosine", "turn 1"), ("cosine", "turn 3")]
    assert [row[0] for row in found["drift"].rows] == ["cosine"]


def test_there_are_no_turns_where_none_are_known() -> None:
    assert {"turns", "drift"}.isdisjoint(tables(scored(turns=False)))


def test_several_judges_are_named() -> None:
    found = tables(scored(judges=("metrics", "metrics@hf:x")))
    assert found["sources"].rows[0][0] == "metrics: cosine"
