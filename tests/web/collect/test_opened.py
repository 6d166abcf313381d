"""A collect task is opened once for its files: topics, documents and models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.collect.conftest import make_project

from assize.base.errors import AssizeError, DataError
from assize.web._collect.allow_models import models_of
from assize.web._collect.opened import INDEXES, Opened, OpenTask
from assize.web._tasks.definition import Task

DS = {"name": "DS", "model": "scripted:first"}


pytestmark = pytest.mark.anyio


async def opened(task: Task, **more: Any) -> OpenTask:
    found = Opened(allow=models_of(task))
    try:
        first = await found.open(task, **more)
        assert await found.open(task) is first
        return first
    finally:
        await found.aclose()


async def test_topics_documents_and_models_are_ready(tmp_path: Path) -> None:
    (tmp_path / "pirate.md").write_text("Be a pirate.\n")
    task = make_project(tmp_path, [DS | {"retrieval": "bm25-topic", "prompt": "pirate.md"}])
    found = await opened(task)
    assistant = found.assistants["DS"]

    assert (assistant.model.name, assistant.instructions) == ("scripted:first", "Be a pirate.")
    assert assistant.sources.index is not None
    assert len(assistant.sources.index.pages) == 3
    assert (tmp_path / INDEXES / "help" / "index.json").is_file()
    assert found.sides == 1
    assert [one.text for one in found.topics] == ["rotate storage keys", "restore a deleted vault"]


async def test_a_task_is_opened_anew_once_its_files_were_read_again(tmp_path: Path) -> None:
    found, task = Opened(), make_project(tmp_path, [DS])
    first = await found.open(task, "a")
    assert await found.open(make_project(tmp_path, [DS]), "a") is first
    (tmp_path / "topics.jsonl").write_text('{"id": "new", "text": "another"}')
    (tmp_path / "pages" / "more.md").write_text("More of it.")
    second = await found.open(task, "b")
    assert [one.id for one in second.topics] == ["new"]
    assert len(second.assistants["DS"].sources.index.pages) == 4  # type: ignore[union-attr]
    prompted = make_project(tmp_path, [DS | {"prompt": "Hush."}])
    third = await found.open(prompted, "b")
    assert third.assistants["DS"].instructions == "Hush."
    assert found.of(task, "b") is None
    assert found.of(prompted, "b") is third
    assert first.assistants["DS"].model is third.assistants["DS"].model  # loaded once
    await found.aclose()


def endpoints(folder: Path, model: str, **settings: Any) -> Task:
    """A task whose two systems ask a model at endpoints of their own."""
    systems = [
        {"name": name, "model": model, "base_url": f"http://127.0.0.1:{port}/v1"}
        for name, port in (("a", 1), ("b", 2))
    ]
    return make_project(folder, systems, **settings)


async def test_all_answers_of_a_task_are_paid_from_one_budget(tmp_path: Path) -> None:
    tasks = [
        (endpoints(tmp_path, "openai:gpt-4o-mini", max_cost=limit), files)
        for limit, files in ((1.0, "a"), (1.0, "b"), (2.0, "c"))
    ]
    found, budgets = Opened(models_of(tasks[0][0])), []
    for task, files in tasks:
        assistants = (await found.open(task, files, spent=0.25)).assistants
        (budget,) = {budget_of(one.model) for one in assistants.values()}
        budgets.append(budget)
    await found.aclose()
    first, second, third = budgets
    assert second is first
    assert (first.spent, first.allowed, third.spent, third.allowed) == (0.25, 1.0, 0.25, 2.0)


def budget_of(model: Any) -> Any:
    while not hasattr(model, "_budget"):
        model = model._model
    return model._budget


async def test_each_endpoint_has_models_of_its_own(tmp_path: Path) -> None:
    found = await opened(endpoints(tmp_path, "openai:m"))
    assert {one.model.identity for one in found.assistants.values()} == {
        "openai:m http://127.0.0.1:1/v1",
        "openai:m http://127.0.0.1:2/v1",
    }


@pytest.mark.parametrize(
    ("system", "settings", "problem"),
    [
        ({"model": "none:x"}, {}, "no model"),
        ({"prompt": "gone.md"}, {}, "no file 'gone.md'"),
        (
            {"model": "openai:unpriced", "base_url": "http://127.0.0.1:1/v1"},
            {"max_cost": 1.0},
            "price",
        ),
    ],
)
async def test_what_cannot_be_opened_is_said(
    tmp_path: Path, system: dict[str, str], settings: dict[str, float], problem: str
) -> None:
    with pytest.raises(AssizeError, match=problem):
        await opened(make_project(tmp_path, [DS | system], **settings), spent=0.5)


async def test_a_topic_without_documents_is_refused_where_they_are_to_be_shown(
    tmp_path: Path,
) -> None:
    task = make_project(tmp_path, [DS | {"retrieval": "topic"}])
    with (tmp_path / "topics.jsonl").open("a") as stream:
        stream.write('\n{"id": "bare", "text": "nothing"}')
    with pytest.raises(DataError, match="'bare' names none"):
        await opened(task)
