"""Starts clients of the journal as processes, each forked from one that has imported them.

A fresh interpreter takes a second to import a client, a fork a hundredth: so a hundred of them
can be killed in a test. Commands and answers are lines of JSON.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from pathlib import Path
from subprocess import PIPE, Popen
from types import TracebackType
from typing import Any

from assize.formats import read

CONCURRENCY = 4
WARM = ["warm"]
PRICE = 100.0  # US dollars a million tokens, in or out


class Forks:
    """The process that forks; use as a context manager."""

    def __enter__(self) -> Forks:
        self._process = Popen([sys.executable, __file__], stdin=PIPE, stdout=PIPE, text=True)
        self._lock = threading.Lock()
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def _ask(self, **command: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps(command) + "\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())

    def warm(self, client: str, folder: Path, url: str) -> None:
        """Runs a client in the forking process itself, which then has imported all it needs."""
        self._ask(do=client, folder=str(folder), url=url, things=WARM)

    def start(
        self,
        client: str,
        folder: Path,
        url: str,
        things: list[str],
        max_cost: float | None = None,
    ) -> int:
        """Starts a client on a folder; returns its process id."""
        pid: int = self._ask(
            do=client, folder=str(folder), url=url, things=things, max_cost=max_cost
        )
        return pid

    def ended(self, pid: int) -> int | None:
        """How a process ended, negative for a signal; None while it runs."""
        status: int | None = self._ask(do="ended", pid=pid)
        return status


def serve() -> None:
    """Forks on command until the input ends."""
    from conversation_writer import main

    clients = {"judge": judge, "judges": judges, "write": main}
    for line in sys.stdin:
        command = json.loads(line)
        if command["do"] == "ended":
            pid, status = os.waitpid(command["pid"], os.WNOHANG)
            print(json.dumps(os.waitstatus_to_exitcode(status) if pid else None), flush=True)
            continue
        client, folder = clients[command["do"]], Path(command["folder"])
        if command["things"] == WARM:
            run(client, folder, command["url"], WARM)
            print(0, flush=True)
            continue
        child = os.fork()
        if child == 0:
            os._exit(run(client, folder, command["url"], command["things"], command["max_cost"]))
        print(child, flush=True)


def run(
    client: Any, folder: Path, url: str, things: list[str], max_cost: float | None = None
) -> int:
    """Runs a client; its exit status, 130 where it was interrupted at once."""
    from assize.models import Limits, ModelSettings

    try:
        prices = folder.with_suffix(".prices")
        prices.write_text(f'"openai:tiny" = {{ input = {PRICE}, output = {PRICE} }}\n')
        settings = ModelSettings(
            base_url=url,
            limits=Limits(CONCURRENCY, first_pause=0.01),
            max_cost=max_cost,
            prices=prices,
            cache=folder.with_suffix(".sqlite"),
        )
        client(str(folder), things, "openai:tiny", settings)
    except KeyboardInterrupt:
        return 130
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def judges(folder: str, things: list[str], model: str, settings: Any) -> None:
    """Judges of one short call, of one long one, and of four."""
    judge(folder, things, model, settings, ("io", "maxim", "debate"))


def judge(
    folder: str, things: list[str], model: str, settings: Any, named: tuple[str, ...] = ("io",)
) -> None:
    """Judges pairs, one for each thing."""
    from assize.base.conversation import Pair, Turn
    from assize.formats import write
    from assize.judging.run import judge_async
    from assize.judging.session import RunSettings, Session
    from assize.running import run_sync

    file = Path(folder).with_suffix(".pairs.jsonl")
    if not file.exists():
        sides = (Turn("assistant", "Yes."),), (Turn("assistant", "No."),)
        part = file.with_suffix(".part")
        write(part, (Pair(one, (Turn("user", one),), *sides) for one in things), format="assize")
        part.replace(file)
    run = RunSettings(votes=1, concurrency=CONCURRENCY)
    asked = [f"{name}@{model}" for name in named]
    session = Session(read([str(file)]), asked, Path(folder), run=run, models=settings)
    run_sync(lambda: judge_async(session))


if __name__ == "__main__":
    serve()
