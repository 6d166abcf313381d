"""A collect task is opened once for its files: topics, documents and models."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.web.collect.conftest import make_project

from assize.base.errors import AssizeError, ConfigError, DataError
from assize.web._collect.allow_models import models_of
from assize.web._collect.opened import INDEXES, Opened, OpenTask, topics_of
from assize.web._tasks.definition import Task

DS = {"name": "DS", "model": "scripted:first"}


def opened(task: Task, **more: Any) -> OpenTask:
    async def once() -> OpenTask:
        found = Opened(allow=models_of(task))
        try:
            first = await found.open(task, **more)
            assert await found.open(task) is first
            return first
        finally:
            await found.aclose()

    return asyncio.run(once())


def test_topics_documents_and_models_are_ready(tmp_path: Path) -> None:
    (tmp_path / "pirate.md").write_text("Be a pirate.\n")
    task = make_project(tmp_path, [DS | {"retrieval": "bm25-topic", "prompt": "pirate.md"}])
    found = opened(task)
    assistant = found.assistants["DS"]
    assert [one.id for one in found.topics] == ["keys", "vaults"]
    assert (assistant.model.name, assistant.instructions) == ("scripted:first", "Be a pirate.")
    assert assistant.sources.index is not None
    assert len(assistant.sources.index.pages) == 3
    assert (tmp_path / INDEXES / "help" / "index.json").is_file()
    assert found.sides == 1


def test_a_task_is_opened_anew_once_its_files_were_read_again(tmp_path: Path) -> None:
    async def once() -> None:
        found = Opened()
        task = make_project(tmp_path, [DS])
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

    asyncio.run(once())


def test_all_answers_of_a_task_are_paid_from_one_budget(tmp_path: Path) -> None:
    def task(limit: float) -> Task:
        systems = [
            {"name": name, "model": "openai:gpt-4o-mini", "base_url": f"http://127.0.0.1:{port}/v1"}
            for name, port in (("a", 1), ("b", 2))
        ]
        return make_project(tmp_path, systems, max_cost=limit)

    def budgets(of: OpenTask) -> set[Any]:
        return {budget_of(one.model) for one in of.assistants.values()}

    async def once() -> list[set[Any]]:
        tasks = [(task(1.0), "a"), (task(1.0), "b"), (task(2.0), "c")]
        found = Opened(models_of(tasks[0][0]))
        made = [budgets(await found.open(*one, spent=0.25)) for one in tasks]
        await found.aclose()
        return made

    (first,), (second,), (third,) = asyncio.run(once())
    assert second is first
    assert (first.spent, first.allowed, third.spent, third.allowed) == (0.25, 1.0, 0.25, 2.0)


def budget_of(model: Any) -> Any:
    while not hasattr(model, "_budget"):
        model = model._model
    return model._budget


def test_each_endpoint_has_models_of_its_own(tmp_path: Path) -> None:
    systems = [
        {"name": name, "model": "openai:m", "base_url": f"http://127.0.0.1:{port}/v1"}
        for name, port in (("a", 1), ("b", 2))
    ]
    found = opened(make_project(tmp_path, systems))
    assert {one.model.identity for one in found.assistants.values()} == {
        "openai:m http://127.0.0.1:1/v1",
        "openai:m http://127.0.0.1:2/v1",
    }


@pytest.mark.parametrize(
    ("system", "problem"),
    [
        ({"model": "none:x"}, "no model"),
        ({"prompt": "gone.md"}, "no file 'gone.md'"),
    ],
)
def test_what_cannot_be_opened_is_said(
    tmp_path: Path, system: dict[str, str], problem: str
) -> None:
    with pytest.raises(AssizeError, match=problem):
        opened(make_project(tmp_path, [DS | system]))


def test_a_topic_without_documents_is_refused_where_they_are_to_be_shown(tmp_path: Path) -> None:
    task = make_project(tmp_path, [DS | {"retrieval": "topic"}])
    with (tmp_path / "topics.jsonl").open("a") as stream:
        stream.write('\n{"id": "bare", "text": "nothing"}')
    with pytest.raises(DataError, match="'bare' names none"):
        opened(task)


def test_money_that_was_spent_before_counts(tmp_path: Path) -> None:
    system = {"name": "DS", "model": "openai:unpriced", "base_url": "http://127.0.0.1:1/v1"}
    with pytest.raises(ConfigError, match="price"):
        opened(make_project(tmp_path, [system], max_cost=1.0), spent=0.5)


def test_topics_are_read_from_the_tasks_files(tmp_path: Path) -> None:
    assert [one.text for one in topics_of(make_project(tmp_path, [DS]))] == [
        "rotate storage keys",
        "restore a deleted vault",
    ]
