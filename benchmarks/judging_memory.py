"""Memory of a run of 100,000 pairs against one of 10,000, or of other sizes that are named.

It hardly grows with the items: a run remembers a key of 64 bits of each (`running/key_set.py`).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from assize.base.conversation import Pair, Turn
from assize.formats import write

RUN = """
import os, resource, sys
from assize.formats import read
from assize.judging.session import RunSettings
from assize.judging.run import judge_async
from assize.running import run_sync
from assize.judging.session import Session
from assize.models import ModelSettings, Limits
file, out = sys.argv[1:]
session = Session(read([file]), ["io@scripted:any"], __import__("pathlib").Path(out),
                  run=RunSettings(votes=1, concurrency=64), models=ModelSettings(limits=Limits(64)))
outcome = run_sync(lambda: judge_async(session))
print(outcome.summary.n, outcome.summary.unscored,
      resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def pairs(count: int) -> Iterator[Pair]:
    for number in range(count):
        context = tuple(
            Turn("user" if n % 2 == 0 else "assistant", f"{number}.{n} " + "words of a talk " * 10)
            for n in range(7)
        )
        sides = [(Turn("assistant", f"{side} {number} " + "more words " * 20),) for side in "AB"]
        yield Pair(f"p{number}", context, sides[0], sides[1])


def peak(count: int, folder: Path) -> float:
    """Most megabytes that a run of so many pairs holds, in a process of its own; twice."""
    file, out = folder / f"{count}.jsonl", folder / f"run-{count}"
    write(file, pairs(count))
    most = 0.0
    for session in ("first", "resumed"):
        command = [sys.executable, "-c", RUN, str(file), str(out)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        n, unscored, kilobytes = map(int, done.stdout.split())
        assert (n, unscored) == (count, 0)
        print(f"  {count:>7,} pairs, {session}: {kilobytes / 1024:.0f} MB")
        most = max(most, kilobytes / 1024)
    return most


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        counts = [int(count) for count in sys.argv[1:]] or [10_000, 100_000]
        peaks = [peak(count, Path(name)) for count in counts]
        grown = 1024 * 1024 * (peaks[-1] - peaks[0]) / (counts[-1] - counts[0])
        print(
            f"  ratio {peaks[-1] / peaks[0]:.2f}; {peaks[-1]:.0f} MB for {counts[-1]:,} (aim 500);"
            f" {grown:.0f} bytes a pair beyond {counts[0]:,}"
        )


if __name__ == "__main__":
    main()
