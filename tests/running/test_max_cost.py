"""`--max-cost` is kept: kills and interrupts at random moments, whatever script, whatever judge."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from forks import PRICE, Forks
from metered_server import MeteredServer

from assize.running.budget import MONEY, read_ledger

LIMIT = 12.0  # US dollars; all calls of a folder would cost twice that
PAIRS = 8
LANGUAGES = {
    "English": "Is it far to the old harbour, and can one walk there after dark?",
    "Chinese": "旧港口远吗?天黑以后可以走路去那里吗?",
    "Hindi": "क्या पुराना बंदरगाह दूर है, और क्या अँधेरा होने के बाद वहाँ पैदल जा सकते हैं?",
}
ENDS = ("kill", "interrupt", "interrupt twice")


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    with Forks() as one:
        with MeteredServer(random.Random(0), PRICE) as server:
            one.warm("judges", tmp_path_factory.mktemp("warm") / "run", server.url)
        yield one


@dataclass
class Runs:
    """Runs of three judges, each ended again and again until its money is spent."""

    forks: Forks
    place: Path
    draw: random.Random
    ended: int = 0  # sessions that a signal ended
    folders: int = 0
    nearest: float = 0.0  # dollars charged at most in one folder
    charged: float = 0.0
    calls: int = 0

    def go(self, signals: int) -> None:
        """Until so many sessions were ended by a signal, and each language had its turn."""
        while self.ended < signals or self.folders < len(LANGUAGES):
            language = list(LANGUAGES)[self.folders % len(LANGUAGES)]
            server = MeteredServer(self.draw, PRICE)
            with server:
                self._folder(self.place / f"{language}-{self.folders}", language, server, signals)
            self.folders += 1

    def _folder(self, folder: Path, language: str, server: MeteredServer, signals: int) -> None:
        things = [f"{number}: {LANGUAGES[language]}" for number in range(PAIRS)]
        for session in range(20):
            pid = self.forks.start("judges", folder, server.url, things, LIMIT)
            status = None
            if session < 10 and self.ended < signals:
                status = self._end(pid, server)
            while status is None:
                time.sleep(0.005)
                status = self.forks.ended(pid)
            time.sleep(0.03)  # what was sent arrives
            assert server.dollars <= LIMIT, f"{folder.name}, session {session}: {server.dollars}"
            assert status in (0, 130, -signal.SIGKILL, -signal.SIGINT), status
            assert read_ledger(folder).booked >= server.dollars - 1e-9
            if status == 0 and self._spent(folder):
                break
        else:
            raise AssertionError(f"{folder.name} did not come to its end")
        self.nearest = max(self.nearest, server.dollars)
        self.charged += server.dollars
        self.calls += server.calls

    def _end(self, pid: int, server: MeteredServer) -> int | None:
        """Ends a session in one of three ways, at some moment of its start or its work.

        Returns how it ended where it had ended before; what has ended may be sent signals until
        `ended` has told it.
        """
        before, until = server.calls, time.monotonic() + 1.0
        if self.draw.random() < 0.8:
            while server.calls == before and time.monotonic() < until:
                time.sleep(0.002)
        time.sleep(self.draw.uniform(0.0, 0.15))
        status = self.forks.ended(pid)
        if status is None:
            how = self.draw.choice(ENDS)
            os.kill(pid, signal.SIGKILL if how == "kill" else signal.SIGINT)
            self.ended += 1
            if how == "interrupt twice":
                time.sleep(self.draw.uniform(0.0, 0.02))
                os.kill(pid, signal.SIGINT)
        return status

    def _spent(self, folder: Path) -> bool:
        """Whether nothing more can be asked: no call would fit, though nothing else is open."""
        rows = [json.loads(line) for line in (folder / "judgments.jsonl").read_text().splitlines()]
        if not any((row.get("unscored") or {}).get("reason") == "budget" for row in rows):
            return len(rows) == 3 * PAIRS
        lines = [json.loads(line) for line in (folder / MONEY).read_text().splitlines()]
        largest = max((line["most"] for line in lines if "most" in line), default=LIMIT)
        assert read_ledger(folder).booked > LIMIT - 1.5 * largest, "it gave up too early"
        return True


@pytest.mark.parametrize(
    "signals", [6, pytest.param(100, marks=pytest.mark.nightly("a hundred kills and interrupts"))]
)
def test_no_kill_or_interrupt_lets_a_run_cost_more_than_it_may_in_any_script(
    signals: int, forks: Forks, tmp_path: Path
) -> None:
    runs = Runs(forks, tmp_path, random.Random(signals))
    runs.go(signals)
    assert runs.ended == signals
    assert runs.nearest > LIMIT / 2
    print(
        f"\n{runs.ended} kills and interrupts in {runs.folders} runs: {runs.calls} calls charged,"
        f" ${runs.charged:.2f} of {runs.folders} x ${LIMIT:.2f}, at most ${runs.nearest:.2f}"
    )
