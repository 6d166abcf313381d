"""A rater's way through a chat."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from sqlalchemy import Connection, update
from tests.web.collect.conftest import SYSTEMS, make_project

from assize.web._collect.allowed import GONE
from assize.web._collect.choosing import Enough
from assize.web._collect.talking import Collecting, NotReady
from assize.web._storage import Store
from assize.web._storage.chats import Chat, NotPossible, count_topics, take_message
from assize.web._storage.schema import tasks
from assize.web._tasks.definition import Task

T = TypeVar("T")
ANN, BEN = 1, 2
Step = Callable[[Collecting], Awaitable[T]]


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return make_project(tmp_path, SYSTEMS)


def run(store: Store, step: Step[T]) -> T:
    async def once() -> T:
        collecting = Collecting(store, lambda: 9.0, np.random.default_rng(1))
        try:
            return await step(collecting)
        finally:
            await collecting.aclose()

    return asyncio.run(once())


async def told(collecting: Collecting, task: Task, chat: Chat, text: str = "How?") -> Chat:
    """The chat once its answer is whole."""
    exchange = await collecting.say(task, chat, text)
    assert [heard.ended async for heard in exchange.follow()][-1] == "whole"
    return await found(collecting, task, chat)


async def found(collecting: Collecting, task: Task, chat: Chat, person: int = ANN) -> Chat:
    one = await collecting.chat(task, chat.id, person)
    assert one is not None
    return one


def test_a_chat_begins_once_and_is_there_again_until_it_ends(store: Store, task: Task) -> None:
    async def step(collecting: Collecting) -> list[str]:
        return [(await collecting.begin(task, ANN)).id for _ in range(2)]

    first, second = run(store, step)
    assert first == second
    assert len(first) >= 16


def test_what_is_said_is_answered_and_the_next_turn_follows(store: Store, task: Task) -> None:
    async def step(collecting: Collecting) -> Chat:
        chat = await told(collecting, task, await collecting.begin(task, ANN))
        return await told(collecting, task, chat, " And\r\nthen? ")

    chat = run(store, step)
    assert [one.role for one in chat.messages] == ["user", "assistant"] * 2
    assert chat.messages[2].text == "And\nthen?"


def test_two_systems_answer_side_by_side(store: Store, tmp_path: Path) -> None:
    systems = [*SYSTEMS, {"name": "DS2", "model": "scripted:any"}]
    pairs = make_project(tmp_path, systems, kind="collect-pairs")

    async def step(collecting: Collecting) -> Chat:
        return await told(collecting, pairs, await collecting.begin(pairs, ANN))

    chat = run(store, step)
    assert set(chat.systems) == {"DS1", "DS2"}
    assert [(one.side, one.state) for one in chat.messages[1:]] == [("A", "whole"), ("B", "whole")]


@pytest.mark.parametrize(
    ("settings", "text", "problem"),
    [
        ({}, " \n", "write a message"),
        ({"longest_message": 3}, "four", "At most 3 characters, not 4"),
    ],
)
def test_a_message_that_cannot_be_taken_is_told_why(
    store: Store, tmp_path: Path, settings: dict[str, Any], text: str, problem: str
) -> None:
    strict = make_project(tmp_path, SYSTEMS, **settings)

    async def step(collecting: Collecting) -> None:
        await collecting.say(strict, await collecting.begin(strict, ANN), text)

    with pytest.raises(NotPossible, match=problem):
        run(store, step)


def test_a_conversation_has_a_last_message(store: Store, tmp_path: Path) -> None:
    short = make_project(tmp_path, SYSTEMS, most_exchanges=1)

    async def step(collecting: Collecting) -> None:
        chat = await told(collecting, short, await collecting.begin(short, ANN))
        await collecting.say(short, chat, "More?")

    with pytest.raises(NotPossible, match="last message"):
        run(store, step)


def test_another_topic_keeps_the_systems_and_is_counted(store: Store, task: Task) -> None:
    async def step(collecting: Collecting) -> tuple[Chat, Chat]:
        first = await collecting.begin(task, ANN)
        return first, await collecting.other_topic(task, first)

    first, second = run(store, step)
    assert first.topic.id != second.topic.id
    assert first.systems == second.systems
    with store.connect() as connection:
        assert count_topics(connection, 1, ANN)[first.topic.id] is None


def test_without_another_topic_the_old_one_stays(store: Store, task: Task) -> None:
    async def step(collecting: Collecting) -> str:
        chat = await collecting.other_topic(task, await collecting.begin(task, ANN))
        with pytest.raises(Enough):
            await collecting.other_topic(task, chat)
        return (await found(collecting, task, chat)).state

    assert run(store, step) == "open"


def test_nobody_begins_one_beyond_their_share(store: Store, tmp_path: Path) -> None:
    few = replace(make_project(tmp_path, SYSTEMS), items_per_rater=1)

    async def step(collecting: Collecting) -> None:
        chat = await told(collecting, few, await collecting.begin(few, ANN))
        assert (await collecting.begin(few, ANN)).id == chat.id
        await collecting.end(few, chat)
        await collecting.begin(few, ANN)  # before it is rated

    with pytest.raises(Enough, match="your share"):
        run(store, step)


def test_nobody_sees_the_chat_of_another(store: Store, task: Task) -> None:
    async def step(collecting: Collecting) -> list[Chat | None]:
        chat = await collecting.begin(task, ANN)
        return [await collecting.chat(task, id, BEN) for id in (chat.id, "none")]

    assert run(store, step) == [None, None]


def test_what_a_dead_process_was_answering_can_be_asked_for_again(store: Store, task: Task) -> None:
    async def step(collecting: Collecting) -> Chat:
        chat = await collecting.begin(task, ANN)
        store.write_now(take_message, chat.id, "How?", 1.0)  # and then the process died
        chat = await found(collecting, task, chat)
        assert [one.state for one in chat.broken] == ["interrupted"]
        exchange = await collecting.again(task, chat)
        assert exchange is not None
        assert [heard.ended async for heard in exchange.follow()][-1] == "whole"
        return await found(collecting, task, chat)

    assert run(store, step).messages[0].text == "How?"


def test_a_task_that_cannot_be_opened_is_not_ready_and_only_the_log_says_why(
    store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken = make_project(tmp_path, [{"name": "DS1", "model": "secret:x"}])
    with pytest.raises(NotReady) as raised:
        run(store, lambda collecting: collecting.begin(broken, ANN))
    assert "secret" not in str(raised.value)
    assert "secret:x" in caplog.text


def with_other_system(folder: Path, **settings: Any) -> Task:
    """The task after its lead has put another system in the place of the first."""
    return make_project(folder, [{"name": "DS9", "model": "scripted:any"}], **settings)


def test_where_a_system_is_gone_from_the_file_another_is_drawn_before_a_word_was_said(
    store: Store, tmp_path: Path
) -> None:
    before = make_project(tmp_path, SYSTEMS)
    chat = run(store, lambda collecting: collecting.begin(before, ANN))
    after = with_other_system(tmp_path)
    chat = run(store, lambda collecting: told(collecting, after, chat))
    assert chat.systems == ("DS9",)
    assert chat.messages[1].details["system"] == "DS9"


def test_a_conversation_whose_system_is_gone_is_ended_and_nothing_is_kept_of_more(
    store: Store, tmp_path: Path
) -> None:
    before = make_project(tmp_path, SYSTEMS, least_exchanges=3)

    async def step(collecting: Collecting) -> tuple[str, Chat]:
        chat = await told(collecting, before, await collecting.begin(before, ANN))
        after = with_other_system(tmp_path, least_exchanges=3)
        words = await collecting.told(after, chat)
        with pytest.raises(NotPossible, match="cannot go on"):
            await collecting.say(after, chat, "And then?")
        with pytest.raises(NotPossible, match="cannot go on"):
            await collecting.again(after, chat)
        await collecting.end(after, chat)
        return words, await found(collecting, after, chat)

    words, chat = run(store, step)
    assert words == GONE
    assert (chat.state, len(chat.messages)) == ("ended", 2)


def test_answers_come_from_the_files_as_they_were_read_last(store: Store, tmp_path: Path) -> None:
    async def step(collecting: Collecting) -> Chat:
        before = make_project(tmp_path, SYSTEMS)
        chat = await told(collecting, before, await collecting.begin(before, ANN))
        after = make_project(tmp_path, [SYSTEMS[0] | {"model": "scripted:any", "prompt": "Hush."}])
        return await told(collecting, after, chat, "And now?")

    chat = run(store, step)
    first, second = (one.details for one in chat.messages if one.role == "assistant")
    assert (first["model"], second["model"]) == ("scripted:first", "scripted:any")
    assert first["prompt"] != second["prompt"]


def test_topics_that_were_read_again_are_those_of_the_next_conversation(
    store: Store, task: Task
) -> None:
    def change(connection: Connection) -> None:
        (task.folder / "topics.jsonl").write_text('{"id": "new", "text": "a new topic"}')
        connection.execute(update(tasks).values(data="of the new topics"))

    async def step(collecting: Collecting) -> list[str]:
        first = await collecting.begin(task, ANN)
        store.write_now(change)
        return [first.topic.id, (await collecting.begin(task, BEN)).topic.id]

    old, new = run(store, step)
    assert old in ("keys", "vaults")
    assert new == "new"


def set_to(store: Store, state: str) -> None:
    store.write_now(lambda connection: connection.execute(update(tasks).values(state=state)))


def test_a_closed_task_takes_nothing_of_a_conversation(store: Store, task: Task) -> None:
    async def step(collecting: Collecting) -> tuple[str, Chat, Chat]:
        chat = await told(collecting, task, await collecting.begin(task, ANN))
        bare = await collecting.begin(task, BEN)
        set_to(store, "closed")
        for doing in (
            collecting.say(task, chat, "More?"),
            collecting.again(task, chat),
            collecting.end(task, chat),
            collecting.other_topic(task, bare),
        ):
            with pytest.raises(NotPossible, match="closed"):
                await doing
        after = await found(collecting, task, chat), await found(collecting, task, bare, BEN)
        return await collecting.told(task, chat), *after

    words, chat, bare = run(store, step)
    assert "closed" in words
    assert (chat.state, len(chat.messages), bare.state) == ("open", 2, "open")


def test_in_a_paused_task_what_was_begun_is_finished_and_nothing_new_begins(
    store: Store, task: Task
) -> None:
    async def step(collecting: Collecting) -> Chat:
        chat = await told(collecting, task, await collecting.begin(task, ANN))
        bare = await collecting.begin(task, BEN)
        set_to(store, "paused")
        with pytest.raises(NotPossible, match="paused"):
            await collecting.other_topic(task, bare)
        chat = await told(collecting, task, chat, "More?")
        await collecting.end(task, chat)
        return await found(collecting, task, chat)

    assert run(store, step).state == "ended"


def test_who_is_no_longer_among_the_raters_says_nothing_more(store: Store, task: Task) -> None:
    async def step(collecting: Collecting) -> None:
        chat = await collecting.begin(task, ANN)
        await collecting.say(replace(task, raters=("ben",)), chat, "How?")

    with pytest.raises(NotPossible, match="no longer among"):
        run(store, step)


def test_tasks_are_opened_before_anybody_asks(
    store: Store, task: Task, caplog: pytest.LogCaptureFixture
) -> None:
    run(store, lambda collecting: collecting.warm([task]))
    assert (task.folder / ".assize" / "indexes" / "help").is_dir()
