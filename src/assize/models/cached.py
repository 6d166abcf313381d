"""A model whose answers are stored, so that each is asked for only once."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace

from assize.models.cache import Cache, key_of
from assize.models.model import Around, Model, Reply, Request, from_value, to_text

Note = Callable[[str], None]


class Cached(Around):
    """A model whose stored answers are not asked for again.

    Equal requests that are in flight at the same time share one call.

    Args:
        model: asked for what is not stored; it stores its answers (`Stored`).
        cache: where answers are kept.
    """

    def __init__(self, model: Model, cache: Cache) -> None:
        super().__init__(model)
        self._cache = cache
        self._asking: dict[bytes, asyncio.Future[Reply]] = {}

    async def ask(self, request: Request) -> Reply:
        """The stored answer at no cost, else a new one."""
        key = key_of(self.identity, request)
        stored = self._cache.get(key)
        if stored is not None:
            return from_value(json.loads(stored), free=True)
        if key in self._asking:
            reply = await asyncio.shield(self._asking[key])
            return replace(reply, usage=replace(reply.usage, cost_usd=0.0, cached=True))
        return await self._ask(key, request)

    async def _ask(self, key: bytes, request: Request) -> Reply:
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._asking[key] = future
        try:
            reply = await self._model.ask(request)
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
