"""A model whose answers are stored, so that each is asked for only once, also by two processes.

    stored? ──► claimed by no one else? ──► stored by now? ──► ask, store, release
       ▲                 │
       └── wait, look ◄──┘

A question that another process is asking waits here: outside the limits, so that it takes no place
from other calls, and with no money set aside.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from assize.models.cache import Cache, key_of
from assize.models.model import Around, Model, Reply, Request, to_text
from assize.running import Interrupted

Note = Callable[[str], None]

_FIRST_LOOK, _LONGEST_LOOK = 0.01, 0.25  # seconds between looks at another's claim
_TOLD_AFTER = 30.0  # seconds of waiting


class Cached(Around):
    """A model whose stored answers are not asked for again.

    Equal requests that are in flight at the same time share one call. What another process asks
    is waited for, and asked here where that process ends or fails.

    Args:
        model: asked for what is not stored; it stores its answers (`Stored`).
        cache: where answers are kept.
        note: told, once, that another process lets this one wait.
    """

    def __init__(self, model: Model, cache: Cache, note: Note = lambda _: None) -> None:
        super().__init__(model)
        self._cache = cache
        self._note: Note | None = note
        self._stopped = asyncio.Event()
        self._asking: dict[bytes, asyncio.Future[Reply]] = {}

    async def ask(self, request: Request) -> Reply:
        """The stored answer at no cost, else a new one; raises Interrupted once stopped."""
        key = key_of(self.identity, request)
        stored = self._cache.reply(key, free=True)
        if stored is not None:
            return stored
        if key in self._asking:
            reply = await asyncio.shield(self._asking[key])
            return replace(reply, usage=replace(reply.usage, cost_usd=0.0, cached=True))
        return await self._ask(key, request)

    async def _ask(self, key: bytes, request: Request) -> Reply:
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._asking[key] = future
        try:
            reply = await self._claimed(key, request)
            future.set_result(reply)
            return reply
        except BaseException as error:
            if isinstance(error, Exception):
                future.set_exception(error)
                future.exception()  # seen here; whoever shares the call sees it too
            else:
                future.cancel()
            raise
        finally:
            del self._asking[key]

    async def _claimed(self, key: bytes, request: Request) -> Reply:
        """The answer, of this process or of the one that asked before."""
        await self._claim(key)
        try:
            stored = self._cache.reply(key, free=True)
            return await self._model.ask(request) if stored is None else stored
        finally:
            self._cache.claims.release(key)

    async def _claim(self, key: bytes) -> None:
        """Waits until no other process asks this question."""
        pause, waited = _FIRST_LOOK, 0.0
        while not self._cache.claims.take(key):
            if self._stopped.is_set():
                raise Interrupted("the session ends")
            if waited > _TOLD_AFTER and self._note is not None:
                self._note("waiting for answers that another process is asking for")
                self._note = None
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopped.wait(), pause)
            waited += pause
            pause = min(1.5 * pause, _LONGEST_LOOK)

    def stop(self) -> None:
        """Waits for no other process any more."""
        self._stopped.set()


class Stored(Around):
    """A model whose answers are stored before they are handed on.

    It stands inside the limits: a call keeps its place until its answer is safe, so a kill
    never loses more answers than calls may be in flight. A refusal is an answer and is stored;
    an error is not.

    Args:
        model: what is asked.
        cache: where answers are kept.
        on_problem: told, once, that answers cannot be stored any more.
    """

    def __init__(self, model: Model, cache: Cache, on_problem: Note | None = None) -> None:
        super().__init__(model)
        self._cache = cache
        self._on_problem = on_problem

    async def ask(self, request: Request) -> Reply:
        """The answer, once it is stored."""
        reply = await self._model.ask(request)
        try:
            await self._cache.put(key_of(self.identity, request), to_text(reply))
        except sqlite3.Error as error:
            if self._on_problem is not None:
                self._on_problem(f"answers are no longer stored in {self._cache.path}: {error}")
                self._on_problem = None
        return reply
