"""Small projects for the browser: conversations with sources, pairs, tasks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TALKS = Path(__file__).with_name("talks.jsonl")
RUBRIC = """rubric: small
title: Two questions
main: overall
sections:
  - title: The answer
    questions:
      - id: clear
        text: How easy is it to follow what the assistant says?
        answers: {1: hard, 2: with effort, 3: easy}
      - id: kind
        text: Is the tone right for this user?
        answers: {1: "no", 2: "yes"}
        skip: {"2": overall}
      - id: why
        text: What is wrong with the tone?
        answers: {1: too short, 2: too familiar}
  - title: All in all
    questions:
      - id: overall
        text: How content would you be as the user?
        answers: {1: not at all, 2: a little, 3: quite, 4: fully}
"""


def write_talks(folder: Path) -> None:
    """Conversations of `secret-bot-7`, the first with sources, and a rubric to rate them on."""
    shutil.copy(TALKS, folder / "talks.jsonl")
    (folder / "small.yaml").write_text(RUBRIC, encoding="utf-8")


def write_pairs(folder: Path) -> None:
    """Pairs whose better response is really A."""
    rows = []
    for line in TALKS.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        user, reply = (turn["text"] for turn in one["turns"][:2])
        rows.append(
            {
                "id": f"secret-{one['id']}",
                "context": [{"role": "user", "text": user}],
                "a": [{"role": "assistant", "text": f"Good reply. {reply}"}],
                "b": [{"role": "assistant", "text": "Poor reply. Look it up yourself."}],
                "metadata": {"systems": ["secret-bot-7", "secret-bot-8"]},
            }
        )
    write_rows(folder / "pairs.jsonl", rows)


def write_rows(path: Path, rows: Sequence[Any]) -> None:
    """A file with one record a line."""
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")


def write_task(folder: Path, name: str, text: str) -> None:
    """A task file."""
    (folder / "tasks").mkdir(exist_ok=True)
    (folder / "tasks" / f"{name}.yaml").write_text(f"task: {name}\n{text}", encoding="utf-8")
