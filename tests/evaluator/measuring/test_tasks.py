"""Gold of one question on the items of one benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assize.base.conversation import Conversation, Item, Pair, Turn
from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.evaluator._measuring.tasks import clusters_of, find_tasks
from assize.judgments import JudgmentTable

SCALE = Question("nice", kind="ordinal", answers=("1", "2", "3"), values=(1.0, 2.0, 3.0))


def pair(name: str, gold: object = None, **more: object) -> Pair:
    said = (Turn("assistant", "x"),)
    return Pair(name, (Turn("user", "?"),), said, said, gold=gold, metadata=more)  # type: ignore[arg-type]


def vote(item: str, judge: str, answer: str, kind: str | None = "person") -> Judgment:
    return Judgment(item, judge, "preference", answer=answer, kind=kind)  # type: ignore[arg-type]


def truth(*rows: Judgment, pairs: Sequence[Item] = ()) -> list[tuple[str, list[float]]]:
    """Who gave the gold of pairs, and what it is."""
    found = find_tasks({"s": pairs or [pair("p"), pair("q")]}, JudgmentTable.of(rows, [PREFERENCE]))
    return [(one.source, one.truth.tolist()) for one in found]


def test_gold_of_pairs_stands_in_them_question_by_question() -> None:
    pairs = [pair("p", {"Overall": "A", "Accuracy": "tie"}), pair("q", "B"), pair("r")]
    found = find_tasks({"set": pairs}, None)
    assert [(one.question, one.level, one.source, one.overall) for one in found] == [
        ("preference", "pair", "gold", True),
        ("Accuracy", "pair", "gold", False),
    ]
    assert found[0].units == (("p", None), ("q", None))
    assert found[0].truth.tolist() == [1.0, -1.0]


def test_of_people_the_answer_of_most_counts_and_equal_counts_are_a_tie() -> None:
    rows = [vote("p", "a", "A"), vote("p", "b", "tie"), vote("p", "c", "tie")]
    rows += [vote("q", "a", "A"), vote("q", "b", "B"), vote("q", "c", "tie")]
    rows += [vote("p", "gpt", "A", "model"), vote("q", "gpt", "B", "model")]
    assert truth(*rows) == [("people", [0.0, 0.0])]


def test_gold_outweighs_people_and_without_both_all_judges_are_the_truth() -> None:
    assert truth(vote("p", "gold", "B"), vote("p", "ann", "A")) == [("gold", [-1.0])]
    assert truth(vote("p", "gpt", "A", "model")) == [("judges", [1.0])]
    assert truth(vote("x", "ann", "A")) == []  # of no item here


def test_ratings_are_means_and_turned_round_where_higher_is_worse() -> None:
    chats: list[Item] = [Conversation(name, (Turn("user", "?"),)) for name in "cd"]
    rows = [
        Judgment(item, who, "nice", answer=answer, kind="person")
        for item, who, answer in (("c", "a", "1"), ("c", "b", "2"), ("d", "a", "3"))
    ]
    rows.append(Judgment("c", "a", "nice", answer="3", kind="person", turn=1))
    worse = replace(SCALE, higher="worse")
    found = find_tasks({"s": chats}, JudgmentTable.of(rows, [worse]))
    assert [(one.level, one.truth.tolist()) for one in found] == [
        ("conversation", [-1.5, -3.0]),
        ("turn", [-3.0]),
    ]


def test_units_of_a_group_are_one_cluster_and_others_stand_alone() -> None:
    items = [pair("p", group="g"), pair("q", group="g"), pair("r")]
    units = [(item.id, None) for item in items]
    assert clusters_of(units, items, None).tolist() == ["p", "q", "r"]
    found = clusters_of(units, items, "metadata.group").tolist()
    assert found == ["group g", "group g", "item r"]


def test_dimensions_have_one_spelling() -> None:
    asked = [replace(PREFERENCE, id=name) for name in ("OVERALL", "accuracy")]
    rows = [Judgment("p", "j", one.id, answer="A") for one in asked]
    found = find_tasks({"s": [pair("p")]}, JudgmentTable.of(rows, asked))
    assert [one.question for one in found] == ["preference", "Accuracy"]


def test_answers_written_in_another_order_are_one_scale() -> None:
    other = Question("preference", kind="preference", answers=("A", "B", "tie"))
    table = JudgmentTable.of([vote("p", "gpt", "A", "model")], [other])
    (found,) = find_tasks({"s": [pair("p", "B")]}, table)
    assert (found.source, found.truth.tolist()) == ("gold", [-1.0])
