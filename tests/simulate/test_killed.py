"""Commands that are killed and given again: nothing that is paid for twice, and the same files."""

from __future__ import annotations

import json
import signal
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dialogues_played as played
import pairs_answered as answered
import pytest
from chat_server import ChatServer
from dialogue_parts import PAGES
from tests.judging.conftest import start_cli
from typer.testing import CliRunner

import assize
from assize.cli import app

AT_ONCE = 2


@dataclass(frozen=True)
class Killed:
    """A command, the calls after which it is killed, how many may be made again, and its files."""

    items: list[Any]
    options: list[str]
    answer: Any
    calls: int
    again: int
    files: tuple[str, ...]


MODELS = [word for name in answered.MODELS for word in ("--model", name)]
JUDGES = ["--judge", "dimensions@openai:judge-1", "--judge", "dimensions@openai:judge-2"]
RECIPES = [word for n in range(1, 6) for word in ("--recipe", f"DS{n}")]
TOPICS = [
    {"id": f"t{n}", "text": f"rotate thing{n}", "documents": [{"id": f"p{n}"}]} for n in range(2)
]
SIDES = ["--model", "openai:writer", "--user", "openai:asker"]
# Asked once more is only what was in flight, or answered and not on disk: twice that many a model.
COMMANDS = {
    "candidates": Killed(
        [answered.talk(n) for n in range(15)],
        ["--no-random", *MODELS],
        answered.answer,
        20,
        2 * 2 * AT_ONCE,
        ("continuations.jsonl",),
    ),
    "dialogues": Killed(
        TOPICS,
        ["--documents", "pages.jsonl", *SIDES, *RECIPES],
        played.answer,
        16,
        2 * 2 * AT_ONCE,
        ("dialogues.jsonl",),
    ),
    "preferences": Killed(
        [answered.talk(n) for n in range(20)],
        ["--words", "30", "--balance", "none", *MODELS, *JUDGES],
        answered.answer,
        40,
        2 * 4 * AT_ONCE,
        ("pairs.jsonl", "all-pairs.jsonl"),
    ),
}


def write_lines(path: Path, records: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(one) + "\n" for one in records))


@pytest.mark.slow("starts the command anew after a kill")
@pytest.mark.parametrize("verb", COMMANDS)
def test_after_kill_9_the_same_command_goes_on_and_ends_as_it_would_have(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = COMMANDS[verb]
    monkeypatch.chdir(tmp_path)
    write_lines(Path("pages.jsonl"), PAGES)
    if verb == "dialogues":
        write_lines(Path("items.jsonl"), given.items)
    else:
        assize.write("items.jsonl", given.items)
    with ChatServer(given.answer, latency=0.1) as server:
        command = ["simulate", verb, "items.jsonl", *given.options, "--base-url", server.url]
        command += ["--concurrency", str(AT_ONCE), "--no-cache", "--quiet", "--out"]
        until = time.monotonic() + 60
        process = start_cli(*command, "run")
        while len(server.seen) < given.calls and time.monotonic() < until:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL  # it was not at its end
        server.latency = 0.0
        result = CliRunner().invoke(app, [*command, "run"])
        assert result.exit_code == 0, result.output + repr(result.exception)
        asked = Counter(json.dumps(one.body) for one in server.seen)
        whole = CliRunner().invoke(app, [*command, "whole"])
        assert whole.exit_code == 0, whole.output
    assert sum(count - 1 for count in asked.values()) <= given.again
    for name in given.files:
        assert Path("run", name).read_bytes() == Path("whole", name).read_bytes()
