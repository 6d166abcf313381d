"""A running app's collect tasks: their topics, documents and models, opened when first needed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from assize.errors import DataError
from assize.models import Limits, Models, ModelSettings
from assize.retrieval import Cutting, Index, build_index
from assize.running import Budget
from assize.simulation.dialogues.sources import Sources
from assize.simulation.topics_file import Topic, read_topics
from assize.webapp.collect.answering import Assistant
from assize.webapp.collect.settings import CollectSettings, System, collect_settings
from assize.webapp.tasks.definition import Task

log = logging.getLogger("assize")

INDEXES = Path(".assize") / "indexes"  # in the project's folder
TRIES, PATIENCE = 3, 30.0  # seconds; somebody waits for the answer
SIDES = {"collect": 1, "collect-pairs": 2}


@dataclass(frozen=True, slots=True)
class OpenTask:
    """A task that collects, ready to talk.

    Args:
        sides: how many systems answer each message.
        assistants: by the name of their system.
    """

    task: Task
    settings: CollectSettings
    topics: tuple[Topic, ...]
    assistants: Mapping[str, Assistant]
    sides: int


class Opened:
    """The collect tasks that are in use; close it when the app ends."""

    def __init__(self) -> None:
        self._tasks: dict[str, OpenTask] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._closing = AsyncExitStack()

    async def open(self, task: Task, spent: float = 0.0) -> OpenTask:
        """The task, the same one each time.

        Args:
            spent: US dollars that its answers have cost before.

        Raises:
            DataError: its settings, topics or documents are wrong.
            ConfigError: a model is not known, or has no price though there is a limit.
        """
        async with self._locks.setdefault(task.name, asyncio.Lock()):
            if task.name not in self._tasks:
                settings = collect_settings(task, SIDES[task.kind])
                models = [await self._models(settings, each, spent) for each in _urls(settings)]
                by_url = dict(zip(_urls(settings), models, strict=True))
                self._tasks[task.name] = await asyncio.to_thread(_opened, task, settings, by_url)
        return self._tasks[task.name]

    async def _models(self, settings: CollectSettings, url: str | None, spent: float) -> Models:
        limits = Limits(concurrency=settings.at_once, tries=TRIES, patience=PATIENCE)
        how = ModelSettings(
            base_url=url, timeout=settings.timeout, limits=limits, max_cost=settings.max_cost,
            use_cache=False,
        )  # fmt: skip
        models = await self._closing.enter_async_context(Models(how, note=log.info))
        models.budget = Budget(settings.max_cost, spent=spent)
        return models

    async def aclose(self) -> None:
        """Lets go of models and connections."""
        self._tasks.clear()
        await self._closing.aclose()


def topics_of(task: Task) -> tuple[Topic, ...]:
    """The topics of a task's files.

    Raises:
        DataError: a line is no topic, or two have one id.
    """
    return tuple(read_topics([task.file(name) for name in task.items]))


def _urls(settings: CollectSettings) -> list[str | None]:
    return list(dict.fromkeys(one.base_url for one in settings.systems))


def _opened(task: Task, settings: CollectSettings, models: Mapping[str | None, Models]) -> OpenTask:
    topics = topics_of(task)
    index = _index(task, settings)
    assistants = {}
    for one in settings.systems:
        if one.retrieval == "topic":
            _check_documents(task, one, topics, index)
        sources = Sources(index, one.sources, _cutting(settings))
        model = models[one.base_url].open(one.model)
        assistants[one.name] = Assistant(one, model, sources, _instructions(task, one))
    return OpenTask(task, settings, topics, assistants, SIDES[task.kind])


def _index(task: Task, settings: CollectSettings) -> Index | None:
    """The documents, searched; also where only a topic's own are shown, for their texts."""
    if not settings.documents:
        return None
    paths = [str(task.file(name)) for name in settings.documents]
    place = task.folder / INDEXES / task.name
    return build_index(paths, place, _cutting(settings), note=log.info)


def _cutting(settings: CollectSettings) -> Cutting:
    words = settings.passage_words
    return Cutting(words, 0 if words is None else words // 6)


def _check_documents(
    task: Task, system: System, topics: tuple[Topic, ...], index: Index | None
) -> None:
    """A system that shows the topic's documents needs some for every topic."""
    sources = Sources(index)
    for one in topics:
        if not sources.given(one):
            problem = (
                f"system {system.name!r} shows the topic's own documents, and topic {one.id!r}"
                " names none whose text is known; give its text, or the folder of `documents`"
            )
            raise DataError(problem, source=task.path, field="settings.systems")


def _instructions(task: Task, system: System) -> str:
    said = system.prompt
    if not said.endswith((".md", ".txt")) or "\n" in said:
        return said
    place = task.file(said)
    if not place.is_file():
        raise DataError(f"there is no file {said!r}", source=task.path, field="settings.systems")
    return place.read_text(encoding="utf-8").strip()
