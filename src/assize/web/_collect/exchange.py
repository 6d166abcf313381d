"""Answers while they are written: apart from the request that asked, so that none is lost with it.

exchange = writing.start(chat, place, assistants)     # begins at once
async for heard in exchange.follow():                 # from the beginning, whoever looks
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from assize.base.errors import AssizeError
from assize.results.log import log
from assize.running import Postponed
from assize.web._collect.answering import Answer, Assistant, answering
from assize.web._collect.retrieving import Retrieved
from assize.web._collect.turns import turns_of
from assize.web._storage import Store
from assize.web._storage.chats import Chat, Message, MessageState, keep_answer


@dataclass(frozen=True, slots=True)
class Heard:
    """A piece of a side's answer, or its end: then the state it ended in, and no text."""

    side: str
    text: str = ""
    ended: MessageState | Literal[""] = ""


@dataclass
class Exchange:
    """The answers to one message, one a side."""

    sides: frozenset[str]
    _heard: list[Heard] = field(default_factory=list)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, heard: Heard) -> None:
        """Tells everybody who listens."""
        self._heard.append(heard)
        self._changed.set()
        self._changed = asyncio.Event()

    @property
    def ended(self) -> bool:
        """Whether every side has."""
        return {one.side for one in self._heard if one.ended} >= self.sides

    async def follow(self) -> AsyncIterator[Heard]:
        """All pieces from the first one on, as they come, until every side has ended."""
        at = 0
        while True:
            changed = self._changed
            for heard in self._heard[at:]:
                yield heard
                at += 1
            if self.ended and at == len(self._heard):
                return
            if at == len(self._heard):
                await changed.wait()


class Writing:
    """The answers that this process is writing."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._exchanges: dict[str, Exchange] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, chat: Chat, place: int, assistants: Mapping[str, Assistant]) -> Exchange:
        """Begins to write answers whose rows say that they are being written.

        Args:
            chat: with all that was said before the answers.
            assistants: by the sides that are to answer.
        """
        exchange = Exchange(frozenset(assistants))
        self._exchanges[chat.id] = exchange
        for side, assistant in assistants.items():
            work = self._write(exchange, chat, Message(place, "assistant", "", side), assistant)
            task = asyncio.create_task(work)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return exchange

    def of(self, chat: str) -> Exchange | None:
        """The exchange of a chat that is being written; None where there is none."""
        return self._exchanges.get(chat)

    async def aclose(self) -> None:
        """Breaks off what is being written; what there is of it is kept."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _write(
        self, exchange: Exchange, chat: Chat, bare: Message, assistant: Assistant
    ) -> None:
        so_far = _SoFar(bare, assistant)
        try:
            said = turns_of(chat, bare.side, bare.place)
            async with aclosing(answering(assistant, chat.topic, said, item=chat.id)) as parts:
                async for part in parts:
                    so_far.take(part)
                    if isinstance(part, str):
                        exchange.add(Heard(bare.side, part))
            await self._keep(exchange, chat, so_far.whole(self._clock()))
        except asyncio.CancelledError:
            self._store.write_now(keep_answer, chat.id, so_far.broken(self._clock(), "stopped"))
            exchange.add(Heard(bare.side, ended="interrupted"))
            raise
        except (AssizeError, Postponed) as error:
            log.warning("%s: an answer of %s broke off: %s", chat.id, assistant.system.name, error)
            await self._keep(exchange, chat, so_far.broken(self._clock(), str(error)))
        except Exception as error:  # a defect must not leave the rater waiting
            log.exception("%s: an answer of %s broke off", chat.id, assistant.system.name)
            await self._keep(exchange, chat, so_far.broken(self._clock(), repr(error)))

    async def _keep(self, exchange: Exchange, chat: Chat, answer: Message) -> None:
        """Keeps the answer, and only then tells that it has ended."""
        state: MessageState = "interrupted"
        try:
            await self._store.write(keep_answer, chat.id, answer)
            state = answer.state
        finally:
            exchange.add(Heard(answer.side, ended=state))
            if exchange.ended and self._exchanges.get(chat.id) is exchange:
                del self._exchanges[chat.id]


class _SoFar:
    """What there is of an answer."""

    def __init__(self, bare: Message, assistant: Assistant) -> None:
        self._bare, self._assistant = bare, assistant
        self._found = Retrieved()
        self._pieces: list[str] = []
        self._answer: Answer | None = None

    def take(self, part: Retrieved | str | Answer) -> None:
        """The next part."""
        if isinstance(part, str):
            self._pieces.append(part)
        elif isinstance(part, Retrieved):
            self._found = part
        else:
            self._answer = part

    def whole(self, now: float) -> Message:
        """The whole answer."""
        if self._answer is None:
            return self.broken(now, "the answer has no end")
        reply = self._answer.reply
        details = self._details() | {
            "answered_as": reply.model,
            "finish": reply.finish,
            "unknown_citations": list(self._answer.unknown),
            "usage": {
                "input_tokens": reply.usage.input_tokens,
                "output_tokens": reply.usage.output_tokens,
                "cost_usd": reply.usage.cost_usd,
            },
        }
        return replace(
            self._bare,
            text=reply.text,
            state="whole",
            references=self._answer.references,
            details=details,
            at=now,
        )

    def broken(self, now: float, why: str) -> Message:
        """The answer as far as it came."""
        return replace(
            self._bare,
            text="".join(self._pieces),
            state="interrupted",
            references=self._found.references,
            details=self._details() | {"error": why},
            at=now,
        )

    def _details(self) -> dict[str, Any]:
        system = self._assistant.system
        found: dict[str, Any] = {
            "system": system.name,
            "model": system.model,
            "retrieval": system.retrieval,
            "prompt": self._assistant.prompt,
            "told_topic": system.told_topic,
        }
        if system.retrieval != "none":
            found["sources"] = system.sources
        if system.temperature is not None:
            found["temperature"] = system.temperature
        if self._found.query is not None:
            found["query"] = self._found.query
        if system.retrieval == "bm25-dialogue":
            found["query_by"] = system.query
        return found
