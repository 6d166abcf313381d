from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pairs_answered as answered
import pytest
from chat_server import Body, ChatServer, completion
from run_work import run_work

from assize.base.errors import ConfigError
from assize.formats import read
from assize.judging.judge import JudgeSettings
from assize.judging.session import Session
from assize.models import Limits, ModelSettings
from assize.models.scripted import Scripted
from assize.reference._continuations.cut import HeldTurns, cut_turns
from assize.simulate._candidate_turns.build import CandidateWork
from assize.simulate._candidate_turns.writing import PROMPT
from assize.simulate._coherence import simulate_asker

TALKS = [answered.talk(n) for n in range(3)]


def answer(body: Body) -> Body:
    if "response_format" not in body:
        return answered.answer(body)
    said = {"message": f"put otherwise: {body['messages'][-1]['content'][-300:-200]}"}
    return completion(body, json.dumps(said))


def given(out: Path, url: str, **more: Any) -> CandidateWork:
    models = ModelSettings(base_url=url, limits=Limits(8, tries=1), use_cache=False)
    session = Session(read(TALKS), [], out, asked=JudgeSettings(tries=2), models=models)
    slots = cut_turns(TALKS, HeldTurns()).found
    return CandidateWork(session, slots, ("openai:small", "openai:large"), **more)


def test_every_place_has_every_source_and_the_dry_run_is_exact(tmp_path: Path) -> None:
    with ChatServer(answer) as server:
        told = given(tmp_path / "run", server.url, rephrase="openai:para", random=False)
        before = asyncio.run(told.estimate()).by_model
        assert not server.seen
        found, again = run_work(told), run_work(told)
        after = asyncio.run(told.estimate()).by_model
        assert len(server.seen) == 18
    names = ("openai:small", "openai:large", "openai:para")
    assert {name: one.calls for name, one in before.items()} == dict.fromkeys(names, 6)
    assert all(one.calls == 0 for one in after.values())
    sources = ("openai:small", "openai:large", "rephrase")
    assert [one.id for one in found][:3] == [f"c0/1/{name}" for name in sources]
    assert found.missing == (0, 18)
    assert found.spent is not None
    assert again.spent is not None
    assert again.spent.earlier == found.spent.calls
    assert replace(again, spent=found.spent).to_json() == found.to_json()


def test_every_candidate_says_how_it_was_made(tmp_path: Path) -> None:
    with ChatServer(answer) as server:
        told = given(tmp_path / "run", server.url, rephrase="openai:para", temperature=0.5)
        first = replace(told.slots[0], metadata={"simulated": {"recipe": "DS4"}})
        slots = [first, replace(told.slots[2], references=("Not so.",))]
        found = run_work(replace(told, slots=slots))
    small, _, para, random = (one.metadata["simulated"] for one in found.records[:4])
    assert small == {
        "source": "openai:small",
        "model": "openai:small",
        "temperature": 0.5,
        "seed": 0,
        "context": {"recipe": "DS4"},
    }
    assert (para["model"], para["temperature"]) == ("openai:para", 0.0)
    version = para["prompts"]["simulate-rephrase"]
    assert simulate_asker(Scripted(lambda _: ""), JudgeSettings()).version(PROMPT) == version
    assert (random["conversation"], random["turn"], random["seed"]) == ("c1", 1, 0)
    assert found.records[3].candidate == "Not so."


def test_a_failure_stays_as_an_empty_candidate_with_its_reason(tmp_path: Path) -> None:
    def fault(_: int, body: Any) -> str | None:
        said = body["messages"][-1]["content"]
        return "content_filter" if body["model"] == "large" and "matter 1?" in said else None

    with ChatServer(answer, fault=fault) as server:
        found = run_work(given(tmp_path / "run", server.url, random=False))
    lost = {
        one.id: one.metadata["unscored"]["reason"] for one in found.records if not one.candidate
    }
    assert lost == {"c1/1/openai:large": "refused", "c1/3/openai:large": "refused"}
    assert found.missing == (2, 12)
    assert len((tmp_path / "run" / "continuations.jsonl").read_text().splitlines()) == 12


def test_another_command_on_the_folder_is_refused(tmp_path: Path) -> None:
    with ChatServer(answer) as server:
        run_work(given(tmp_path / "run", server.url, random=False))
        with pytest.raises(ConfigError, match="another command"):
            run_work(given(tmp_path / "run", server.url, temperature=1.0))
