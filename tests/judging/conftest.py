"""Pairs to judge, scripts that keep what they are asked, and the command line as a process."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer
from run_work import judge_session

from assize.base.conversation import Pair, Turn
from assize.formats import read, write
from assize.judging.session import RunSettings, Session
from assize.models import ModelSettings, Request


def make_pair(number: int, turns: int = 3) -> Pair:
    """A pair whose texts tell which it is."""
    context = tuple(
        Turn("user" if turn % 2 == 0 else "assistant", f"pair {number}, what of turn {turn}?")
        for turn in range(turns)
    )
    a = (Turn("assistant", f"the first response to pair {number}"),)
    b = (Turn("assistant", f"another response to pair {number}"),)
    return Pair(f"p{number}", context, a, b)


def why_unscored(row: Any) -> str | None:
    """Return the reason of a judgment that has no answer."""
    return None if row.unscored is None else str(row.unscored.reason)


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    """A file that makes a token of the test server's model cost 100 dollars a million."""
    path = tmp_path / "prices.toml"
    path.write_text('"openai:tiny" = { input = 100.0, output = 100.0 }\n')
    return path


def session(file: Path, out: Path, *judges: str, **run: Any) -> Session:
    """A run over a file, by the scripted judge if no other is named."""
    return Session(read([str(file)]), judges or ("io@scripted:any",), out, run=RunSettings(**run))


def served(server: ChatServer, file: Path, out: Path, *judges: str, **models: Any) -> Session:
    """A run over a file, by judges whose model is behind a server."""
    settings = ModelSettings(base_url=server.url, **models)
    return Session(read([str(file)]), judges or ("io@openai:tiny",), out, models=settings)


@pytest.fixture
def pairs_file(tmp_path: Path) -> Any:
    """Writes a file of so many pairs."""

    def make(count: int, name: str = "pairs.jsonl") -> Path:
        write(tmp_path / name, (make_pair(number) for number in range(count)))
        return tmp_path / name

    return make


def start_cli(*arguments: object) -> subprocess.Popen[str]:
    """Starts `assize` with these arguments in a process of its own."""
    code = "from assize.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def kill_at_random(server: ChatServer, draw: random.Random, most: float, *command: object) -> bool:
    """Kills a command a little after its first call; whether it was still running."""
    process, before = start_cli(*command), len(server.seen)
    while len(server.seen) == before and process.poll() is None:
        time.sleep(0.002)
    time.sleep(draw.uniform(0.0, most))
    process.kill()
    process.communicate()
    time.sleep(0.1)  # the server finishes what it was asked
    return process.returncode == -signal.SIGKILL


def judge_rows(one: Session) -> list[dict[str, Any]]:
    """The rows of a run, which is run to its end."""
    judge_session(one)
    return rows_of(one.out)


def rows_of(folder: Path) -> list[dict[str, Any]]:
    """The rows of a run's folder."""
    text = (folder / "judgments.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


class Recorded:
    """A script that keeps what it is asked, and gives its answers in turn, the last for the rest.

    Args:
        answers: texts, replies, errors to raise, or functions of the request.
    """

    def __init__(self, *answers: Any) -> None:
        self.answers = answers
        self.seen: list[Request] = []

    def __call__(self, request: Request) -> Any:
        answer = self.answers[min(len(self.seen), len(self.answers) - 1)]
        self.seen.append(request)
        if isinstance(answer, Exception):
            raise answer
        return answer(request) if callable(answer) else answer

    @property
    def texts(self) -> list[str]:
        """The last message of each request."""
        return [request.messages[-1].text for request in self.seen]
