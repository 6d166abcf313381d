"""From labelled conversations to scores of new ones: learnt, edited by hand, killed, resumed."""

from __future__ import annotations

import json
import re
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import criteria_taught as taught
import pytest
from chat_server import ChatServer, completion
from tests.judging.conftest import start_cli
from typer.testing import CliRunner

import assize
from assize.cli import app
from assize.criteria._reading import load_criteria

AT_ONCE = 2
LATENCY = 0.05  # seconds
BY_HAND = "The assistant asks for the version."
CUES = {one.wordings[0]: one.cue for one in taught.ALL} | {BY_HAND: "which version"}


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """A model that learns criteria, and says how far each holds by the words in the dialogue."""
    fields = taught.schema_of(body)["properties"]
    if "s1" not in fields:
        return taught.answer(body)
    dialogue, _, asked = body["messages"][-1]["content"].rpartition("Statements:")
    said = {}
    for name, text in re.findall(r"^(s\d+): (.*)$", asked, re.MULTILINE):
        word = "Strongly Agree" if CUES[text] in dialogue.lower() else "Disagree"
        said[name] = next(one for one in fields[name]["enum"] if one[2:] == word)
    return completion(body, json.dumps(said))


def killed(server: ChatServer, calls: int, *command: object) -> None:
    """Starts a command, and kills it once it has made so many calls."""
    before, until = len(server.seen), time.monotonic() + 60
    process = start_cli(*command)
    while len(server.seen) < before + calls and time.monotonic() < until:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL  # it was not at its end


def finished(*command: object) -> None:
    result = CliRunner().invoke(app, list(map(str, command)))
    assert result.exit_code == 0, result.output + repr(result.exception)


@pytest.mark.slow("starts the command anew after each kill")
def test_learn_edit_by_hand_and_score_with_kills_in_between_asks_nothing_twice(
    tmp_path: Path,
) -> None:
    old, new, pool = tmp_path / "old.jsonl", tmp_path / "new.jsonl", tmp_path / "pool"
    assize.write(old, taught.taught(16))
    assize.write(new, taught.taught(16, first=24))
    with ChatServer(answer, latency=LATENCY) as server:
        shared: list[object] = ["--base-url", server.url, "--concurrency", AT_ONCE, "--quiet"]
        learn: list[object] = ["criteria", "learn", old, "--label", "thumbs:up=1,down=0"]
        learn += ["-m", "openai:m", "-o", pool, "--mini-batch", 4, *shared]
        killed(server, 12, *learn)
        server.latency = 0.0
        finished(*learn)
        learnt = len(server.seen)

        file = pool / "criteria.yaml"
        text = file.read_text().rstrip("\n")
        file.write_text(f"{text}\n- sat: {BY_HAND}\n")  # one line
        finished(*learn)
        assert len(server.seen) == learnt
        assert BY_HAND in file.read_text()  # what somebody has edited is not written over

        score: list[object] = ["criteria", "score", new, "-c", file, "-m", "openai:m"]
        score += ["-o", tmp_path / "run", *shared]
        server.latency = LATENCY
        killed(server, 15, *score)
        server.latency = 0.0
        finished(*score)
        done = len(server.seen)
        finished(*score)
        assert len(server.seen) == done

        asked = Counter(json.dumps(one.body["messages"]) for one in server.seen)
    # Of a killed command only what was in flight is asked once more.
    assert sum(count - 1 for count in asked.values()) <= 2 * AT_ONCE
    assert sum("s1:" in one for one in asked) == 16 * 2  # a call a polarity

    given = load_criteria(str(file))
    (mine,) = (one for one in given.criteria if one.text == BY_HAND)
    assert mine.author == "person"
    table = assize.read_judgments([tmp_path / "run"])
    assert len({row.key for row in table}) == len(table) == 16 * (1 + len(given.criteria))
    assert all(row.unscored is None for row in table)
    nets = {row.item: row.score or 0.0 for row in table if row.question == "NetSAT"}
    good = [nets[f"c{number}"] for number in range(24, 40, 2)]
    bad = [nets[f"c{number}"] for number in range(25, 40, 2)]
    assert min(good) > max(bad)
