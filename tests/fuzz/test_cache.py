"""Damaged cache files: each answer is the very one that was stored, or is asked for anew.

Never another answer, whatever bytes are damaged in the file's header, its pages, its rows or the
log of what is not yet in it. A file that cannot be opened is an error that says what to do.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from tests.fuzz.fuzzing import corpus, damaged, fuzz, tries

from assize.base.disk_cache import DiskCache
from assize.base.errors import AssizeError, ServerError
from assize.encoders.cached import CachedEncoder, open_encodings
from assize.encoders.encoder import Encoding, TokenStates
from assize.models import Cache, Client, Limits, Reply, Request, Scripted, Throttle, messages
from assize.models.cache import key_of
from assize.models.model import to_text

ASK = Request(messages(("user", "Which?")))
NAME = "scripted:m"
STORED = 24
ASKED = [replace(ASK, sample=number) for number in range(STORED + 2)]  # two that are not there
KEYS = [key_of(NAME, one) for one in ASKED]


def answer(number: int, kind: str = "stored") -> str:
    """Answers of many lengths, that of some more than a page."""
    return f"{kind} {number} " + f"{number:03} " * (number * number * 3)


REPLIES = [to_text(Reply(answer(number))) for number in range(STORED)]


@dataclass
class Files:
    """The bytes of a cache's file and of its log."""

    database: bytes
    log: bytes
    page: int


def filled(folder: Path, page: int) -> list[Files]:
    """A cache with all in its file, and one with half of it in the log."""
    folder.mkdir()
    path = folder / "answers.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA page_size = {page}")
        connection.execute("VACUUM")
    cache = Cache(path)
    cache.put_now(list(zip(KEYS[: STORED // 2], REPLIES, strict=False)))
    cache.learn(NAME, "seed")
    cache._kept._open.writing.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    cache.put_now(list(zip(KEYS, REPLIES, strict=False)))
    both = path.read_bytes(), path.with_name("answers.sqlite-wal").read_bytes()
    cache.close()
    whole = path.read_bytes()
    return [Files(whole, b"", page), Files(*both, page)]


def touched(data: bytes, page: int, rng: random.Random) -> bytes:
    """The bytes with a few of them, or whole pages, changed in their places."""
    if rng.random() < 0.3:
        return damaged(data, rng)
    found = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4, 30])):
        at = rng.randrange(len(found))
        start, other = (rng.randrange(len(found)) // page * page for _ in range(2))
        match rng.randrange(7):
            case 0 | 1:
                found[at] ^= 1 << rng.randrange(8)
            case 2:
                found[at] = rng.randrange(256)
            case 3:  # the head of a page: its kind, its cells, where they are
                found[start + rng.randrange(40)] = rng.choice([0, 1, 2, 5, 10, 13, 127, 255])
            case 4:
                found[at : at + 8] = rng.randbytes(min(8, len(found) - at))
            case 5:
                found[start : start + page] = found[other : other + page]
            case _:
                found[start : start + page] = bytes(len(found[start : start + page]))
    return bytes(found)


def inputs(whole: list[Files], rng: random.Random, count: int) -> Iterator[Files]:
    """Damaged files; in a log more often the log than the file."""
    for _ in range(count):
        one = rng.choice(whole)
        logged = one.log and rng.random() < 0.6
        database = one.database
        if not logged or rng.random() < 0.2:
            database = touched(database, one.page, rng)
        yield replace(
            one, database=database, log=touched(one.log, one.page, rng) if logged else one.log
        )


def reader(folder: Path, runner: asyncio.Runner) -> Callable[[Files], object]:
    """Writes the files, opens them as a run does, and asks every question."""
    path, count = folder / "answers.sqlite", 0

    def read(files: Files) -> None:
        nonlocal count
        count += 1
        write(path, files)
        said: list[str] = []
        cache = Cache(path, note=said.append)
        try:
            cache.facts(NAME)
            runner.run(asked(cache, stores=count % 10 == 0))
            if count % 10 == 1:
                cache.info()
                cache.clear()
        finally:
            cache.close()
            assert len(said) <= 2, said

    return read


def write(path: Path, files: Files) -> None:
    """Puts a cache's files in the place of the last one's."""
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    path.write_bytes(files.database)
    if files.log:
        path.with_name(path.name + "-wal").write_bytes(files.log)


async def asked(cache: Cache, *, stores: bool) -> None:
    """Asks everything, twice where what is missing is asked anew and stored."""

    def anew(request: Request) -> str:
        if not stores:
            raise ServerError("not asked anew")
        return answer(request.sample, "anew")

    model = Client(Scripted(anew, name=NAME), Throttle(Limits(tries=1)), cache=cache)
    for _ in range(1 + stores):
        for number, request in enumerate(ASKED):
            try:
                reply = await model.ask(request)
            except ServerError:
                continue
            allowed = {answer(number, "anew")} | ({answer(number)} if number < STORED else set())
            assert reply.text in allowed, f"{number}: {reply.text[:100]!r}"


@pytest.fixture
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for the disk: no power fails here."""
    connect = DiskCache._connect

    def unsynced(self: DiskCache) -> sqlite3.Connection:
        connection = connect(self)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    monkeypatch.setattr(DiskCache, "_connect", unsynced)


@pytest.mark.usefixtures("unsynced")
def test_damaged_caches(tmp_path: Path) -> None:
    whole = [one for page in (512, 4096) for one in filled(tmp_path / str(page), page)]
    with asyncio.Runner() as runner:
        read = reader(tmp_path, runner)
        trial = fuzz("cache", inputs(whole, random.Random(31), tries(500)), read)
    assert trial.read > trial.refused


@pytest.mark.usefixtures("unsynced")
@pytest.mark.parametrize("path", corpus("cache"), ids=lambda path: path.name)
def test_caches_that_once_broke_something(path: Path, tmp_path: Path) -> None:
    with asyncio.Runner() as runner, suppress(AssizeError):
        reader(tmp_path, runner)(Files(path.read_bytes(), b"", 512))


class Lengths:
    """An encoder whose vectors tell the text's number."""

    name = signature = "lengths"
    dimension = 16
    details: Mapping[str, object] = {}

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Encoding:
        vectors = np.array([[float(text)] * self.dimension for text in texts], np.float32)
        states = tuple(
            TokenStates(np.repeat(row[None], 3, axis=0), np.ones(3, np.bool_)) for row in vectors
        )
        return Encoding(vectors, np.ones(len(texts), np.int64), states if tokens else None)


@pytest.mark.usefixtures("unsynced")
def test_damaged_encodings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSIZE_CACHE_DIR", str(tmp_path))
    path, texts = tmp_path / "encodings.sqlite", [str(number) for number in range(60)]
    with closing(open_encodings()) as kept:
        CachedEncoder(Lengths(), kept).encode(texts)
        CachedEncoder(Lengths(), kept).encode(texts, tokens=True)
    rng = random.Random(32)

    def read(data: Files) -> None:
        write(path, data)
        with closing(open_encodings()) as kept:
            encoder = CachedEncoder(Lengths(), kept)
            for tokens in (False, True):
                found, right = (one.encode(texts, tokens=tokens) for one in (encoder, Lengths()))
                assert np.array_equal(found.vectors, right.vectors)
                if tokens:
                    pairs = zip(found.tokens or (), right.tokens or (), strict=True)
                    assert all(np.array_equal(one.states, two.states) for one, two in pairs)

    whole = [Files(path.read_bytes(), b"", 4096)]
    fuzz("encodings", inputs(whole, rng, tries(200)), read)
