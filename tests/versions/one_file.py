"""One file of judgments of two versions, and the items of each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Judgment, Question
from assize.formats import write

OVERALL = Question("overall", kind="number", range=(0, 1), higher="better")
SCORES: Mapping[str, float] = {"A": 0.9, "B": 0.1}


def make_chat(version: str, number: int, *, prefix: str = "") -> Conversation:
    """Make a conversation; with a prefix its id is that version's alone."""
    turns = (Turn("user", f"Question {number}?"), Turn("assistant", f"{version} answers {number}."))
    date = f"2026-01-{1 + number:02d}"
    return Conversation(f"{prefix}{number}", turns, version, {"started": date})


def write_versions(folder: Path, count: int = 20) -> None:
    """Write `A.jsonl`, `B.jsonl`, the judgments of both, and a log that holds all of it."""
    rows, chats = [], []
    for version, score in SCORES.items():
        own = [make_chat(version, number, prefix=version) for number in range(count)]
        write(folder / f"{version}.jsonl", own)
        rows += [Judgment(chat.id, "j", "overall", score=score, kind="evaluator") for chat in own]
        chats += own
    write(folder / "scores.jsonl", rows, questions=[OVERALL])
    write(folder / "all.jsonl", chats)
    write(folder / "log.jsonl", [*rows, *chats], questions=[OVERALL])
