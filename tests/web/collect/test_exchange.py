"""Answers are written apart from who asked, heard from their beginning, and never lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from assize.base.errors import ServerError
from assize.models import Request, Scripted
from assize.simulate._topics_file import Topic
from assize.web._collect.answering import Assistant
from assize.web._collect.exchange import Exchange, Heard, Writing
from assize.web._collect.settings import System
from assize.web._storage import Store
from assize.web._storage.chats import Chat, again, find_chat, insert_chat, take_message


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


async def asked(store: Store, writing: Writing, **sides: Assistant) -> tuple[Chat, Exchange]:
    """A chat with one message, whose answers begin to be written."""
    systems = tuple(one.system.name for one in sides.values())
    chat = Chat("c1", 1, 1, Topic("t", "keys"), systems, "open", 0.0)
    await store.write(insert_chat, chat)
    place = await store.write(take_message, "c1", "How?", 1.0)
    found = await store.read(find_chat, "c1")
    assert found is not None
    named = {"" if name == "one" else name: one for name, one in sides.items()}
    return found, writing.start(found, place, named)


def run(store: Store, **sides: Assistant) -> tuple[Chat, list[Heard]]:
    async def once() -> tuple[Chat, list[Heard]]:
        writing = Writing(store, lambda: 2.0)
        _, exchange = await asked(store, writing, **sides)
        heard = [one async for one in exchange.follow()]
        found = await store.read(find_chat, "c1")
        assert found is not None
        assert writing.of("c1") is None
        return found, heard

    return asyncio.run(once())


def test_pieces_are_heard_and_the_whole_answer_is_kept(store: Store) -> None:
    chat, heard = run(store, one=assistant(says))
    assert heard == [Heard("", "Rotate "), Heard("", "them."), Heard("", ended="whole")]
    answer = chat.messages[1]
    assert (answer.text, answer.state, answer.at) == ("Rotate them.", "whole", 2.0)
    assert answer.details["model"] == "scripted:x"
    assert answer.details["told_topic"] is False
    assert "sources" not in answer.details
    assert answer.details["usage"]["output_tokens"] > 0


def test_two_systems_answer_at_the_same_time(store: Store) -> None:
    chat, heard = run(store, A=assistant(says), B=assistant(says, "DS2"))
    assert {one.side for one in heard} == {"A", "B"}
    assert [one.text for one in chat.messages[1:]] == ["Rotate them."] * 2


@pytest.mark.parametrize(("script", "text"), [(breaks, "Rotate"), (broken_code, "Ro")])
def test_what_breaks_off_is_kept_as_far_as_it_came(
    store: Store, script: Callable[[Request], Any], text: str
) -> None:
    chat, heard = run(store, one=assistant(script))
    assert heard[-1] == Heard("", ended="interrupted")
    assert (chat.broken[0].text, chat.broken[0].state) == (text, "interrupted")
    assert chat.messages[0].text == "How?"


def test_what_raters_hear_says_nothing_of_the_error(store: Store) -> None:
    chat, heard = run(store, one=assistant(breaks))
    assert "secret-host" not in repr(heard)
    assert "secret-host" in chat.broken[0].details["error"]


def test_one_side_that_breaks_off_leaves_the_other_whole(store: Store) -> None:
    chat, _ = run(store, A=assistant(breaks), B=assistant(says, "DS2"))
    assert [(one.side, one.state) for one in chat.messages[1:]] == [
        ("A", "interrupted"),
        ("B", "whole"),
    ]


def test_an_answer_goes_on_when_nobody_listens_and_is_heard_again_from_the_start(
    store: Store,
) -> None:
    go = asyncio.Event()

    async def waits(request: Request) -> AsyncIterator[str]:
        yield "One "
        await go.wait()
        yield "two."

    async def once() -> list[str]:
        writing = Writing(store, lambda: 2.0)
        _, exchange = await asked(store, writing, one=assistant(waits))
        async for heard in exchange.follow():
            assert heard.text == "One "
            break  # the browser is gone
        later = writing.of("c1")
        assert later is exchange
        go.set()
        return [heard.text async for heard in later.follow()]

    assert asyncio.run(once()) == ["One ", "two.", ""]


def test_an_end_of_the_process_keeps_what_there_is(store: Store) -> None:
    async def waits(request: Request) -> AsyncIterator[str]:
        yield "One "
        await asyncio.sleep(3600)

    async def once() -> Chat:
        writing = Writing(store, lambda: 2.0)
        _, exchange = await asked(store, writing, one=assistant(waits))
        assert (await anext(exchange.follow())).text == "One "
        await writing.aclose()
        assert exchange.ended
        found = await store.read(find_chat, "c1")
        assert found is not None
        return found

    assert asyncio.run(once()).broken[0].text == "One "


def test_an_answer_that_broke_off_can_be_written_anew(store: Store) -> None:
    async def once() -> Chat:
        writing = Writing(store, lambda: 2.0)
        chat, exchange = await asked(store, writing, one=assistant(breaks))
        [_ async for _ in exchange.follow()]
        (answer,) = await store.write(again, "c1", 3.0)
        second = writing.start(chat, answer.place, {"": assistant(says)})
        [_ async for _ in second.follow()]
        found = await store.read(find_chat, "c1")
        assert found is not None
        return found

    answer = asyncio.run(once()).messages[1]
    assert (answer.text, answer.details["tries"]) == ("Rotate them.", 2)


def test_a_listener_that_comes_late_hears_everything(tmp_path: Path) -> None:
    async def once() -> list[str]:
        exchange = Exchange(frozenset({""}))
        exchange.add(Heard("", "a"))
        exchange.add(Heard("", ended="whole"))
        return [one.text async for one in exchange.follow()]

    assert asyncio.run(once()) == ["a", ""]
