"""What is known of the items."""

from __future__ import annotations

from math import log

import pytest

from assize.base.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.base.errors import DataError
from assize.judgments.item_fields import cluster_labels, facts_of, judgments_of, systems_of


def said(text: str) -> tuple[Turn, ...]:
    return (Turn("user", "a question that does not count"), Turn("assistant", text))


ITEMS: list[Item] = [
    Conversation("c", said("1234"), system="bot", metadata={"topic": "x"}),
    Pair("p", (), said("12345678"), said("12"), metadata={"systems": {"A": "bot", "B": "other"}}),
    Pair("q", (), said(""), said("12"), metadata={"model_a": "m", "model_b": "n"}),
    Continuation("k", (), "123", conversation="c", source="rephrase"),
]


def test_length_is_the_assistants_and_of_a_pair_the_log_ratio() -> None:
    facts = facts_of(ITEMS)
    assert facts["c"].length == pytest.approx(log(4))
    assert facts["p"].length == pytest.approx(log(4))
    assert facts["q"].length is None
    assert facts["k"].length == pytest.approx(log(3))


def test_who_answered() -> None:
    facts = facts_of(ITEMS)
    assert [facts[name].systems for name in "cpqk"] == [
        ("bot",),
        ("bot", "other"),
        ("m", "n"),
        ("rephrase",),
    ]
    assert facts["p"].system == "bot | other"
    assert facts_of([Conversation("d", said("x"))])["d"].system is None


def test_clusters_are_a_field_or_stand_in_the_metadata() -> None:
    facts = facts_of(ITEMS)
    assert cluster_labels(["c", "c"], facts, "topic") == ["x", "x"]
    assert cluster_labels(["k"], facts, "conversation") == ["c"]
    assert cluster_labels(["unknown"], {}, "item") == ["unknown"]


def test_an_item_without_the_field_is_named() -> None:
    facts = facts_of(ITEMS)
    with pytest.raises(DataError, match="item 'p' has no field 'topic'"):
        cluster_labels(["c", "p"], facts, "topic")
    with pytest.raises(DataError, match="item 'z' is not among --items"):
        cluster_labels(["z"], facts, "topic")


def test_who_wrote_the_sides_of_a_pair_may_stand_beside_its_metadata() -> None:
    a, b = said("x"), said("y")
    beside = Pair("p", (), a, b, metadata={"model_a": "m"}, extra={"model_b": "n"})
    assert systems_of(beside) == ("m", "n")
    assert systems_of(Pair("p", (), a, b, extra={"systems": ["m", None]})) == ("m", None)


SIDES = (Turn("assistant", "a"),), (Turn("assistant", "b"),)


def test_the_gold_of_a_pair_is_judgments_and_other_items_are_none() -> None:
    assert [one.answer for one in judgments_of(Pair("p", (), *SIDES, gold="A"))] == ["A"]
    both = judgments_of(Pair("p", (), *SIDES, gold={"style": "B", "content": "tie"}))
    assert [(one.question, one.answer) for one in both] == [("style", "B"), ("content", "tie")]
    assert list(judgments_of(Pair("p", (), *SIDES))) == []
