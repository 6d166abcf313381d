"""DS1 to DS3: one call, whose answer is read strictly."""

from __future__ import annotations

import json

import pytest
from dialogue_parts import Played, talk, texts

from assize.simulate._topics_file import topic


@pytest.mark.parametrize(("recipe", "shown"), [("DS1", 0), ("DS2", 1), ("DS3", 5)])
def test_one_call_writes_both_sides(recipe: str, shown: int) -> None:
    played = Played()
    made = talk(recipe, played)
    assert played.kinds == ["whole"]
    assert [one.role for one in made.turns] == ["user", "assistant"] * 3
    assert made.ended == "one call"
    assert len(made.turns[1].references) == shown
    assert [bool(one.references) for one in made.turns[2:]] == [False] * 4
    assert ("[1]" in made.turns[1].text) == bool(shown)
    assert [one.extra["cited"] for one in made.turns[1].references][:1] == [True] * min(shown, 1)
    assert ("How to rotate thing3" in played.seen[0][1].messages[1].text) == bool(shown)


def test_ds3_searches_by_the_topic() -> None:
    made = talk("DS3", Played())
    assert made.queries == {1: "rotate thing3"}
    assert made.turns[1].references[0].extra["page"] == "p3"


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("User: hi\nAssistant: hello", "no JSON object"),
        (json.dumps({"exchanges": []}), "there are 0 exchanges; allowed are 1 to 10"),
        (json.dumps({"exchanges": [{"user": "a", "assistant": "b"}] * 11}), "there are 11"),
        (json.dumps({"exchanges": [{"user": "a", "assistant": " "}]}), "the message is empty"),
        (json.dumps({"exchanges": [{"user": "a"}]}), "assistant"),
    ],
)
def test_what_is_no_dialogue_is_asked_for_again_and_then_has_a_reason(
    said: str, problem: str
) -> None:
    played = Played(whole=["{" + said if said.startswith("U") else said])
    made = talk("DS1", played)
    assert played.kinds == ["whole", "whole"]
    assert made.turns == []
    assert made.ended is None
    assert made.failed is not None
    assert made.failed.reason == "parse"
    assert problem in made.failed.message


def test_a_topic_without_documents_fails_before_anything_is_asked() -> None:
    played = Played()
    made = talk("DS2", played, about=topic({"text": "x", "documents": ["nowhere"]}))
    assert played.seen == []
    assert made.failed is not None
    assert made.failed.reason == "no_documents"
    assert texts(made) == []
