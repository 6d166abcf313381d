"""Lines of a small chat log, files of rows, and how long hypothesis looks."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, settings

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Judgment, Question
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records, open_records
from assize.judgments import JudgmentTable

TURN = '{"role": "user", "text": "hi"}'
HI = {"role": "user", "content": "hi"}
CHAT = {"messages": [HI, {"role": "assistant", "content": "hello"}]}
OWN = Conversation("c", (Turn("user", "hi"),))
RATING = {"item": "c", "judge": "ann", "question": "q", "answer": "2"}
SCALE = Question("q", kind="ordinal", answers=("1", "2", "3"), values=(1.0, 2.0, 3.0))
TABLE = JudgmentTable.of([Judgment("c", "ann", "q", answer="2")], [SCALE])
Pack = Callable[[bytes], bytes]
PACK: dict[str, Pack] = {
    "gzip": gzip.compress,
    "zstandard": lambda data: bytes(pa.compress(data, codec="zstd", asbytes=True)),
}


def line(id: str, turn: str = TURN) -> str:
    """A conversation as assize writes it."""
    return f'{{"id": "{id}", "turns": [{turn}]}}'


def write_text(path: Path, text: str) -> Path:
    """Write a text to a file, which is returned."""
    path.write_text(text, encoding="utf-8")
    return path


def lines(path: Path, *rows: object) -> Path:
    """Write rows as JSON lines."""
    return write_text(path, "".join(json.dumps(row) + "\n" for row in rows))


def only_record(path: Path, **options: Any) -> Any:
    """Return the record of a file that holds no other."""
    (record,) = iter_records(path, ReadOptions(**options))
    return record


def records_as(name: str, path: Path, *rows: object) -> list[Any]:
    """Return the records of rows that are recognised as the format `name`; none write no file."""
    if rows:
        lines(path, *rows)
    with open_records(path) as opened:
        assert opened.format.name == name
        return [record for _, record in opened.records]


def turn_texts(item: Any) -> list[str]:
    """Return the texts of a conversation's turns; of a pair the context's, then each side's."""
    turns = item.turns if hasattr(item, "turns") else (*item.context, *item.a, *item.b)
    return [turn.text for turn in turns]


FUZZ = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
