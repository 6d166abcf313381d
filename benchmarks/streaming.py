"""Reading 100,000 conversations: rate against bare `json.loads`, and peak memory."""

from __future__ import annotations

import json
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import assize

CONVERSATIONS, TURNS = 100_000, 10


def lines() -> Iterator[str]:
    for number in range(CONVERSATIONS):
        turns = [
            {"role": ("user", "assistant")[turn % 2], "text": f"Turn {turn} of talk {number}. " * 5}
            for turn in range(TURNS)
        ]
        yield json.dumps({"id": f"c{number}", "turns": turns}) + "\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.jsonl"
        with path.open("w") as stream:
            stream.writelines(lines())
        start = time.perf_counter()
        with path.open() as stream:
            bare = sum(1 for line in stream if json.loads(line))
        bare_seconds = time.perf_counter() - start
        start = time.perf_counter()
        read = sum(1 for _ in assize.read(path))
        seconds = time.perf_counter() - start
        assert read == bare == CONVERSATIONS
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{CONVERSATIONS:,} conversations of {TURNS} turns, {path.stat().st_size / 1e6:.0f} MB"
        )
        print(f"json.loads alone {CONVERSATIONS / bare_seconds:,.0f}/s")
        print(f"assize.read      {read / seconds:,.0f}/s, {bare_seconds / seconds:.2f} x bare")
        print(f"peak memory      {peak:.0f} MB")


if __name__ == "__main__":
    main()
