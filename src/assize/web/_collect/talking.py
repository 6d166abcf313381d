"""A rater's way through a chat: begin, say, ask again, another topic, end.

What a person wrote is kept before any model is asked; answers are written in the background.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

import numpy as np
from sqlalchemy import Connection

from assize.base.errors import AssizeError
from assize.results.log import log
from assize.simulate._topics_file import Topic
from assize.web._collect.allowed import (
    GONE,
    check_allowed,
    hindrance,
    lacks_system,
    least_exchanges,
)
from assize.web._collect.choosing import Enough, choose_systems, choose_topic
from assize.web._collect.ending import end_chat
from assize.web._collect.exchange import Exchange, Writing
from assize.web._collect.opened import Opened, OpenTask
from assize.web._collect.settings import SIDES, CollectSettings, collect_settings
from assize.web._queue.participant import allowance_left, read_participant
from assize.web._storage import Store
from assize.web._storage.chats import (
    Chat,
    Message,
    NotPossible,
    again,
    chat_under_way,
    count_topics,
    find_chat,
    insert_chat,
    interrupt,
    open_chat,
    put_aside,
    spent_on,
    take_message,
    task_data,
    task_number,
    unrated,
    update_chat,
)
from assize.web._tasks.definition import Task

_CHAT = 12  # random bytes of a chat's id


class NotReady(Exception):
    """A task cannot be opened; raters are told no more than that, the log says why."""


class Collecting:
    """The collect tasks of a running app; close it when the app ends.

    Args:
        clock: seconds since 1970.
        rng: draws topics, systems and sides.
        allow: what systems may ask; see `assize.web._collect.allow_models`.
    """

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float],
        rng: np.random.Generator | None = None,
        allow: Collection[str] = (),
    ) -> None:
        self._store, self._clock = store, clock
        self._rng = np.random.default_rng() if rng is None else rng
        self._opened = Opened(allow)
        self.writing = Writing(store, clock)

    async def unrated(self, task: Task, person: int) -> str | None:
        """The chat that the person has to rate before another begins, by its id."""
        number = await self._store.read(task_number, task.name)
        return await self._store.read(unrated, number, person)

    async def under_way(self, task: Task, person: int) -> Chat | None:
        """The person's open chat; None where there is none."""
        number = await self._store.read(task_number, task.name)
        return await self._store.read(chat_under_way, number, person)

    async def begin(self, task: Task, person: int) -> Chat:
        """The person's open chat, or a new one with a topic and systems drawn for it.

        Raises:
            Enough: no further conversation is wanted of them.
            NotReady: the task's documents or models cannot be opened.
        """
        number = await self._store.read(task_number, task.name)
        if number is None:
            raise NotReady
        found = await self._store.read(chat_under_way, number, person)
        if found is not None:
            return found
        open_task = await self._open(task, number)
        return await self._store.write(self._begin, open_task, number, person)

    def _begin(self, connection: Connection, open_task: OpenTask, number: int, person: int) -> Chat:
        found = chat_under_way(connection, number, person)
        if found is not None:
            return found
        rater = read_participant(connection, open_task.task, person)
        if allowance_left(connection, open_task.task, rater, count_open=True) == 0:
            raise Enough("You have done your share. Thank you!")
        topic = choose_topic(open_task.topics, count_topics(connection, number, person), self._rng)
        systems = choose_systems(open_task.settings.systems, open_task.sides, self._rng)
        return self._insert(connection, number, person, topic, systems)

    def _insert(
        self, connection: Connection, task: int, person: int, topic: Topic, systems: Sequence[str]
    ) -> Chat:
        id = secrets.token_urlsafe(_CHAT)
        chat = Chat(id, task, person, topic, tuple(systems), "open", self._clock())
        insert_chat(connection, chat)
        return chat

    async def other_topic(self, task: Task, chat: Chat) -> Chat:
        """A new chat about another topic with the same systems; what was put aside is counted.

        Raises:
            Enough: there is no other topic.
            NotPossible: the talk has begun, or the task gives nothing new to this person.
        """
        open_task = await self._open(task, chat.task)
        return await self._store.write(self._other_topic, open_task, chat)

    def _other_topic(self, connection: Connection, open_task: OpenTask, chat: Chat) -> Chat:
        check_allowed(connection, open_task.task, chat.person, anew=True)
        put_aside(connection, chat.id, self._clock())
        counts = count_topics(connection, chat.task, chat.person)
        topic = choose_topic(open_task.topics, counts, self._rng)
        return self._insert(connection, chat.task, chat.person, topic, chat.systems)

    async def say(self, task: Task, chat: Chat, text: str) -> Exchange:
        """Keeps a message and has it answered by every side; what comes can be followed.

        Where the task names a system of the chat no longer, another is drawn for its first message,
        and there is no further one.

        Raises:
            NotPossible: the message is empty or too long, or the chat takes none now.
            NotReady: as of `begin`; nothing is kept then.
        """
        settings = settings_of_chat(task)
        said = text.replace("\r\n", "\n").strip()
        if not said:
            raise NotPossible("Please write a message.")
        if len(said) > settings.longest_message:
            most, length = settings.longest_message, len(said)
            raise NotPossible(f"At most {most:,} characters, not {length:,}.")
        if chat.exchanges >= settings.most_exchanges:
            raise NotPossible("This was the last message. Please end the conversation.")
        open_task = await self._open(task, chat.task)
        place = await self._store.write(self._take, open_task, chat.id, said)
        return await self._answer(open_task, chat.id, place, chat.sides)

    def _take(self, connection: Connection, open_task: OpenTask, id: str, said: str) -> int:
        chat = open_chat(connection, id)
        check_allowed(connection, open_task.task, chat.person)
        if lacks_system(open_task.settings, chat):
            if chat.exchanges:
                raise NotPossible(GONE)
            systems = choose_systems(open_task.settings.systems, len(chat.sides), self._rng)
            update_chat(connection, id, systems=list(systems))
        return take_message(connection, id, said, self._clock())

    async def again(self, task: Task, chat: Chat) -> Exchange | None:
        """Asks anew for the answers that broke off; None where there is none.

        Raises:
            NotPossible: the chat has ended, or cannot go on.
            NotReady: as of `begin`.
        """
        open_task = await self._open(task, chat.task)
        broken = await self._store.write(self._again, open_task, chat.id)
        if not broken:
            return self.writing.of(chat.id)
        sides = [one.side for one in broken]
        return await self._answer(open_task, chat.id, broken[0].place, sides)

    def _again(self, connection: Connection, open_task: OpenTask, id: str) -> tuple[Message, ...]:
        chat = open_chat(connection, id)
        check_allowed(connection, open_task.task, chat.person)
        if lacks_system(open_task.settings, chat):
            raise NotPossible(GONE)
        return again(connection, id, self._clock())

    async def _answer(
        self, open_task: OpenTask, id: str, place: int, sides: Sequence[str]
    ) -> Exchange:
        chat = await self._store.read(open_chat, id)
        by_side = {side: open_task.assistants[chat.system(side)] for side in sides}
        return self.writing.start(chat, place, by_side)

    async def end(self, task: Task, chat: Chat) -> int:
        """Ends a chat; returns its rating, an assignment.

        Raises:
            NotPossible: it is too short, an answer is being written, or nothing more is taken of
                this person.
        """
        return await self._store.write(self._end, task, chat)

    def _end(self, connection: Connection, task: Task, chat: Chat) -> int:
        check_allowed(connection, task, chat.person)
        least = least_exchanges(settings_of_chat(task), chat)
        return end_chat(connection, task, chat.id, least, self._clock())

    async def told(self, task: Task, chat: Chat) -> str:
        """Why an open chat cannot go on, in words for whoever talks; "" where it can."""
        told = await self._store.read(hindrance, task, chat.person)
        gone = chat.exchanges > 0 and lacks_system(settings_of_chat(task), chat)
        return told or (GONE if gone else "")

    async def chat(self, task: Task, id: str, person: int) -> Chat | None:
        """A person's chat; None where it is another's, of another task, or there is none.

        Answers that a process which has ended was writing are marked as broken off.
        """
        found = await self._store.read(find_chat, id)
        if found is None or found.person != person:
            return None
        if found.task != await self._store.read(task_number, task.name):
            return None
        if found.busy and self.writing.of(id) is None:
            await self._store.write(interrupt, id)
            found = await self._store.read(find_chat, id)
        return found

    async def warm(self, wanted: Sequence[Task]) -> None:
        """Opens tasks before anybody asks, which may take a while; problems are in the log."""
        for task in wanted:
            if task.kind in SIDES and (number := await self._store.read(task_number, task.name)):
                with suppress(NotReady):
                    await self._open(task, number)

    async def aclose(self) -> None:
        """Ends what is being written, and lets go of models."""
        await self.writing.aclose()
        await self._opened.aclose()

    async def _open(self, task: Task, number: int) -> OpenTask:
        data = await self._store.read(task_data, number)
        found = self._opened.of(task, data)
        if found is not None:
            return found
        try:
            return await self._opened.open(task, data, await self._store.read(spent_on, number))
        except asyncio.CancelledError:
            raise
        except AssizeError as error:
            log.error("the task %s cannot be opened: %s", task.name, error)
            raise NotReady from error


def settings_of_chat(task: Task) -> CollectSettings:
    """The settings of a task that collects."""
    return collect_settings(task, SIDES[task.kind])
