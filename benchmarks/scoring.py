"""How fast and in how much memory `assize score` works.

    python benchmarks/scoring.py [--conversations 100000]

* throughput: scoring against the bare encoder session on the very batches it ran
* memory: the process's peak after a tenth and after all of a long stream
* start: a fresh process from nothing to its first score
* judge: `assize judge --judge evaluator@default` against `assize score`, whole commands in turn
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from assize.base.conversation import Conversation, Turn
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator._scoring import score, score_items
from assize.formats import write

_TEXT = """
the train to Leeds leaves at nine and you can buy a ticket on the platform or in the app
because the office is closed on Sundays but please ask the guard if anything is unclear
while we look for a seat near the window with a table and some light to read by
"""
_WORDS = _TEXT.split()
ROUNDS = 3
JUDGED, JUDGE_ROUNDS = 3_000, 5
_ROWS = 5  # judgments of a conversation


def text(number: int) -> str:
    """A text of 4 to 27 words; equal numbers give equal texts."""
    start, length = 7 * number, 4 + number % 24
    return (
        " ".join(_WORDS[(start + 3 * at * (1 + number % 5)) % len(_WORDS)] for at in range(length))
        + f" {number}"
    )


def stream(count: int, texts: int, turns: int) -> Iterator[Conversation]:
    for number in range(count):
        yield Conversation(
            f"c{number}",
            tuple(
                Turn("user" if at % 2 == 0 else "assistant", text((number * turns + at) % texts))
                for at in range(turns)
            ),
        )


class Recording:
    """The encoder's session, which keeps what it was given."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.feeds: list[tuple[Any, Any]] = []

    def run(self, names: Any, feed: Any) -> Any:
        self.feeds.append((names, feed))
        return self.session.run(names, feed)


def throughput(evaluator: Evaluator) -> None:
    """In seconds of processor time, so that other work on the machine does not count."""
    items = list(stream(150, 10**9, 12))
    encoder: Any = evaluator.encoder
    session = encoder._session
    scorings, bares, walls = [], [], []
    for _ in range(ROUNDS):
        encoder._session = recording = Recording(session)
        wall, begun = time.perf_counter(), time.process_time()
        done = sum(1 for _ in score_items(items, evaluator=evaluator))
        scorings.append(time.process_time() - begun)
        walls.append(time.perf_counter() - wall)
        begun = time.process_time()
        for names, feed in recording.feeds:
            session.run(names, feed)
        bares.append(time.process_time() - begun)
    encoder._session = session
    print(
        f"throughput: {min(bares) / min(scorings):.2f} of the bare session on the same batches"
        f" (aim 0.90), {done / min(walls):.0f} conversations of 12 turns a second by the clock"
    )


def memory(evaluator: Evaluator, count: int) -> None:
    judgments = score(stream(count, 60, 6), evaluator=evaluator)
    per_item = len(evaluator.scored)
    begun = time.perf_counter()
    for _ in islice(judgments, per_item * count // 10):
        pass
    early = _peak()
    for _ in judgments:
        pass
    seconds = time.perf_counter() - begun
    print(
        f"memory: {early:.0f} MB after {count // 10:,} conversations, {_peak():.0f} MB after"
        f" {count:,} (aim: flat, below 1,500), {count / seconds:,.0f} a second (few distinct texts)"
    )


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def start() -> None:
    code = (
        "import assize; c = assize.Conversation('c', (assize.Turn('user', 'Hi'),"
        " assize.Turn('assistant', 'Hello')));\nprint(next(assize.scoring.iter_score([c])).score)"
    )
    seconds = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - begun)
    print(f"start: {min(seconds):.2f} s from nothing to the first score (aim 1.5)")


def judge(count: int) -> None:
    """Both commands in turn on the same file; the clock, and processor time beside it."""
    used: dict[str, list[tuple[float, float]]] = {"score": [], "judge": []}
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        write(place / "in.jsonl", stream(count, 10**9, 2))
        for number in range(2 * JUDGE_ROUNDS):
            run = place / str(number)
            command = ("score", "judge")[(number + number // 2) % 2]  # neither always goes first
            asked = ["--judge", "evaluator@default"] if command == "judge" else []
            out = run if command == "judge" else run / "judgments.jsonl"
            run.mkdir()
            used[command].append(_took(command, str(place / "in.jsonl"), *asked, "--out", str(out)))
            used_rows = len((run / "judgments.jsonl").read_bytes().splitlines())
            assert used_rows == count * _ROWS, used_rows
    clock, processor = (
        median(one[part] for one in used["score"]) / median(one[part] for one in used["judge"])
        for part in (0, 1)
    )
    seconds = median(one[0] for one in used["judge"])
    print(
        f"judge: {clock:.2f} of the speed of `assize score` by the clock (aim 0.90),"
        f" {processor:.2f} by processor time; {count / seconds:.0f} conversations of 2 turns a"
        f" second, {count:,} of them, medians of {JUDGE_ROUNDS}"
    )


def _took(*command: str) -> tuple[float, float]:
    """Seconds by the clock and of the processor that a command takes."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    code = "from assize.cli import main; main()"
    subprocess.run([sys.executable, "-c", code, *command, "--quiet"], check=True)
    seconds, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--conversations", type=int, default=100_000)
    given = parser.parse_args()
    start()
    judge(JUDGED)
    evaluator = load_evaluator()
    throughput(evaluator)
    memory(evaluator, given.conversations)


if __name__ == "__main__":
    main()
