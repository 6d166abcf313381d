"""Dialogues by each recipe: read strictly, sources anew for each answer, a side ends them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dialogue_parts import PAGES, Played, talk, texts

from assize.retrieval import Cutting, build_index
from assize.simulate._recipes.sources import Sources, pages_of
from assize.simulate._topics_file import topic

END = "END OF CONVERSATION!"


def test_it_opens_with_the_offer_shows_sources_on_each_turn_and_the_user_ends_it() -> None:
    played = Played()
    made = talk("DS4", played)
    assert played.kinds == ["question", *["assistant", "user"] * 3]
    assert texts(made) == [
        "How can I help you?",
        "Tell me about rotate thing3",
        "Answer 1 rests on this [1].",
        "And part 2?",
        "Answer 2 rests on this [1]. See [9] too.",
        "And part 3?",
        "Answer 3 rests on this [1].",
    ]
    assert made.ended == "user"
    answers = [one for one in made.turns[1:] if one.role == "assistant"]
    assert [len(one.references) for one in answers] == [5, 5, 5]
    assert [one.extra["cited"] for one in answers[0].references] == [True, *[False] * 4]


def test_documents_are_found_by_all_that_was_said_or_by_the_query() -> None:
    asks = ["And thing5 thing5?", "And thing6 thing6 thing6?", END]
    made = talk("DS4", Played(user=asks))
    first, second, third = (one.references for one in made.turns[2::2])
    assert pages_of(first)[0] == "p3"
    assert pages_of(second)[0] == "p5"
    assert pages_of(third)[0] == "p6"
    assert "p3" in pages_of(second)
    assert {"p3", "p5"} < set(pages_of(third))
    played = Played(user=asks, query=["thing3", "only thing5", "thing6"])
    made = talk("DS5", played)
    assert made.queries == {2: "thing3", 4: "only thing5", 6: "thing6"}
    assert [pages_of(one.references) for one in made.turns[2::2]] == [["p3"], ["p5"], ["p6"]]
    assert played.kinds[:4] == ["question", "query", "assistant", "user"]


def test_where_nothing_is_found_the_assistant_asks() -> None:
    played = Played(query="zebra")
    made = talk("DS5", played, most=1)
    assert made.turns[2].text == "What exactly do you mean?"
    assert made.turns[2].references == ()
    shown = next(one for kind, one in played.seen if kind == "assistant")
    assert "No source was found." in shown.messages[1].text


@pytest.mark.parametrize(
    ("instead", "ended", "last", "turns"),
    [
        ({"user": END}, "user", "Answer 1 rests on this [1].", 3),
        ({"user": f"Thanks! {END}"}, "user", "Thanks!", 4),
        ({"assistant": ["Yes.", END]}, "assistant", "And part 2?", 4),
        ({"assistant": f"That is all. {END}"}, "assistant", "That is all.", 3),
        ({"user": "And more?"}, "limit", "Answer 4 rests on this [1].", 9),
    ],
)
def test_a_dialogue_ends_when_a_side_says_so_or_at_the_limit(
    instead: dict[str, str], ended: str, last: str, turns: int
) -> None:
    made = talk("DS4", Played(**instead), most=4)
    assert made.ended == ended
    assert len(made.turns) == turns
    assert made.turns[-1].text == last
    assert not any(END in one.text for one in made.turns)


@pytest.mark.parametrize("kind", ["question", "assistant", "user", "query"])
def test_a_call_without_an_answer_ends_it_with_a_reason(kind: str) -> None:
    made: Any = talk("DS5", Played(**{kind: '{"other": 1}'}))
    assert made.ended is None
    assert made.failed.reason == "parse"
    # The first answer may not be the end: the user has only asked.
    assert talk("DS4", Played(assistant=END)).failed is not None


def test_whole_pages_are_shown_untruncated_where_nothing_is_cut() -> None:
    long = {"id": "long", "text": "thing3 " + "filler " * 900 + "last"}
    whole = Sources(build_index([*PAGES, long], cutting=Cutting(None)))
    made = talk("DS4", Played(question="thing3 filler"), found=whole)
    shown = {one.extra["page"]: one.text for one in made.turns[2].references}
    assert shown["long"].split()[-1] == "last"


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
    assert pages_of(made.turns[1].references)[0] == "p3"


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
    made: Any = talk("DS1", played)
    assert played.kinds == ["whole", "whole"]
    assert made.turns == []
    assert made.ended is None
    assert made.failed.reason == "parse"
    assert problem in made.failed.message


def test_a_topic_without_documents_fails_before_anything_is_asked() -> None:
    played = Played()
    made: Any = talk("DS2", played, about=topic({"text": "x", "documents": ["nowhere"]}))
    assert played.seen == []
    assert made.failed.reason == "no_documents"
    assert texts(made) == []
