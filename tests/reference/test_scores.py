from __future__ import annotations

import json

import pytest

from assize.base.conversation import Continuation, Turn
from assize.base.judgment import Judgment, Unscored
from assize.judgments import JudgmentTable
from assize.reference._metrics.table import METRICS
from assize.reference._scores import ReferenceScores, places_of

# two conversations of two turns by one source, one item more by another; the cosines fall by .2 a
# turn in both conversations (turns 1 and 3, so .1 for one turn on)
ITEMS = [
    Continuation("a1", (), "x", ("y",), "a", 1, "gpt"),
    Continuation("a3", (), "x", ("y",), "a", 3, "gpt"),
    Continuation("b1", (), "x", ("y",), "b", 1, "gpt"),
    Continuation("b3", (), "x", ("y",), "b", 3, "gpt"),
    Continuation("c", (), "x", ("y",), None, None, "random"),
]
COSINES = {"a1": 0.9, "a3": 0.7, "b1": 0.5, "b3": 0.3, "c": 0.1}


def scored() -> ReferenceScores:
    rows = [Judgment(item, "metrics", "cosine", score=value) for item, value in COSINES.items()]
    rows += [
        Judgment("a1", "metrics", "novelty", answer="NA"),
        Judgment("a3", "metrics", "novelty", score=0.5),
        Judgment("b1", "metrics", "novelty", unscored=Unscored("empty", "no text")),
    ]
    questions = [METRICS[name].question for name in ("cosine", "novelty")]
    return ReferenceScores.of(JudgmentTable.of(rows, questions), ITEMS)


def test_means_are_over_continuations_sources_and_turns_with_conversations_as_units() -> None:
    result = scored()
    mean = result.metrics[0].mean
    assert mean.estimate == pytest.approx(0.5)
    assert (mean.n, mean.clusters) == (5, 3)
    sources = {row.source: row.mean.estimate for row in result.sources}
    assert sources == pytest.approx({"gpt": 0.6, "random": 0.1})
    turns = {row.turn: row.mean.estimate for row in result.turns if row.metric == "cosine"}
    assert turns == pytest.approx({"1": 0.7, "3": 0.5})
    assert result.drift[0].change.estimate == pytest.approx(-0.1)  # for one turn on


def test_what_does_not_apply_is_no_failure() -> None:
    found = scored()
    novelty = found.metrics[1]
    assert (novelty.mean.n, novelty.mean.unscored, novelty.not_applicable) == (1, 1, 1)
    assert novelty.mean.estimate == 0.5
    assert found.missing == (1, 8)


def test_json_holds_every_figure() -> None:
    read = json.loads(json.dumps(scored().to_json()))
    cosine = read["metrics"][0]
    assert (cosine["metric"], cosine["mean"]["n"]) == ("cosine", 5)
    assert read["sources"][1]["mean"]["interval"] == [None, None]
    rows = [Judgment(item, "metrics", "novelty", score=at) for at, item in enumerate(("a1", "c"))]
    novelty = ReferenceScores.of(JudgmentTable.of(rows, [METRICS["novelty"].question]), ITEMS)
    (only,) = novelty.to_json()["metrics"]
    assert only["mean"]["interval"] == [0, 1]  # two values know less than the scale does
    assert (read["continuations"], read["conversations"]) == (5, 3)


def test_continuations_that_name_no_conversation_belong_together_by_their_context() -> None:
    asked, other = (Turn("user", "Hello?"),), (Turn("user", "Goodbye?"),)
    told = {"first": asked, "second": asked, "third": other}
    new = [Continuation(one, context, "x") for one, context in told.items()]
    names = {one: place.conversation for one, place in places_of([*ITEMS, *new]).items()}
    assert names["first"] == names["second"] != names["third"]
    assert names["first"] != names["a1"]
    assert places_of(ITEMS)["c"].turn is None


def test_judgments_of_unknown_items_count_alone() -> None:
    rows = [Judgment(item, "metrics", "cosine", score=0.5) for item in "xy"]
    found = ReferenceScores.of(JudgmentTable.of(rows, [METRICS["cosine"].question]), [])
    assert found.metrics[0].mean.n == 2
    assert found.sources == []


def in_two_conversations(
    *, turns: bool = True, judges: tuple[str, ...] = ("metrics",)
) -> ReferenceScores:
    """Scores of two conversations of two turns, by one source each."""
    items = [
        Continuation(f"{id}{turn}", (), "x", ("y",), id, turn if turns else None, f"by {id}")
        for id in "ab"
        for turn in (1, 3)
    ]
    rows = [
        Judgment(item.id, judge, name, score=0.5)
        for judge in judges
        for name in ("rouge2-f1", "cosine", "cosine-mean")
        for item in items
    ]
    metrics = [METRICS["cosine"].question, METRICS["rouge2-f1"].question, METRICS["cosine"].mean]
    return ReferenceScores.of(JudgmentTable.of(rows, metrics), items)


def test_means_over_references_stand_apart_and_main_metrics_come_first() -> None:
    result = in_two_conversations()
    assert [row.metric for row in result.metrics] == ["rouge2-f1", "cosine"]
    assert [row.metric for row in result.references] == ["cosine"]
    assert result.sentence.startswith("4 continuations in 2 conversations")
    first = [(row.metric, row.source) for row in result.sources][:3]
    assert first == [("cosine", "by a"), ("cosine", "by b"), ("rouge2-f1", "by a")]
    assert [row.turn for row in result.turns][:2] == ["1", "3"]
    assert result.drift[0].metric == "cosine"


def test_there_are_no_turns_where_none_are_known() -> None:
    assert {"turns", "drift"}.isdisjoint(in_two_conversations(turns=False).tables)


def test_several_judges_are_named() -> None:
    result = in_two_conversations(judges=("metrics", "metrics@hf:x"))
    assert result.sources[0].metric == "metrics: cosine"
