"""Answers are written apart from who asked, heard from their beginning, and never lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from assize.base.errors import ServerError
from assize.models import Request, Scripted
from assize.simulate._topics_file import Topic
from assize.web._collect.answering import Assistant
from assize.web._collect.exchange import Exchange, Heard, Writing
from assize.web._collect.settings import System
from assize.web._storage import Store
from assize.web._storage.chats import Chat, find_chat, insert_chat, take_message

pytestmark = pytest.mark.anyio


def assistant(script: Callable[[Request], Any], name: str = "DS1") -> Assistant:
    return Assistant(System(name=name, model="scripted:x"), Scripted(script))


async def says(request: Request) -> AsyncIterator[str]:
    for piece in ("Rotate ", "them."):
        yield piece


async def breaks(request: Request) -> AsyncIterator[str]:
    yield "Rotate"
    raise ServerError("secret-host:8000 is on fire")


async def broken_code(request: Request) -> AsyncIterator[str]:
    yield "Ro"
    raise KeyError("defect")


async def asked(store: Store, writing: Writing, **sides: Assistant) -> Exchange:
    """What begins to be written in answer to the one message of a chat."""
    systems = tuple(one.system.name for one in sides.values())
    chat = Chat("c1", 1, 1, Topic("t", "keys"), systems, "open", 0.0)
    await store.write(insert_chat, chat)
    place = await store.write(take_message, "c1", "How?", 1.0)
    named = {"" if name == "one" else name: one for name, one in sides.items()}
    return writing.start(kept(store), place, named)


def kept(store: Store) -> Chat:
    """The chat as the database has it."""
    found = store.read_now(find_chat, "c1")
    assert found is not None
    return found


@pytest.fixture
def writing(store: Store) -> Writing:
    return Writing(store, lambda: 2.0)


async def run(store: Store, **sides: Assistant) -> tuple[Chat, list[Heard]]:
    writing = Writing(store, lambda: 2.0)
    exchange = await asked(store, writing, **sides)
    heard = [one async for one in exchange.follow()]
    assert writing.of("c1") is None
    return kept(store), heard


async def test_pieces_are_heard_and_the_whole_answer_is_kept(store: Store) -> None:
    chat, heard = await run(store, one=assistant(says))
    assert heard == [Heard("", "Rotate "), Heard("", "them."), Heard("", ended="whole")]
    answer = chat.messages[1]
    assert (answer.text, answer.state, answer.at) == ("Rotate them.", "whole", 2.0)
    assert answer.details["model"] == "scripted:x"
    assert answer.details["told_topic"] is False
    assert "sources" not in answer.details
    assert answer.details["usage"]["output_tokens"] > 0


@pytest.mark.parametrize(
    ("script", "text", "why"), [(breaks, "Rotate", "secret-host"), (broken_code, "Ro", "defect")]
)
async def test_what_breaks_off_is_kept_as_far_as_it_came_and_raters_do_not_hear_why(
    store: Store, script: Callable[[Request], Any], text: str, why: str
) -> None:
    chat, heard = await run(store, one=assistant(script))
    assert heard[-1] == Heard("", ended="interrupted")
    assert why not in repr(heard)
    assert (chat.broken[0].text, chat.broken[0].state) == (text, "interrupted")
    assert why in chat.broken[0].details["error"]
    assert chat.messages[0].text == "How?"


async def test_one_side_that_breaks_off_leaves_the_other_whole(store: Store) -> None:
    chat, _ = await run(store, A=assistant(breaks), B=assistant(says, "DS2"))
    assert [(one.side, one.state) for one in chat.messages[1:]] == [
        ("A", "interrupted"),
        ("B", "whole"),
    ]


async def test_an_answer_goes_on_when_nobody_listens_and_is_heard_again_from_the_start(
    store: Store, writing: Writing
) -> None:
    go = asyncio.Event()

    async def waits(request: Request) -> AsyncIterator[str]:
        yield "One "
        await go.wait()
        yield "two."

    exchange = await asked(store, writing, one=assistant(waits))
    assert (await anext(exchange.follow())).text == "One "  # and then the browser is gone
    assert writing.of("c1") is exchange
    go.set()
    for _ in range(2):  # also once it has ended
        assert [heard.text async for heard in exchange.follow()] == ["One ", "two.", ""]


async def test_an_end_of_the_process_keeps_what_there_is(store: Store, writing: Writing) -> None:
    async def waits(request: Request) -> AsyncIterator[str]:
        yield "One "
        await asyncio.sleep(3600)

    exchange = await asked(store, writing, one=assistant(waits))
    assert (await anext(exchange.follow())).text == "One "
    await writing.aclose()
    assert exchange.ended
    assert kept(store).broken[0].text == "One "
