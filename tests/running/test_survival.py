"""kill -9 at a hundred random moments: no record lost or doubled, no stored reply paid again."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from counting_server import CountingServer
from forks import CONCURRENCY, PRICE, Forks

from assize.running.budget import read_ledger

LANES = 2
THINGS = 150
FILES = {"judge": ("judgments.jsonl", "item", 1), "write": ("conversations.jsonl", "id", 3)}


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    place = tmp_path_factory.mktemp("warm")
    with Forks() as one:
        for client in FILES:
            with CountingServer() as server:
                one.warm(client, place / client, server.url)
        yield one


def stored_replies(folder: Path) -> set[str]:
    """Digests of the questions whose answers are in the cache."""
    path = folder.with_suffix(".sqlite")
    if not path.exists():
        return set()
    connection = sqlite3.connect(path)
    try:
        rows = connection.execute("SELECT reply FROM answers").fetchall()
    except sqlite3.OperationalError:  # killed before the tables were made
        rows = []
    connection.close()
    return {json.loads(reply)["model"] for (reply,) in rows}


@dataclass
class Lane:
    """One folder after another, each killed again and again until its run is done."""

    forks: Forks
    client: str
    place: Path
    draw: random.Random
    kills: int = 0
    most_unstored: int = 0
    most_open: int = 0
    watched: int = 0
    again: int = 0

    def go(self, kills: int) -> None:
        number = 0
        while self.kills < kills:
            with CountingServer() as server:
                self._folder(self.place / f"run-{number}", server, kills)
            number += 1

    def _folder(self, folder: Path, server: CountingServer, kills: int) -> None:
        things = [f"{folder.name} thing {number}" for number in range(THINGS)]
        stored: set[str] = set()
        while True:
            before = Counter(server.asked)
            pid = self.forks.start(self.client, folder, server.url, things)
            if self.kills < kills:
                self._wait(server)
                os.kill(pid, signal.SIGKILL)
            while (status := self.forks.ended(pid)) is None:
                time.sleep(0.01)
            time.sleep(0.05)  # what was sent arrives
            new = server.asked - before
            doubled = stored & set(new)
            assert not doubled, f"{len(doubled)} stored replies were paid again"
            self.watched += len(stored)
            stored = stored_replies(folder)
            balance = read_ledger(folder)
            assert balance.booked >= server.charged(PRICE) - 1e-9
            assert status in (0, -signal.SIGKILL)
            if status == 0:
                break
            self.kills += 1
            self.most_unstored = max(self.most_unstored, len(set(new) - stored))
            self.most_open = max(self.most_open, len(balance.open))
        self._check(folder, things, server)

    def _wait(self, server: CountingServer) -> None:
        """Until some moment: of the start and the resume, or after some calls."""
        asked, early = server.asked.total(), self.draw.random() < 0.2
        calls = 1 if early else self.draw.randint(1, 60)
        until = time.monotonic() + (self.draw.uniform(0.0, 0.3) if early else 10.0)
        while time.monotonic() < until and server.asked.total() < asked + calls:
            time.sleep(0.002)
        time.sleep(self.draw.uniform(0.0, 0.02))

    def _check(self, folder: Path, things: list[str], server: CountingServer) -> None:
        """The finished folder holds every record once, and its money adds up."""
        file, name, calls = FILES[self.client]
        rows = [json.loads(line) for line in (folder / file).read_text().splitlines()]
        assert sorted(row[name] for row in rows) == sorted(things)
        assert not any("unscored" in row for row in rows)
        assert len(server.asked) == calls * THINGS
        self.again += server.asked.total() - len(server.asked)
        balance = read_ledger(folder)
        assert not balance.open
        assert balance.spent >= server.charged(PRICE) - 1e-9


@pytest.mark.parametrize(
    "kills",
    [
        pytest.param(10, marks=pytest.mark.slow("kills and goes on, ten times")),
        pytest.param(100, marks=pytest.mark.nightly("kills and goes on, a hundred times")),
    ],
)
@pytest.mark.parametrize("client", list(FILES))
def test_after_kills_nothing_is_lost_doubled_or_paid_again(
    client: str, kills: int, forks: Forks, tmp_path: Path
) -> None:
    lanes = [Lane(forks, client, tmp_path / str(n), random.Random(n)) for n in range(LANES)]
    for lane in lanes:
        lane.place.mkdir()
    with ThreadPoolExecutor(LANES) as pool:
        for done in [pool.submit(lane.go, kills // LANES) for lane in lanes]:
            done.result()
    assert sum(lane.kills for lane in lanes) == kills
    assert sum(lane.watched for lane in lanes) > 20 * kills
    for lane in lanes:
        assert lane.most_open <= CONCURRENCY
        assert lane.most_unstored <= CONCURRENCY
        assert lane.again <= lane.kills * CONCURRENCY
    print(
        f"\n{client}: {kills} kills, {sum(lane.watched for lane in lanes)} stored replies watched,"
        f" {sum(lane.again for lane in lanes)} calls asked again, at most"
        f" {max(lane.most_unstored for lane in lanes)} unstored at a kill (of {CONCURRENCY})"
    )
