"""Short work on PostgreSQL in the event loop: several transactions side by side.

A step of a rater waits for some ten answers of the server, and the loop serves others meanwhile.
Each transaction has a connection of its own and holds the lock of `engine.writing` with others of
its kind: the writer's thread, or another process, waits for them and they for it. They lock what
they change in one order (the person, an assignment, its item, the person's row in the task, the
task), so that seldom two wait for each other. Whoever waits too long, or fails, hears `BUSY`, as
`in_turn` says.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from assize.webapp.storage.engine import TAKES_PART, async_engine_of, async_errors
from assize.webapp.storage.in_turn import BUSY, Busy, Work

T = TypeVar("T")
log = logging.getLogger("assize")

LANES = 4  # transactions at a time; more of them wait for each other's rows
PATIENCE = 2.0  # seconds in which a connection is to end in order


@dataclass(frozen=True, slots=True)
class _One:
    """A connection; `bare` is asyncpg's, which stays when SQLAlchemy's has let go of it."""

    made: AsyncConnection
    bare: Any

    async def drop(self) -> None:
        self.bare.terminate()
        await self.made.close()
        await asyncio.sleep(0)  # for the loop, which may end now, to close the socket


@dataclass
class _Lane:
    """The connections of one event loop, to look with or to write with."""

    engine: AsyncEngine
    free: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(LANES))
    idle: list[_One] = field(default_factory=list)


class SideBySide:
    """Connections of its own, in each event loop that asks."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self._errors: tuple[type[Exception], ...] = (SQLAlchemyError, OSError, *async_errors())
        self._lanes: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[bool, _Lane]]
        self._lanes = WeakKeyDictionary()
        self._open = True
        self._told = False  # that no connection can be made

    async def read(self, work: Work[T]) -> T | Busy:
        """What a look finds."""
        return await self._done(work, writes=False)

    async def write(self, work: Work[T]) -> T | Busy:
        """What a write returns, once it is on disk."""
        return await self._done(work, writes=True)

    async def leave(self) -> None:
        """Lets go of the connections of this event loop, which ends."""
        for lane in self._lanes.pop(asyncio.get_running_loop(), {}).values():
            for one in lane.idle:
                await one.bare.close(timeout=PATIENCE)
                await one.made.close()

    def close(self) -> None:
        """Takes no more."""
        self._open = False
        for loop, lanes in list(self._lanes.items()):
            for lane in lanes.values():
                for one in lane.idle:
                    with suppress(RuntimeError):  # the loop has ended, and they with it
                        loop.call_soon_threadsafe(one.bare.terminate)
        self._lanes.clear()

    async def _done(self, work: Work[T], *, writes: bool) -> T | Busy:
        if not self._open:
            return BUSY
        try:
            async with self._connection(writes) as one:
                if not writes:
                    return await one.made.run_sync(work)
                async with _transaction(one.bare):
                    return await one.made.run_sync(work)
        except self._errors:
            return BUSY

    @asynccontextmanager
    async def _connection(self, writes: bool) -> AsyncIterator[_One]:
        """One that is free, or a new one; kept for the next unless it broke."""
        loop = asyncio.get_running_loop()
        if loop not in self._lanes:
            engine = async_engine_of(self._url)
            self._lanes[loop] = {False: _Lane(engine), True: _Lane(engine)}
        lane = self._lanes[loop][writes]
        async with lane.free:
            one = lane.idle.pop() if lane.idle else await self._connected(lane.engine)
            whole = False
            try:
                yield one
                whole = True
            except Exception:
                whole = not (one.bare.is_closed() or one.bare.is_in_transaction())
                raise
            finally:
                if whole and self._open and not one.bare.is_closed():
                    lane.idle.append(one)
                else:
                    await one.drop()

    async def _connected(self, engine: AsyncEngine) -> _One:
        try:
            made = await engine.connect()
            bare = (await made.get_raw_connection()).driver_connection
        except self._errors as error:
            if not self._told:
                log.warning("steps go the slower way, for asyncpg cannot connect: %s", error)
            self._told = True
            raise
        self._told = False
        return _One(made, bare)


@asynccontextmanager
async def _transaction(bare: Any) -> AsyncIterator[None]:
    """Begins and takes part in what `writing` locks, in one go; commits, or rolls back."""
    try:
        await bare.execute(f"BEGIN; {TAKES_PART}")
        yield
    except Exception:
        await bare.execute("ROLLBACK")
        raise
    await bare.execute("COMMIT")
