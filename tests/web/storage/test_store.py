"""What is acknowledged is on disk once, whatever else fails."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable

import pytest
from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from assize.base.errors import ConfigError, MissingExtra
from assize.web._storage import Store, open_store
from assize.web._storage.schema import people


def add(connection: Connection, name: str) -> str:
    connection.execute(insert(people).values(name=name, role="rater", disabled=False, created=0.0))
    return name


def names(connection: Connection) -> list[str]:
    return list(connection.scalars(select(people.c.name).order_by(people.c.id)))


def together(store: Store, *wanted: str) -> list[str | BaseException]:
    """What writes give that wait for the same commit; the one in front holds the writer."""
    inside, go = threading.Event(), threading.Event()

    def hold(_: Connection) -> None:
        inside.set()
        assert go.wait(30)

    async def written() -> list[str | BaseException]:
        first = asyncio.create_task(asyncio.to_thread(store.write_now, hold))
        await asyncio.to_thread(inside.wait, 30)
        rest = [asyncio.create_task(store.write(add, name)) for name in wanted]
        await asyncio.sleep(0)
        if "gone" in wanted:
            rest[wanted.index("gone")].cancel()
            await asyncio.sleep(0)
        go.set()
        await first
        return await asyncio.gather(*rest, return_exceptions=True)

    return asyncio.run(written())


def quickly(store: Store, *wanted: str) -> list[str | BaseException]:
    """What writes give where nobody holds the writer."""

    async def work() -> list[str | BaseException]:
        added = [store.write(add, name) for name in wanted]
        return await asyncio.gather(*added, return_exceptions=True)

    return asyncio.run(work())


@pytest.mark.parametrize("write", [together, quickly])
def test_a_write_that_fails_undoes_nothing_of_the_others_in_its_commit(
    store: Store, write: Callable[..., list[str | BaseException]]
) -> None:
    first, second, third, fourth = write(store, "ann", "bob", "ann", "cat")
    assert (first, second, fourth) == ("ann", "bob", "cat")
    assert isinstance(third, IntegrityError)
    assert write(store, "dan") == ["dan"]
    assert store.read_now(names) == ["ann", "bob", "cat", "dan"]


def test_a_write_that_nobody_waits_for_any_more_stops_no_other(store: Store) -> None:
    first, second, third = together(store, "ann", "gone", "bob")
    assert (first, third) == ("ann", "bob")
    assert isinstance(second, asyncio.CancelledError)
    assert store.write_now(add, "cat") == "cat"
    assert [name for name in store.read_now(names) if name != "gone"] == ["ann", "bob", "cat"]


def test_half_of_a_failed_write_is_not_kept(store: Store) -> None:
    def half(connection: Connection) -> None:
        add(connection, "ann")
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        store.write_now(half)
    assert asyncio.run(store.read(names)) == []


def test_closing_writes_what_waits_and_takes_nothing_more(url: str) -> None:
    store = open_store(url)
    store.write_now(add, "ann")
    store.close()
    with pytest.raises(ConfigError, match="the store is closed"):
        asyncio.run(store.write(add, "bob"))
    again = open_store(url)
    assert again.write_now(names) == ["ann"]
    again.close()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [("nothing", "is no database URL"), ("mysql://host/name", "no database 'mysql'")],
)
def test_what_is_no_database_is_refused(wrong: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        open_store(wrong)


def test_a_database_that_cannot_be_opened_is_named_without_its_password() -> None:
    with pytest.raises(ConfigError, match="cannot open the database") as caught:
        open_store("postgresql://ann:secret@127.0.0.1:1/none")
    assert "secret" not in str(caught.value)


def test_a_missing_driver_of_postgresql_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match="postgres"):
        open_store("postgresql://ann@127.0.0.1:1/none")


def test_event_loops_in_several_threads_do_not_meet(store: Store) -> None:
    threads = [
        threading.Thread(target=lambda part=part: quickly(store, *part))
        for part in ([f"{loop}{number}" for number in range(50)] for loop in ("a", "b", "c"))
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(asyncio.run(store.read(names))) == 150
