"""Short work on PostgreSQL: several transactions at a time, and beside none that writes alone."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable

import psycopg
import pytest
from postgres import NoPostgres, Postgres, postgres
from sqlalchemy import Connection, text
from tests.webapp.storage.test_store import add, names, ran

from assize.errors import MissingExtra
from assize.webapp.storage import Store, open_store
from assize.webapp.storage.side_by_side import LANES

SLEEP = 0.3  # seconds that PostgreSQL sleeps, where something must happen meanwhile


@pytest.fixture
def url(postgres_server: Postgres) -> str:
    return postgres_server.database()


def sleeps(told: list[str], name: str) -> Callable[[Connection], int]:
    """Work that takes a while; it tells when it begins and ends, and where it was done."""

    def work(connection: Connection) -> int:
        add(connection, name)
        told.append(f"{name} begins")
        connection.execute(text(f"SELECT pg_sleep({SLEEP})"))
        told.append(f"{name} ends")
        return threading.get_ident()

    return work


def sessions(connection: Connection) -> int:
    asked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    return int(connection.scalar(text(asked)))


def test_as_many_as_there_are_lanes_work_at_a_time_in_the_loop(store: Store) -> None:
    told: list[str] = []

    async def work() -> list[int]:
        wanted = [sleeps(told, f"p{number}") for number in range(LANES + 1)]
        return await asyncio.gather(*(store.write_quickly(one) for one in wanted))

    assert ran(store, work()) == [threading.get_ident()] * (LANES + 1)
    assert all(one.endswith("begins") for one in told[:LANES])
    assert told[LANES].endswith("ends")  # the last one waits for the first
    assert len(asyncio.run(store.read(names))) == LANES + 1


def test_who_writes_alone_waits_for_those_side_by_side(store: Store) -> None:
    told: list[str] = []

    async def work() -> None:
        quick = asyncio.create_task(store.write_quickly(sleeps(told, "quick")))
        while not told:
            await asyncio.sleep(0.01)
        await store.write(lambda _: told.append("alone"))
        await quick

    ran(store, work())
    assert told == ["quick begins", "quick ends", "alone"]


def test_those_side_by_side_wait_for_one_that_writes_alone(store: Store) -> None:
    told: list[str] = []

    async def work() -> None:
        alone = asyncio.create_task(store.write(sleeps(told, "alone")))
        while not told:
            await asyncio.sleep(0.01)
        await store.write_quickly(lambda _: told.append("quick"))
        await alone

    ran(store, work())
    assert told == ["alone begins", "alone ends", "quick"]


def test_a_row_that_another_process_holds_for_long_is_waited_for_in_the_thread(
    store: Store, url: str
) -> None:
    def rename(connection: Connection) -> int:
        connection.execute(text("UPDATE people SET name = 'bob' WHERE name = 'ann'"))
        return threading.get_ident()

    store.write_now(add, "ann")
    with psycopg.connect(url) as other:
        other.execute("UPDATE people SET role = 'admin' WHERE name = 'ann'")

        async def work() -> int:
            renamed = asyncio.create_task(store.write_quickly(rename))
            await asyncio.sleep(2 * SLEEP)
            assert not renamed.done()
            other.commit()
            return await renamed

        assert ran(store, work()) != threading.get_ident()
    assert store.write_now(names) == ["bob"]


def test_one_that_nobody_waits_for_any_more_is_not_done(store: Store) -> None:
    told: list[str] = []

    async def work() -> None:
        gone = asyncio.create_task(store.write_quickly(sleeps(told, "gone")))
        while not told:
            await asyncio.sleep(0.01)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        await store.write_quickly(add, "ann")

    ran(store, work())
    assert told == ["gone begins"]
    assert asyncio.run(store.read(names)) == ["ann"]


def test_one_that_refuses_itself_costs_no_connection(store: Store) -> None:
    def refuses(connection: Connection) -> None:
        add(connection, "ann")
        raise ValueError("not so")

    async def work() -> tuple[int, int]:
        before = await store.read_quickly(sessions)
        await store.write_quickly(add, "bob")
        for _ in range(5):
            with pytest.raises(ValueError, match="not so"):
                await store.write_quickly(refuses)
        assert await store.read_quickly(names) == ["bob"]
        return before, await store.read_quickly(sessions)

    before, after = ran(store, work())
    assert after == before + 1


def test_an_event_loop_that_ends_keeps_no_connection(store: Store, url: str) -> None:
    asked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"

    async def work() -> int:
        await asyncio.gather(*(store.write_quickly(add, f"p{number}") for number in range(8)))
        return await store.read_quickly(sessions)

    with psycopg.connect(url, autocommit=True) as looks:
        before = looks.execute(asked).fetchone()
        assert before is not None
        assert ran(store, work()) == before[0] + LANES + 1
        end = time.monotonic() + 10
        while (now := looks.execute(asked).fetchone()) != before and time.monotonic() < end:
            time.sleep(0.01)
        assert now == before


def test_after_a_restart_of_postgresql_work_goes_on_in_the_loop() -> None:
    told: list[str] = []

    async def work(server: Postgres, store: Store) -> None:
        await store.write_quickly(add, "ann")
        assert await store.read_quickly(setting) == "force_generic_plan"
        server.kill()
        server.restart()
        assert await store.read_quickly(names) == ["ann"]
        await store.write_quickly(add, "bob")
        assert await store.write_quickly(sleeps(told, "cat")) == threading.get_ident()
        assert await store.read_quickly(setting) == "force_generic_plan"

    try:
        with postgres(durable=True) as server:
            store = open_store(server.database())
            ran(store, work(server, store))
            assert store.write_now(names) == ["ann", "bob", "cat"]
            store.close()
    except NoPostgres as error:
        pytest.skip(str(error))


def setting(connection: Connection) -> str:
    return str(connection.scalar(text("SHOW plan_cache_mode")))


def test_where_asyncpg_cannot_connect_the_thread_does_it_and_says_so_once(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = open_store(f"{url}?connect_timeout=5")  # psycopg knows it; asyncpg does not

    async def work() -> None:
        for name in ("ann", "bob"):
            await store.write_quickly(add, name)

    ran(store, work())
    assert store.write_now(names) == ["ann", "bob"]
    store.close()
    assert caplog.text.count("asyncpg cannot connect") == 1


def test_a_missing_driver_is_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(MissingExtra, match="postgres"):
        open_store(url)
