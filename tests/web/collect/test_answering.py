"""What a hidden system is told, and what it answers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.web.collect.conftest import PAGES

from assize.base.conversation import Reference, Turn
from assize.models import Model, Request, Scripted
from assize.models.hf import open_hf
from assize.retrieval import Cutting, Page, build_index
from assize.simulate._recipes.sources import Sources
from assize.simulate._topics_file import Topic
from assize.web._collect.answering import Answer, Assistant, answering, asked
from assize.web._collect.retrieving import Retrieved
from assize.web._collect.settings import System

TOPIC = Topic("keys", "rotate storage keys", (Reference("keys.md"),))
SAID = (Turn("user", "How do I rotate keys?"),)
SOURCE = Reference("1", "Keys", "Rotate them.", {"page": "k"})


def assistant(model: Model | None = None, **how: Any) -> Assistant:
    index = build_index([Page(name, text) for name, text in PAGES.items()])
    system = System(**{"name": "secret-name", "model": "scripted:first"} | how)
    used = Scripted(lambda _: "Every ninety days [1], not [7].") if model is None else model
    return Assistant(system, used, Sources(index, system.sources))


def request(given: Assistant, said: Sequence[Turn] = SAID, *sources: Reference) -> Request:
    return asked(given, TOPIC, said, Retrieved(sources))


def heard(given: Assistant, said: Sequence[Turn] = SAID) -> list[Any]:
    async def once() -> list[Any]:
        return [part async for part in answering(given, TOPIC, said)]

    return asyncio.run(once())


def test_what_was_found_comes_first_then_the_pieces_then_the_whole_answer() -> None:
    found, *pieces, answer = heard(assistant(retrieval="topic"))
    assert [one.extra["page"] for one in found.references] == ["keys.md"]
    assert "".join(pieces) == answer.reply.text == "Every ninety days [1], not [7]."
    assert [one.extra["cited"] for one in answer.references] == [True]
    assert answer.unknown == ("7",)


def test_the_turns_are_messages_of_their_own() -> None:
    said = (*SAID, Turn("assistant", "Which?", (SOURCE,)), Turn("user", "All"))
    found = request(assistant(), said)
    assert [one.role for one in found.messages] == ["system", "user", "assistant", "user"]
    assert found.messages[-1].text == "All"


def test_sources_stand_between_marks_that_nobody_can_foresee() -> None:
    found = request(assistant(retrieval="topic"), SAID, SOURCE)
    system = found.messages[0].text
    assert found.boundary is not None
    assert f"[{found.boundary}] source 1:\nKeys\nRotate them.\n[{found.boundary}] end" in system
    assert "square brackets" in system


@pytest.mark.parametrize(
    ("how", "words", "told"),
    [
        ({}, "ource", False),
        ({"retrieval": "bm25-topic"}, "none was found", True),
        ({"told_topic": True}, TOPIC.text, True),
        ({"told_topic": False}, TOPIC.text, False),
    ],
    ids=[
        "without retrieval no word of sources",
        "where nothing was found none may be cited",
        "the topic where the system says so",
        "no topic elsewhere",
    ],
)
def test_a_system_is_told_what_its_settings_say(
    how: dict[str, Any], words: str, told: bool
) -> None:
    assert (words in request(assistant(**how)).messages[0].text) is told


def test_a_system_has_its_own_prompt_and_settings() -> None:
    given = assistant(temperature=0.3, max_tokens=77, seed=5)
    found = request(replace(given, instructions="Be a pirate."))
    assert found.messages[0].text.startswith("Be a pirate.")
    assert (found.temperature, found.max_tokens, found.seed) == (0.3, 77, 5)


def test_the_prompts_hash_is_of_all_that_a_system_is_told() -> None:
    searching = assistant(retrieval="topic")
    whole = replace(searching, sources=Sources(None, 5, Cutting(None)))
    kinds = [
        assistant(),
        assistant(told_topic=True),
        searching,
        whole,
        assistant(retrieval="topic", sources=2),
        *(replace(assistant(), instructions=f"You are {how}.") for how in ("kind", "rude")),
    ]
    assert len({one.prompt for one in kinds}) == len(kinds)
    assert {one.prompt.rsplit(" ", 1)[0] for one in kinds} == {"collect-answer 1"}
    assert assistant(temperature=0.3, name="other", sources=2).prompt == assistant().prompt


def test_text_that_no_request_can_carry_is_replaced() -> None:
    assert request(assistant(), (Turn("user", "a\ud800"),)).messages[-1].text == "a\ufffd"


@pytest.mark.slow("loads a model")
def test_a_local_model_answers(tiny_llama: Path) -> None:
    model = open_hf(str(tiny_llama))
    *pieces, answer = heard(assistant(model, max_tokens=12, temperature=1.0, seed=2))[1:]
    assert isinstance(answer, Answer)
    assert "".join(pieces) == answer.reply.text
