"""`assize criteria` as users call it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import criteria_taught as taught
import pytest
from chat_server import ChatServer
from command_line import read_json, run

from assize.criteria._reading import load_criteria
from assize.formats import write

DOMAIN = """\
task: debug an exception
assistant: asks what it needs to know and proposes a fix
user: shows code and error, tries what is proposed
outcome: the exception no longer occurs
"""
LABEL = ["--label", "thumbs:up=1,down=0"]


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    path = tmp_path / "chats.jsonl"
    write(path, taught.taught(12))
    (tmp_path / "domain.yaml").write_text(DOMAIN)
    return path


def test_a_pool_is_learnt_into_a_folder_and_its_page_quotes_turns(
    chats: Path, tmp_path: Path
) -> None:
    pytest.importorskip("vl_convert")
    out, page = tmp_path / "pool", tmp_path / "pool.html"
    command: list[object] = ["criteria", "learn", chats, *LABEL, "-m", "openai:m", "-o", out]
    command += ["--domain", tmp_path / "domain.yaml", "--mini-batch", 4, "--report", page]
    with ChatServer(taught.answer) as server:
        command += ["--base-url", server.url]
        result = run(*command)
        assert "The assistant names the failing line." in result.stdout
        assert f"6 criteria and where they come from: {out / 'criteria.yaml'}" in result.stderr
        value = read_json(*command)
    assert re.search(r">\d+, (user|assistant): ", page.read_text())
    assert value["counts"]["sat"]["pool"] == 3
    assert len(value["criteria"]) == 6
    pool = load_criteria(str(out / "criteria.yaml"))
    assert pool.domain is not None
    assert pool.domain.outcome == "the exception no longer occurs"
    assert {path.name for path in out.iterdir()} == {
        "criteria.yaml",
        "patterns.jsonl",
        "run.json",
        "steps.jsonl",
    }
    said = json.loads((out / "run.json").read_text())
    assert said["prompts"].keys() == {
        "criteria-extract",
        "criteria-summarise",
        "criteria-deduplicate",
    }


def test_a_dry_run_prices_all_but_deduplication(chats: Path) -> None:
    given = ["criteria", "learn", chats, *LABEL, "-m", "openai:gpt-4o", "--dry-run"]
    shown = run(*given).stdout
    assert "US dollars" in shown
    assert "Assumed: 3 patterns a conversation" in " ".join(shown.split())
    value = read_json(*given)
    assert value["by_model"]["openai:gpt-4o"]["calls"] == 12 + 4  # conversations, and batches


def test_a_prompt_is_shown(chats: Path, tmp_path: Path) -> None:
    given = ["criteria", "learn", chats, *LABEL, "-m", "openai:m", "--show-prompt"]
    assert "Both sides are responsible" in run(*given).stdout
    assert "Both sides are responsible" not in run(*given, "--no-design-principles").stdout


def start(command: list[str], log: Path) -> subprocess.Popen[bytes]:
    script = "from assize.cli import main; main()"
    with log.open("wb") as stream:
        return subprocess.Popen(
            [sys.executable, "-c", script, *command],
            stderr=stream,
            stdout=stream,
            env=dict(os.environ),
        )


@pytest.mark.slow("starts the command anew after each kill")
def test_a_killed_run_goes_on_and_asks_nothing_twice(chats: Path, tmp_path: Path) -> None:
    write(chats, taught.taught(40))
    out, at_once, kills = tmp_path / "pool", 2, 2
    with ChatServer(taught.answer, latency=0.03) as server:
        command = [
            *("criteria", "learn", str(chats), *LABEL, "-m", "openai:m", "-o", str(out)),
            *("--mini-batch", "4", "--concurrency", str(at_once)),
            *("--base-url", server.url, "--max-unscored", "0"),
        ]
        for _ in range(kills):
            before = len(server.seen)
            process = start(command, tmp_path / "log")
            until = time.monotonic() + 60
            while len(server.seen) < before + 17 and time.monotonic() < until:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.wait()
        process = start(command, tmp_path / "log")
        assert process.wait(120) == 0, (tmp_path / "log").read_text()
        asked = Counter(json.dumps(one.body["messages"]) for one in server.seen)
    # Only what was in flight at a kill is asked once more.
    twice = sum(count - 1 for count in asked.values())
    assert twice <= kills * at_once
    steps = [json.loads(line) for line in (out / "steps.jsonl").read_text().splitlines()]
    keys = [(one["stage"], one["of"], one["given"]) for one in steps]
    assert len(set(keys)) == len(keys)
    assert len(asked) == sum(one["stage"] != "written" for one in steps)
    pool = load_criteria(str(out / "criteria.yaml"))
    assert {one.text for one in pool.criteria} == {one.wordings[0] for one in taught.ALL}
