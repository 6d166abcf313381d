"""A running app's collect tasks: their topics, documents and models, opened when first needed."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from assize.base.errors import DataError
from assize.models import Limits, Models, ModelSettings
from assize.results.log import log
from assize.retrieval import Cutting, Index, build_index
from assize.running import Budget
from assize.simulate._recipes.sources import Sources
from assize.simulate._topics_file import Topic, read_topics
from assize.web._collect.allow_models import check_models
from assize.web._collect.answering import Assistant
from assize.web._collect.settings import SIDES, CollectSettings, System, collect_settings
from assize.web._tasks.definition import Task, named_text

INDEXES = Path(".assize") / "indexes"  # in the project's folder
TRIES, PATIENCE = 3, 30.0  # seconds; somebody waits for the answer
TIMEOUT = 120.0  # seconds for one answer
AT_ONCE = 20  # answers that are written at the same time


@dataclass(frozen=True, slots=True)
class OpenTask:
    """A task that collects, ready to talk.

    Args:
        sides: how many systems answer each message.
        assistants: by the name of their system.
        data: hash of the files that it was made of; None where it is not known.
    """

    task: Task
    settings: CollectSettings
    topics: tuple[Topic, ...]
    assistants: Mapping[str, Assistant]
    sides: int
    data: str | None = None


@dataclass(frozen=True, slots=True)
class _Paid:
    """A task's models, by how they are opened, which are paid from one budget."""

    budget: Budget
    models: dict[ModelSettings, Models] = field(default_factory=dict)


class Opened:
    """The collect tasks that are in use; close it when the app ends.

    A task whose files were changed and read again is opened anew. Answers that are being written
    go on with what they began with; models that are still asked for stay the same, so that none
    is loaded twice, and the others are let go of at the end.

    Args:
        allow: what systems may ask besides what is built in; see `allow_models`.
    """

    def __init__(self, allow: Collection[str] = ()) -> None:
        self._allow = allow
        self._tasks: dict[str, OpenTask] = {}
        self._paid: dict[str, _Paid] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._closing = AsyncExitStack()

    def of(self, task: Task, data: str | None = None) -> OpenTask | None:
        """The task where it is open as its files are; arguments as of `open`."""
        found = self._tasks.get(task.name)
        same = found is not None and found.data == data and found.task == task
        return found if same else None

    async def open(self, task: Task, data: str | None = None, spent: float = 0.0) -> OpenTask:
        """The task, the same one as long as its files are.

        Args:
            data: hash of its files, topics and documents too, when they were last read.
            spent: US dollars that its answers have cost before.

        Raises:
            DataError: its settings, topics or documents are wrong.
            ConfigError: a model is not allowed, is not known, or has no price though there is a
                limit.
        """
        async with self._locks.setdefault(task.name, asyncio.Lock()):
            found = self.of(task, data)
            if found is None:
                check_models([task], self._allow)
                settings = collect_settings(task, SIDES[task.kind])
                paid = self._paid_by(task, settings, spent)
                urls = dict.fromkeys(system.base_url for system in settings.systems)
                models = {url: await self._models(settings, url, paid) for url in urls}
                found = await asyncio.to_thread(_opened, task, settings, models, data)
                self._tasks[task.name] = found
        return found

    def _paid_by(self, task: Task, settings: CollectSettings, spent: float) -> _Paid:
        """What the task's answers are paid from, the same as long as its limit is."""
        had = self._paid.get(task.name)
        if had is None or had.budget.allowed != settings.max_cost:
            had = self._paid[task.name] = _Paid(Budget(settings.max_cost, spent=spent))
        return had

    async def _models(self, settings: CollectSettings, url: str | None, paid: _Paid) -> Models:
        limits = Limits(concurrency=AT_ONCE, tries=TRIES, patience=PATIENCE)
        how = ModelSettings(
            base_url=url,
            timeout=TIMEOUT,
            limits=limits,
            max_cost=settings.max_cost,
            use_cache=False,
        )
        if how not in paid.models:
            models = await self._closing.enter_async_context(Models(how, note=log.info))
            models.budget = paid.budget
            paid.models[how] = models
        return paid.models[how]

    async def aclose(self) -> None:
        """Lets go of models and connections."""
        self._tasks.clear()
        self._paid.clear()
        await self._closing.aclose()


def topics_of(task: Task) -> tuple[Topic, ...]:
    """The topics of a task's files.

    Raises:
        DataError: a line is no topic, or two have one id.
    """
    return tuple(read_topics([task.file(name) for name in task.items]))


def check_files(task: Task) -> None:
    """What can be told of a task's topics and prompts without opening a model or an index.

    Raises:
        DataError: a topic or a setting is wrong, or a file is not there.
    """
    topics_of(task)
    for one in collect_settings(task, SIDES[task.kind]).systems:
        _instructions(task, one)


def _opened(
    task: Task,
    settings: CollectSettings,
    models: Mapping[str | None, Models],
    data: str | None,
) -> OpenTask:
    topics = topics_of(task)
    index = _index(task, settings)
    assistants = {}
    for one in settings.systems:
        if one.retrieval == "topic":
            _check_documents(task, one, topics, index)
        sources = Sources(index, one.sources, _cutting(settings))
        model = models[one.base_url].open(one.model)
        assistants[one.name] = Assistant(one, model, sources, _instructions(task, one))
    return OpenTask(task, settings, topics, assistants, SIDES[task.kind], data)


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
    return named_text(task, system.prompt, (".md", ".txt"), "settings.systems").strip()
