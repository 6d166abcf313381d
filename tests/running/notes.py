"""A small kind of record: notes, one line each."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.base.loops import in_loop

from assize.running import Codec, Journal, key_of

Note = dict[str, Any]

NOTES: Codec[Note] = Codec(
    "notes.jsonl",
    encode=lambda note: json.dumps(note).encode() + b"\n",
    key=lambda line: key_of(line["id"]),
    again=lambda lines: any(line.get("failed") for line in lines),
)


def open_notes(path: Path, **command: Any) -> Journal[Note]:
    return Journal(path, NOTES, command=command, about={"by": "a test"})


@in_loop
async def keep(path: Path, notes: Iterable[Note], **command: Any) -> list[int]:
    """Appends notes one by one; their numbers in the order in which they were told."""
    told: list[int] = []
    with open_notes(path, **command) as journal:
        for number, note in enumerate(notes):
            await journal.append([note], lambda number=number: told.append(number))  # type: ignore[misc]
        await journal.flush()
    return told


def ids(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in (path / "notes.jsonl").read_text().splitlines()]
