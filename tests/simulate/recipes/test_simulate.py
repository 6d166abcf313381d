"""A run: what makes it this run, a folder that goes on, files with all that came of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from dialogue_parts import TOPIC, sources
from run_work import run_work

import assize
from assize.formats import read
from assize.judging.session import Session
from assize.models import ModelSettings
from assize.simulate._recipes.plan import plans
from assize.simulate._recipes.recipes import RECIPES
from assize.simulate._recipes.simulate import DialogueWork
from assize.simulate._topics_file import Topic, topic

MODEL = "scripted:dialogues_played:play"
TOPICS = [TOPIC, topic({"id": "u", "text": "rotate thing5"})]


def simulating(folder: Path, *names: str, **more: Any) -> DialogueWork:
    session = Session(read([]), [], folder, models=ModelSettings(use_cache=False))
    wanted = plans(more.pop("topics", TOPICS), [RECIPES[name] for name in names])
    return DialogueWork(session, wanted, MODEL, MODEL, sources(), **more)


def test_dialogues_and_failures_are_written_and_the_same_run_goes_on(tmp_path: Path) -> None:
    given = simulating(tmp_path / "run", "DS1", "DS2", "DS4")
    steps: list[Any] = []
    found = run_work(given, steps)
    assert [one.id for one in found] == ["t-DS1", "t-DS2", "t-DS4", "u-DS1", "u-DS4"]
    assert dict(found.reasons) == {"no_documents": 1}
    kept = list(assize.read(tmp_path / "run" / "dialogues.jsonl"))
    assert kept == list(found)
    failed = json.loads((tmp_path / "run" / "failed.jsonl").read_text())
    assert (failed["dialogue"], failed["reason"]) == ("u-DS2", "no_documents")
    assert len(steps) == 3 + 2 * 7
    before = (tmp_path / "run" / "dialogues.jsonl").read_bytes()
    again = run_work(given, steps)
    assert len(steps) == 3 + 2 * 7
    assert found.spent is not None
    assert again.spent is not None
    assert again.spent.earlier == found.spent.calls
    assert replace(again, spent=found.spent).to_json() == found.to_json()
    assert (tmp_path / "run" / "dialogues.jsonl").read_bytes() == before


def test_every_dialogue_says_how_it_was_made(tmp_path: Path) -> None:
    given = simulating(tmp_path / "run", "DS5", topics=[TOPIC])
    found: Any
    (found,) = run_work(given)
    assert found.system == f"DS5@{MODEL}"
    made = found.metadata["simulated"]
    assert made["models"] == {"user": MODEL, "assistant": MODEL}
    names = {f"simulate-dialogue-{one}" for one in ("question", "user", "assistant", "query")}
    assert set(made["prompts"]) == names
    assert all(version.startswith("1 ") for version in made["prompts"].values())
    assert made["retrieval"]["index"] == given.sources.described()["index"]
    assert made["temperature"] == 0.7


def test_what_could_change_the_dialogues_changes_the_settings(tmp_path: Path) -> None:
    given = simulating(tmp_path, "DS4")
    others = [
        replace(given, most=3),
        replace(given, temperature=None),
        replace(given, user="scripted:first"),
        simulating(tmp_path, "DS5"),
        replace(given, sources=replace(given.sources, top=2)),
        simulating(tmp_path, "DS4", topics=[Topic("t", "other")]),
    ]
    assert len({json.dumps(one.settings(), default=str) for one in (given, *others)}) == 7
