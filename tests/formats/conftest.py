"""Lines of a small chat log, files of rows, and how long hypothesis looks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings

from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records, open_records

TURN = '{"role": "user", "text": "hi"}'


def line(id: str, turn: str = TURN) -> str:
    """A conversation as assize writes it."""
    return f'{{"id": "{id}", "turns": [{turn}]}}'


def lines(path: Path, *rows: object) -> Path:
    """Write rows as JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


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
