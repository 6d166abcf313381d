"""Differences grouped by a model: asked once, kept, priced."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, completion

from assize.judging.judge import JudgeSettings
from assize.judging.session import Session
from assize.models import ModelSettings
from assize.reference.contrast.grouped import Grouping, estimate, group_async

NOTES = ["Longer", "same", "much longer", "colder", "longer"]


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """Groups by a word that the notes hold."""
    said = body["messages"][-1]["content"]
    lines = said.splitlines()
    notes = {
        int(line.split("note ")[1].rstrip(":")): lines[at + 1]
        for at, line in enumerate(lines)
        if "] note " in line
    }
    long = [number for number, note in notes.items() if "long" in note.lower()]
    return completion(body, json.dumps({"themes": [{"name": "length", "differences": long}]}))


def grouping(server: ChatServer, folder: Path, *, dry: bool = False, **more: Any) -> Grouping:
    models = ModelSettings(base_url=server.url, use_cache=False, dry=dry)
    session = Session([], [], folder, models=models, asked=JudgeSettings(tries=2))
    return Grouping(session, "openai:gpt-4o", more.get("notes", NOTES), 8)


def test_notes_are_grouped_in_one_call_that_is_not_made_twice(tmp_path: Path) -> None:
    with ChatServer(answer) as server:
        found = asyncio.run(group_async(grouping(server, tmp_path / "run")))
        again = asyncio.run(group_async(grouping(server, tmp_path / "run")))
        assert len(server.seen) == 1
        shown = server.seen[0].text
    assert found.themes == {
        "longer": ("length",), "much longer": ("length",), "colder": ("other",)
    }  # fmt: skip
    assert again.themes == found.themes
    assert found.spent.calls == 1
    assert "same" not in shown.split("note 1")[1]


def test_it_is_priced_beforehand(tmp_path: Path) -> None:
    with ChatServer(answer) as server:
        before = asyncio.run(estimate(grouping(server, tmp_path / "run", dry=True)))
        assert before.by_model["openai:gpt-4o"].calls == 1
        assert not server.seen
        asyncio.run(group_async(grouping(server, tmp_path / "run")))
        left = asyncio.run(estimate(grouping(server, tmp_path / "run", dry=True)))
        assert left.by_model["openai:gpt-4o"].calls == 0


def test_an_answer_that_cannot_be_read_leaves_no_themes_and_a_reason(tmp_path: Path) -> None:
    with ChatServer(lambda body: completion(body, "What?")) as server:
        found = asyncio.run(group_async(grouping(server, tmp_path / "run")))
    assert found.themes == {}
    assert found.unscored is not None
    assert found.unscored.reason == "parse"


@pytest.mark.parametrize("notes", [[], ["same", "none"]])
def test_without_a_difference_nothing_is_asked(tmp_path: Path, notes: list[str]) -> None:
    with ChatServer(answer) as server:
        found = asyncio.run(group_async(grouping(server, tmp_path / "run", notes=notes)))
        assert not server.seen
    assert found.themes == {}
    assert not (tmp_path / "run").exists()
