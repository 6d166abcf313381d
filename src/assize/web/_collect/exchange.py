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
        why = "the answer has no end"
        try:
            turns = turns_of(chat, bare.side, bare.place)
            async with aclosing(answering(assistant, chat.topic, turns, item=chat.id)) as parts:
                async for part in parts:
                    if isinstance(part, str):
                        so_far.pieces.append(part)
                        exchange.add(Heard(bare.side, part))
                    elif isinstance(part, Retrieved):
                        so_far.retrieved = part
                    else:
                        so_far.answer = part
        except asyncio.CancelledError:
            self._store.write_now(keep_answer, chat.id, so_far.message(self._clock(), "stopped"))
            exchange.add(Heard(bare.side, ended="interrupted"))
            raise
        except (AssizeError, Postponed) as error:
            log.warning("%s: an answer of %s broke off: %s", chat.id, assistant.system.name, error)
            why = str(error)
        except Exception as error:  # a defect must not leave the rater waiting
            log.exception("%s: an answer of %s broke off", chat.id, assistant.system.name)
            why = repr(error)
        await self._keep(exchange, chat, so_far.message(self._clock(), why))

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


@dataclass
class _SoFar:
    """What there is of an answer."""

    bare: Message
    assistant: Assistant
    retrieved: Retrieved = field(default_factory=Retrieved)
    pieces: list[str] = field(default_factory=list)
    answer: Answer | None = None

    def message(self, now: float, why: str) -> Message:
        """The whole answer; or as far as it came, and why it broke off."""
        if self.answer is None:
            return replace(
                self.bare,
                text="".join(self.pieces),
                state="interrupted",
                references=self.retrieved.references,
                details=self._details() | {"error": why},
                at=now,
            )
        reply = self.answer.reply
        details = self._details() | {
            "answered_as": reply.model,
            "finish": reply.finish,
            "unknown_citations": list(self.answer.unknown),
            "usage": {
                "input_tokens": reply.usage.input_tokens,
                "output_tokens": reply.usage.output_tokens,
                "cost_usd": reply.usage.cost_usd,
            },
        }
        return replace(
            self.bare,
            text=reply.text,
            state="whole",
            references=self.answer.references,
            details=details,
            at=now,
        )

    def _details(self) -> dict[str, Any]:
        system, query = self.assistant.system, self.retrieved.query
        optional = {
            "sources": system.sources if system.retrieval != "none" else None,
            "temperature": system.temperature,
            "query": query,
            "query_by": system.query if system.retrieval == "bm25-dialogue" else None,
        }
        return {
            "system": system.name,
            "model": system.model,
            "retrieval": system.retrieval,
            "prompt": self.assistant.prompt,
            "told_topic": system.told_topic,
            **{name: value for name, value in optional.items() if value is not None},
        }
