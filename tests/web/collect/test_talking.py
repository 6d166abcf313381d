"""A rater's way through a chat."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.web.collect.conftest import SYSTEMS, make_project

from assize.web._collect.allowed import GONE
from assize.web._collect.choosing import Enough
from assize.web._collect.talking import Collecting
from assize.web._storage import Store
from assize.web._storage.chats import Chat, NotPossible, count_topics
from assize.web._tasks.definition import Task

ANN, BEN = 1, 2


pytestmark = pytest.mark.anyio


@pytest.fixture
async def collecting(store: Store) -> AsyncIterator[Collecting]:
    found = Collecting(store, lambda: 9.0, np.random.default_rng(1))
    yield found
    await found.aclose()


async def told(collecting: Collecting, task: Task, chat: Chat, text: str = "How?") -> Chat:
    """The chat once its answer is whole."""
    exchange = await collecting.say(task, chat, text)
    assert [heard.ended async for heard in exchange.follow()][-1] == "whole"
    return await found(collecting, task, chat)


async def talked(collecting: Collecting, task: Task) -> Chat:
    """A chat of Ann with one answer."""
    return await told(collecting, task, await collecting.begin(task, ANN))


async def found(collecting: Collecting, task: Task, chat: Chat, person: int = ANN) -> Chat:
    one = await collecting.chat(task, chat.id, person)
    assert one is not None
    return one


async def test_a_chat_begins_once_and_is_there_again_until_it_ends(
    collecting: Collecting, task: Task
) -> None:
    first, second = [(await collecting.begin(task, ANN)).id for _ in range(2)]
    assert first == second
    assert len(first) >= 16


async def test_what_is_said_is_answered_and_the_next_turn_follows(
    collecting: Collecting, task: Task
) -> None:
    chat = await told(collecting, task, await talked(collecting, task), " And\r\nthen? ")
    assert [one.role for one in chat.messages] == ["user", "assistant"] * 2
    assert chat.messages[2].text == "And\nthen?"


async def test_two_systems_answer_side_by_side(collecting: Collecting, tmp_path: Path) -> None:
    systems = [*SYSTEMS, {"name": "DS2", "model": "scripted:any"}]
    chat = await talked(collecting, make_project(tmp_path, systems, kind="collect-pairs"))
    assert set(chat.systems) == {"DS1", "DS2"}
    assert [(one.side, one.state) for one in chat.messages[1:]] == [("A", "whole"), ("B", "whole")]


async def test_a_conversation_has_a_last_message(collecting: Collecting, tmp_path: Path) -> None:
    short = make_project(tmp_path, SYSTEMS, most_exchanges=1)
    chat = await talked(collecting, short)
    with pytest.raises(NotPossible, match="last message"):
        await collecting.say(short, chat, "More?")


async def test_another_topic_keeps_the_systems_and_without_a_further_one_it_stays(
    collecting: Collecting, store: Store, task: Task
) -> None:
    first = await collecting.begin(task, ANN)
    second = await collecting.other_topic(task, first)
    assert first.topic.id != second.topic.id
    assert first.systems == second.systems
    assert store.read_now(count_topics, 1, ANN)[first.topic.id] is None
    with pytest.raises(Enough):
        await collecting.other_topic(task, second)
    assert (await found(collecting, task, second)).state == "open"


async def test_nobody_begins_one_beyond_their_share(collecting: Collecting, task: Task) -> None:
    few = replace(task, items_per_rater=1)
    chat = await talked(collecting, few)
    assert (await collecting.begin(few, ANN)).id == chat.id
    await collecting.end(few, chat)
    with pytest.raises(Enough, match="your share"):
        await collecting.begin(few, ANN)  # before it is rated


def with_other_system(folder: Path, **settings: Any) -> Task:
    """The task after its lead has put another system in the place of the first."""
    return make_project(folder, [{"name": "DS9", "model": "scripted:any"}], **settings)


async def test_where_a_system_is_gone_from_the_file_another_is_drawn_before_a_word_was_said(
    collecting: Collecting, task: Task
) -> None:
    chat = await collecting.begin(task, ANN)
    chat = await told(collecting, with_other_system(task.folder), chat)
    assert chat.systems == ("DS9",)
    assert chat.messages[1].details["system"] == "DS9"


async def test_a_conversation_whose_system_is_gone_is_ended_and_nothing_is_kept_of_more(
    collecting: Collecting, tmp_path: Path
) -> None:
    chat = await talked(collecting, make_project(tmp_path, SYSTEMS, least_exchanges=3))
    after = with_other_system(tmp_path, least_exchanges=3)
    assert await collecting.told(after, chat) == GONE
    with pytest.raises(NotPossible, match="cannot go on"):
        await collecting.say(after, chat, "And then?")
    with pytest.raises(NotPossible, match="cannot go on"):
        await collecting.again(after, chat)
    await collecting.end(after, chat)
    chat = await found(collecting, after, chat)
    assert (chat.state, len(chat.messages)) == ("ended", 2)


async def test_answers_come_from_the_files_as_they_were_read_last(
    collecting: Collecting, task: Task
) -> None:
    chat = await talked(collecting, task)
    changed = [SYSTEMS[0] | {"model": "scripted:any", "prompt": "Hush."}]
    chat = await told(collecting, make_project(task.folder, changed), chat, "And now?")
    first, second = (one.details for one in chat.messages if one.role == "assistant")
    assert (first["model"], second["model"]) == ("scripted:first", "scripted:any")
    assert first["prompt"] != second["prompt"]


async def test_tasks_are_opened_before_anybody_asks(collecting: Collecting, task: Task) -> None:
    await collecting.warm([task])
    assert (task.folder / ".assize" / "indexes" / "help").is_dir()
