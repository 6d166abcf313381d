"""The store under both caches: what is put is whole, shared, bounded, and survives kill -9."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assize.base.disk_cache import DiskCache, bytes_allowed, cache_folder
from assize.base.errors import ConfigError


def opened(path: Path, max_bytes: int = 1 << 30) -> DiskCache:
    return DiskCache(path, table="kept", column="value", max_bytes=max_bytes, durable=False)


@pytest.fixture
def cache(tmp_path: Path) -> DiskCache:
    return opened(tmp_path / "kept.sqlite")


def test_the_folder_is_the_named_one_or_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSIZE_CACHE_DIR", "/named")
    assert cache_folder() == Path("/named")
    monkeypatch.delenv("ASSIZE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_folder() == Path("/xdg/assize")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "assize"


def test_a_cap_is_a_number_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOME_BYTES", raising=False)
    assert bytes_allowed("SOME_BYTES", 7) == 7
    monkeypatch.setenv("SOME_BYTES", "12")
    assert bytes_allowed("SOME_BYTES", 7) == 12
    monkeypatch.setenv("SOME_BYTES", "lots")
    with pytest.raises(ConfigError, match="SOME_BYTES is 'lots'"):
        bytes_allowed("SOME_BYTES", 7)


def test_what_is_put_is_found_and_the_later_value_stands(cache: DiskCache) -> None:
    keys = [str(number).encode() for number in range(1200)]
    cache.put((key, key * 2) for key in keys)
    cache.put([(b"7", b"again")])
    found = cache.get([*keys, b"none"])
    assert len(found) == 1200
    assert (found[b"7"], found[b"1199"]) == (b"again", b"11991199")


def test_a_transaction_that_fails_leaves_nothing(cache: DiskCache) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        cache.put([(b"k", b"v"), (b"l", b"v"), (b"m", None)])
    assert cache.get([b"k", b"l"]) == {}
    cache.put([(b"k", b"v")])  # and the next one goes through
    assert cache.get([b"k"]) == {b"k": b"v"}


@pytest.mark.parametrize(
    "damage",
    [
        "value = x'76ff'",
        "value = CAST(value AS TEXT)",
        "value = 7",
        "key = x'6c'",
        "checksum = checksum + 1",
        "checksum = NULL",
        "checksum = 'x'",
    ],
)
def test_an_entry_with_a_damaged_byte_is_missing(cache: DiskCache, damage: str) -> None:
    cache.put([(b"k", b"vw"), (b"other", b"v")])
    with cache.transaction() as connection:
        connection.execute(f"UPDATE kept SET {damage} WHERE key = x'6b'")
    assert cache.get([b"k", b"l", b"other"]) == {b"other": b"v"}
    cache.put([(b"k", b"again")])
    assert cache.get([b"k"]) == {b"k": b"again"}


def test_a_damaged_time_of_use_harms_nothing(cache: DiskCache) -> None:
    cache.put([(b"k", b"v"), (b"l", b"v")])
    with cache.transaction() as connection:
        connection.execute("UPDATE kept SET used = 'x' WHERE key = x'6b'")
        connection.execute("UPDATE kept SET used = -9000000000000000000 WHERE key = x'6c'")
    assert cache.get([b"k"]) == {b"k": b"v"}
    assert cache.info().oldest is None


def test_a_file_that_is_damaged_while_it_is_open_is_an_error_that_says_what_to_do(
    tmp_path: Path,
) -> None:
    cache = opened(tmp_path / "kept.sqlite")
    cache.put((str(number).encode(), b"v" * 500) for number in range(200))
    cache.close()
    with cache.path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (cache.path.stat().st_size - 4096))
    cache = opened(tmp_path / "kept.sqlite")
    with pytest.raises(sqlite3.Error):
        cache.get([b"7"])
    for wrong in (cache.info, cache.clear):
        with pytest.raises(ConfigError, match="mend or remove it"):
            wrong()
    cache.close()


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    cache = opened(tmp_path / "kept.sqlite", max_bytes=200_000)
    cache.put((f"old-{number}".encode(), b"x" * 1000) for number in range(300))
    with cache.transaction() as connection:
        connection.execute("UPDATE kept SET used = used - 10 * 86400")
    cache.close()
    cache = opened(tmp_path / "kept.sqlite", max_bytes=200_000)
    assert cache.get([b"old-299"])  # a use: it is now as new as what follows
    cache.put([(b"new", b"y")])
    assert set(cache.get([b"new", b"old-299", b"old-0"])) == {b"new", b"old-299"}
    assert cache.info().bytes <= 200_000


def test_info_counts_and_clear_removes(cache: DiskCache) -> None:
    cache.put([(b"k", b"v")])
    held = cache.info()
    assert (held.entries, held.max_bytes) == (1, 1 << 30)
    assert held.oldest is not None
    assert cache.clear(unused_days=1) == 0
    assert cache.clear() == 1
    assert (cache.info().entries, cache.info().oldest) == (0, None)


def test_the_file_can_be_read_by_its_owner_only(cache: DiskCache) -> None:
    assert cache.path.stat().st_mode & 0o077 == 0


def test_a_place_that_is_no_cache_is_an_error_that_names_the_variable(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite"
    path.write_text("this is not a database, it is much too long to be an empty one" * 30)
    with pytest.raises(ConfigError, match="ASSIZE_CACHE_DIR"):
        opened(path)
    with pytest.raises(ConfigError, match="cannot be used"):
        opened(path / "below-a-file")


def _fill(cache: DiskCache, name: str) -> None:
    for number in range(50):
        cache.put([(f"{name}-{number}".encode(), b"v")])


def test_forked_processes_share_it(cache: DiskCache) -> None:
    cache.put([(b"before", b"v")])
    context = multiprocessing.get_context("fork")
    children = [context.Process(target=_fill, args=(cache, name)) for name in "ab"]
    for child in children:
        child.start()
    _fill(cache, "parent")
    for child in children:
        child.join()
        assert child.exitcode == 0
    assert cache.info().entries == 151


WRITER = """
import sys
from pathlib import Path
from assize.base.disk_cache import DiskCache
cache = DiskCache(Path(sys.argv[1]), table="kept", column="value", max_bytes=1 << 30, durable=False)
for n in range(10**6):
    key = f"{sys.argv[2]}-{n}".encode()
    cache.put([(key, key * 500), (key + b"+", key * 500)])
    print(n, flush=True)
"""


def test_what_was_put_survives_kill_9_of_several_writers(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite"
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [
        subprocess.Popen([*command, str(number)], stdout=subprocess.PIPE, text=True)
        for number in range(3)
    ]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.readline()
    time.sleep(0.2)
    for writer in writers:
        os.kill(writer.pid, signal.SIGKILL)
    cache = opened(path)
    for number, writer in enumerate(writers):
        assert writer.stdout is not None
        said = writer.stdout.read()
        whole = ["0", *said[: said.rfind("\n") + 1].split()]
        for line in whole:
            key = f"{number}-{line}".encode()
            assert cache.get([key, key + b"+"]) == {key: key * 500, key + b"+": key * 500}
        writer.wait()
        writer.stdout.close()
    assert cache.read("PRAGMA integrity_check") == [("ok",)]
    assert cache.info().entries % 2 == 0  # both of a transaction, or none
