"""Candidates end to end: a server whose models continue and rephrase, stopped and taken up."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pairs_answered as answered
import pytest
from chat_server import Body, ChatServer, Llama, completion
from with_asking import with_asking

import assize
from assize import simulate
from assize.base.conversation import Conversation, Turn
from assize.base.errors import AssizeError, DataError
from assize.judging.asking import Asking
from assize.judging.judge import JudgeSettings
from assize.judging.steps import Step, Steps
from assize.models import Models, ModelSettings
from assize.reference._continuations.cut import cut_turns
from assize.reference._continuations.next_turn import continued
from assize.simulate import HeldTurns, Scrub
from assize.simulate._candidate_turns.writing import rephrased
from assize.simulate._coherence import simulate_asker
from assize.simulate._translating import translated

TALKS = [
    Conversation(one.id, (*one.turns[:-1], Turn("assistant", f"Anna Berg of {one.id} says so.")))
    for one in (answered.talk(n) for n in range(4))
]


def answer(body: Body) -> Body:
    if "response_format" not in body:
        return answered.answer(body)
    return completion(body, json.dumps({"message": "In other words, she says so."}))


def test_candidates_are_written_as_they_are_and_nothing_personal_leaves(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with ChatServer(answer) as server:
        found = assize.simulate.candidates(
            TALKS,
            answered.MODELS,
            rephrase="openai:para",
            scrub=Scrub(),
            out=run,
            quiet=True,
            asking=Asking(base_url=server.url, no_cache=True),
        )
        assert not any("Anna" in one.text for one in server.seen)
    assert found.missing == (0, 4 * 2 * 4)
    assert found.scrubbed == {"NAME": 4}
    assert list(assize.read(run / "continuations.jsonl")) == list(found)
    files = (run / "continuations.jsonl", run / "scrubbed.json", tmp_path / "back.jsonl")
    back = assize.simulate.unscrub(*files)
    assert (back.records, back.unknown) == (32, 0)
    assert "Anna Berg" in files[2].read_text()


def test_random_turns_need_no_model_and_the_dry_run_says_so() -> None:
    found = assize.simulate.candidates(TALKS, quiet=True)
    assert [one.source for one in found] == ["random"] * 8
    assert found.out is None
    assert simulate.candidates.plan(TALKS).estimate().by_model == {}


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"scrub": Scrub("none.txt")}, r"none\.txt"),
        ({"sample_temperature": 3.0}, "sample_temperature: received 3"),
    ],
)
def test_what_is_not_allowed_is_said(more: dict[str, Any], problem: str) -> None:
    with pytest.raises(AssizeError, match=problem):
        simulate.candidates.plan(TALKS, **with_asking(**more)).outcome()


def test_a_turn_must_be_there_to_be_held_out() -> None:
    for number in (3, 9):
        with pytest.raises(DataError, match="no turn can be held out"):
            simulate.candidates.plan(TALKS, held=HeldTurns(turns=[number])).outcome()


def test_without_any_source_conversations_are_only_cut() -> None:
    slots = simulate.candidates(TALKS, no_random=True, quiet=True)
    assert [one.id for one in slots][:3] == ["c0/1", "c0/3", "c1/1"]
    assert {one.candidate for one in slots} == {""}
    assert (slots.sources, slots.missing) == ([], (0, 8))
    assert slots.notes == ["8 continuations without a candidate, which every judge leaves unscored"]


def test_what_others_say_in_the_same_places_are_candidates() -> None:
    slots = simulate.candidates(TALKS, no_random=True, quiet=True)
    said = [replace(slots.records[1], candidate="So.", source="m")]
    done = simulate.candidates(TALKS, no_random=True, others=said, quiet=True)
    assert [(one.id, one.candidate, one.references) for one in done] == [
        ("c0/3/m", "So.", slots.records[1].references)
    ]
    assert done.left_out == {"nobody else spoke in its place": 7}
    assert done.signature != slots.signature
    beside = simulate.candidates(TALKS, others=said, quiet=True)
    assert [one.source for one in beside][:4] == ["random", "random", "m", "random"]
    elsewhere = [Conversation("x", (Turn("user", "Other"), Turn("assistant", "What?")))]
    with pytest.raises(DataError, match="all turns before must be the same"):
        simulate.candidates(TALKS, no_random=True, others=elsewhere, quiet=True)


@pytest.mark.slow("a model answers on the processor")
def test_a_tiny_model_continues_and_follows_every_schema(tiny_llama: Path) -> None:
    """What a random model says is nonsense or nothing: an answer, or unscored with a reason."""
    talk = answered.talk(0, 1)
    (slot,) = cut_turns([talk], HeldTurns()).found
    settings = JudgeSettings(tries=1, max_tokens=40)

    async def asked(url: str) -> list[Step]:
        async with Models(ModelSettings(base_url=url, use_cache=False)) as models:
            model, steps = models.open("openai:tiny"), Steps()
            asker = simulate_asker(model, settings)
            return [
                await continued(slot, model, steps, settings, 0.0),
                await rephrased(slot, asker, steps),
                await translated(talk, "English", asker, steps),
            ]

    with ChatServer(Llama(tiny_llama)) as server:
        for one in asyncio.run(asked(server.url)):
            assert (one.answer is None) == (one.unscored is not None)
            assert one.unscored is None or one.unscored.reason in ("parse", "empty", "cut_off")
        assert len(server.seen) == 3
