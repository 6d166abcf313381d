"""A cache of a million answers: puts and gets a second as it fills, in one process."""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import random
import tempfile
import time
from pathlib import Path

from assize.models import Cache

ENTRIES = 1_000_000
STEP = 200_000
TOGETHER = 64
REPLY = '{"text":"' + "an answer of the usual length, " * 12 + '"}'


def key(number: int) -> bytes:
    return hashlib.sha256(str(number).encode()).digest()


async def puts(cache: Cache, first: int, count: int) -> float:
    """Puts a second, 64 at a time, as a run makes them."""
    began = time.perf_counter()
    numbers = iter(range(first, first + count))

    async def work() -> None:
        for number in numbers:
            await cache.put(key(number), REPLY)

    async with asyncio.TaskGroup() as group:
        for _ in range(TOGETHER):
            group.create_task(work())
    return count / (time.perf_counter() - began)


def gets(cache: Cache, held: int, count: int = 20_000) -> float:
    """Gets a second of answers drawn from all that are held."""
    draw = random.Random(0)
    keys = [key(draw.randrange(held)) for _ in range(count)]
    began = time.perf_counter()
    for one in keys:
        assert cache.get(one) is not None
    return count / (time.perf_counter() - began)


def main(entries: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(Path(folder) / "answers.sqlite")
        speeds = []
        for held in range(0, entries, STEP):
            cache.put_now((key(n), REPLY) for n in range(held, held + STEP - 5_000))
            put = asyncio.run(puts(cache, held + STEP - 5_000, 5_000))
            get = gets(cache, held + STEP)
            speeds.append((put, get))
            print(f"  {held + STEP:>9,} held: {put:8,.0f} puts/s {get:9,.0f} gets/s")
        info = cache.info()
        print(f"  {info.entries:,} answers, {info.bytes / 1e6:,.0f} MB")
        put, get = (speeds[-1][part] / speeds[0][part] for part in (0, 1))
        print(f"  ratio last to first: puts {put:.2f}, gets {get:.2f} (aim 0.5)")
        cache.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=ENTRIES)
    main(parser.parse_args().entries)
