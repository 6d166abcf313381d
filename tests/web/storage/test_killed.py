"""What is acknowledged is on disk, whoever is killed; and writes that wait share a commit."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys

import pytest
from postgres import NoPostgres, postgres
from sqlalchemy.exc import OperationalError
from tests.web.storage.test_store import add, names

from assize.web._storage import open_store
from assize.web._storage.schema import people

WRITER = """
import sys
from sqlalchemy import insert
from assize.web._storage import open_store
from assize.web._storage.schema import people
import concurrent.futures, itertools
store = open_store(sys.argv[1])
count = itertools.count()
def write(n):
    def add(connection):
        for name in (str(n), f"{n}b"):
            row = {"name": name, "role": "rater", "disabled": False, "created": 1.0}
            connection.execute(insert(people).values(row))
    store.write_now(add)
    sys.stdout.write(f"{n}\\n"); sys.stdout.flush()
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    for n in range(100_000):
        pool.submit(write, n)
"""


def _acknowledged(url: str, least: int) -> list[str]:
    """What a writer said was written, when it is killed in the middle."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, url], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    said = [process.stdout.readline().strip() for _ in range(least)]
    os.kill(process.pid, signal.SIGKILL)
    said += [line.strip() for line in process.stdout if line.endswith("\n")]
    process.wait()
    process.stdout.close()
    assert all(said)
    return said


def _whole(url: str, said: list[str]) -> None:
    """All of it is there, once, and no write by half."""
    store = open_store(url)
    there = store.read_now(names)
    store.close()
    assert len(set(there)) == len(there)
    assert set(said) <= set(there)
    assert {one for one in there if one.endswith("b")} == {
        f"{one}b" for one in there if not one.endswith("b")
    }


def test_nothing_acknowledged_is_lost_or_doubled_when_the_writer_is_killed(url: str) -> None:
    open_store(url).close()
    for least in (1, 40):
        _empty(url)
        _whole(url, _acknowledged(url, least))


def _empty(url: str) -> None:
    store = open_store(url)
    store.write_now(lambda one: one.execute(people.delete()).rowcount)
    store.close()


def test_nothing_acknowledged_is_lost_when_postgresql_is_killed() -> None:
    try:
        with postgres(durable=True) as cluster:
            url = cluster.database()
            store, said = open_store(url), []
            for n in range(30):
                store.write_now(add, str(n))
                said.append(str(n))
            cluster.kill()
            with pytest.raises(OperationalError):
                store.write_now(add, "late")
            cluster.restart()
            assert asyncio.run(store.read(names)) == said  # the store goes on by itself
            assert asyncio.run(store.write(add, "after")) == "after"
            store.close()
    except NoPostgres as error:
        pytest.skip(str(error))
