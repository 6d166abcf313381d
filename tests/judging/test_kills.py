"""kill -9 of every function that asks: the same command ends as if nothing had happened."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import criteria_taught as taught
import dialogues_played as played
import pairs_answered as answered
import pytest
from chat_server import Body, ChatServer, completion, mock
from command_line import run
from dialogue_parts import PAGES
from tests.judging.conftest import kill_at_random

import assize
from assize.base.conversation import Continuation, Conversation, Pair, Turn

AT_ONCE = 4
CHANGES = {"at", "usage", "attempts", "assize_crc32"}  # of a row, from one run to another
JOURNAL = {"run.json", "money.jsonl", "steps.jsonl"}


@dataclass(frozen=True)
class Verb:
    """A command whose runs are killed.

    Args:
        words: the command, `FILE` for its input.
        items: what is written to the input.
        answer: the server's.
        models: how many are asked.
        calls: for one record; without the cache a kill loses all of a record that is not whole.
        texts: further files, by name.
    """

    words: str
    items: list[Any]
    answer: Callable[[Body], Body] = mock
    models: int = 1
    calls: int = 1
    texts: dict[str, str] = field(default_factory=dict)


def talk(number: int) -> Conversation:
    turns = (Turn("user", f"Why {number}?"), Turn("assistant", f"So {number}.")) * 2
    return Conversation(f"c{number}", turns)


def pair(number: int) -> Pair:
    sides = (Turn("assistant", f"Yes {number}."),), (Turn("assistant", f"No {number}."),)
    return Pair(f"p{number}", (Turn("user", "So?"),), *sides, gold="A")


def candidates(body: Body) -> Body:
    if "response_format" not in body:
        return answered.answer(body)
    text = body["messages"][-1]["content"][-300:-200]
    return completion(body, json.dumps({"message": f"put otherwise: {text}"}))


CRITERIA = """\
name: two
criteria:
  - {id: s1, sat: It helps.}
  - {id: d1, dsat: It repeats itself.}
"""
CONTINUATIONS = [
    Continuation(f"x{n}", (Turn("user", f"Why {n}?"),), f"So {n}.", (f"Thus {n}.",))
    for n in range(40)
]
TALKS = [talk(number) for number in range(40)]
TOPICS = "".join(f'{{"id": "t{n}", "text": "rotate thing{n}"}}\n' for n in range(6))
MODEL = "-m openai:m"
VERBS = {
    "judge": Verb("judge FILE -j io@openai:m", [pair(n) for n in range(30)]),
    "jury": Verb(
        "jury decide FILE --cascade io>explained --model openai:m", [pair(n) for n in range(20)]
    ),
    "rubric": Verb(f"rubric ask FILE {MODEL}", TALKS[:12], calls=9),
    "score": Verb(f"criteria score FILE -c two.yaml {MODEL}", TALKS, texts={"two.yaml": CRITERIA}),
    "learn": Verb(
        f"criteria learn FILE --label thumbs:up=1,down=0 {MODEL} --mini-batch 4",
        taught.taught(24),
        taught.answer,
    ),
    "reference": Verb(
        "reference score FILE -j equivalent@openai:m --preset tools --max-unscored 100",
        CONTINUATIONS,
    ),
    "multiplicity": Verb(
        f"reference multiplicity FILE {MODEL} --questions q.txt --n 12 --max-unscored 100",
        TALKS,
        texts={"q.txt": "Why?\nWhat is best?\n"},
    ),
    "candidates": Verb(
        "simulate candidates FILE --model openai:a --rephrase openai:b --no-random",
        [answered.talk(n) for n in range(15)],
        candidates,
        2,
    ),
    "dialogues": Verb(
        "simulate dialogues FILE --model openai:a --user openai:b --documents pages --recipe DS4",
        [],
        played.answer,
        2,
    ),
    "preferences": Verb(
        "simulate preferences FILE --model openai:small --model openai:large --words 30"
        " --judge dimensions@openai:judge-1 --balance none",
        [answered.talk(n) for n in range(15)],
        answered.answer,
        3,
    ),
}


@pytest.mark.parametrize("name", list(VERBS))
@pytest.mark.parametrize(
    ("kills", "seed"),
    [
        pytest.param(2, 0, marks=pytest.mark.slow("starts the command anew after each kill")),
        *(
            pytest.param(
                10, seed, marks=pytest.mark.nightly("starts the command anew after each kill")
            )
            for seed in range(10)
        ),
    ],
)
def test_a_killed_run_ends_as_it_would_have(
    name: str,
    kills: int,
    seed: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    verb, draw = VERBS[name], random.Random(f"{name} {seed}")
    monkeypatch.chdir(tmp_path)
    prepare(verb, tmp_path)
    with ChatServer(verb.answer, latency=0.05) as server:
        words = [word.replace("FILE", "input.jsonl") for word in verb.words.split(" ")]
        command = [*(word.replace(">", " > ") for word in words), "--base-url", server.url]
        command += ["--concurrency", str(AT_ONCE), "--quiet", "--no-cache"]
        killed = sum(
            kill_at_random(server, draw, 0.25, *command, "--out", "run") for _ in range(kills)
        )
        server.latency = 0.0
        run(*command, "--out", "run")
        asked = len(server.seen)
        run(*command, "--out", "whole")
        needed = len(server.seen) - asked
    print(f"{name}: {killed} of {kills} kills met a process")
    assert needed <= asked <= needed + killed * 2 * verb.models * verb.calls * AT_ONCE
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def prepare(verb: Verb, folder: Path) -> None:
    """Write what the command reads."""
    if verb.items:
        assize.write(folder / "input.jsonl", verb.items)
    else:
        (folder / "input.jsonl").write_text(TOPICS)
    for name, text in verb.texts.items():
        (folder / name).write_text(text)
    (folder / "pages").mkdir()
    pages = "".join(json.dumps(page) + "\n" for page in PAGES)
    (folder / "pages" / "pages.jsonl").write_text(pages)


def contents(folder: Path) -> dict[str, Any]:
    """The files but the journal of calls; rows in any order, without times and costs."""
    files: dict[str, Any] = {}
    for path in sorted(folder.iterdir()):
        if path.name in JOURNAL or path.is_dir():
            continue
        if path.name != "judgments.jsonl":
            files[path.name] = path.read_bytes()
            continue
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        kept = [{key: row[key] for key in row if key not in CHANGES} for row in rows]
        files[path.name] = sorted(json.dumps(row, sort_keys=True) for row in kept)
    return files
