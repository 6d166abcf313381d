"""Short work on SQLite: in the loop, one after the other; the patient way where it cannot be."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, insert, select
from sqlalchemy.exc import IntegrityError

from assize.web._storage import Store, open_store
from assize.web._storage.in_turn import TOGETHER
from assize.web._storage.schema import people


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'assize.db'}"


def add(connection: Connection, name: str) -> int:
    connection.execute(insert(people).values(name=name, role="rater", disabled=False, created=0.0))
    return threading.get_ident()


def names(connection: Connection) -> list[str]:
    return list(connection.scalars(select(people.c.name).order_by(people.c.id)))


def kept(store: Store) -> list[str]:
    with store.connect() as connection:
        return names(connection)


async def all_of(store: Store, *wanted: str) -> list[Any]:
    work = [store.write_quickly(add, name) for name in wanted]
    return await asyncio.gather(*work, return_exceptions=True)


def test_short_work_is_done_where_it_is_asked_for(store: Store) -> None:
    assert asyncio.run(all_of(store, "ann")) == [threading.get_ident()]
    assert asyncio.run(store.read_quickly(names)) == ["ann"]


def test_what_comes_in_together_shares_a_commit(store: Store) -> None:
    asyncio.run(all_of(store, "first"))
    commits: list[int] = []
    event.listen(store.engine, "commit", lambda _: commits.append(threading.get_ident()))
    asyncio.run(all_of(store, *(f"p{number}" for number in range(TOGETHER + 3))))
    assert commits.count(threading.get_ident()) == 2
    assert len(kept(store)) == TOGETHER + 4


def test_one_that_fails_undoes_nothing_of_the_others(store: Store) -> None:
    here = threading.get_ident()
    ann, bob, again, cat = asyncio.run(all_of(store, "ann", "bob", "ann", "cat"))
    assert isinstance(again, IntegrityError)
    assert here not in (ann, bob, cat)  # the patient way, each within a savepoint
    assert kept(store) == ["ann", "bob", "cat"]
    assert asyncio.run(all_of(store, "dan")) == [here]


def test_one_that_nobody_waits_for_any_more_is_not_done(store: Store) -> None:
    async def work() -> None:
        gone = asyncio.create_task(store.write_quickly(add, "gone"))
        await asyncio.sleep(0)
        gone.cancel()
        await store.write_quickly(add, "ann")

    asyncio.run(work())
    assert kept(store) == ["ann"]


def test_another_thread_that_writes_is_waited_for(store: Store) -> None:
    inside, go = threading.Event(), threading.Event()

    def hold(_: Connection) -> None:
        inside.set()
        assert go.wait(30)

    async def work() -> int:
        first = asyncio.create_task(store.write(hold))
        await asyncio.to_thread(inside.wait, 30)
        second = asyncio.create_task(store.write_quickly(add, "ann"))
        await asyncio.sleep(0.02)
        assert not second.done()  # and the loop went on meanwhile
        go.set()
        await first
        return await second

    assert asyncio.run(work()) == threading.get_ident()


def test_another_process_that_writes_is_waited_for(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'assize.db'}")
    other = sqlite3.connect(tmp_path / "assize.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    async def work() -> int:
        written = asyncio.create_task(store.write_quickly(add, "ann"))
        await asyncio.sleep(0.05)
        assert not written.done()
        other.execute("COMMIT")
        return await written

    assert asyncio.run(work()) != threading.get_ident()
    assert kept(store) == ["ann"]
    other.close()
    store.close()
