"""A table with one turn a row: CSV, or JSON lines and Parquet with the same columns.

The columns may go by several names (`_ALIASES`). It is read as a log is of which a mapping says
that every row is a message: see `assize.formats.any_log`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from assize.base.cells import unguarded
from assize.base.conversation import Conversation, Role
from assize.base.errors import DataError, shorten
from assize.formats.any_log.mapped import read_rows
from assize.formats.any_log.mapping import FieldMapping
from assize.formats.any_log.messages import group_rows
from assize.formats.format import Format, Options
from assize.formats.messages import message_fields, object_at, only, record_id, role_name, turn
from assize.formats.records import Record
from assize.formats.rows import Row, Sample, decoded

COLUMNS = ("conversation", "turn", "role", "text", "system", "metadata", "extra", "message")

_ALIASES: Mapping[str, tuple[str, ...]] = {
    "conversation": (
        "conversation",
        "conversation_id",
        "dialog_id",
        "dialogue_id",
        "dialogue",
        "chat_id",
        "session_id",
        "thread_id",
    ),
    "turn": (
        "turn",
        "turn_id",
        "turn_index",
        "turn_number",
        "message_index",
        "position",
        "index",
        "order",
        "seq",
    ),
    "role": ("role", "speaker", "sender", "author", "from"),
    "text": ("text", "content", "message", "utterance", "value", "body"),
}
_MAPPING = FieldMapping({"id": "conversation", "turn": "turn", "role": "role", "text": "text"})
_USUAL: dict[Role, str] = {name: name for name in ("user", "assistant", "system", "tool")}


def recognise(sample: Sample) -> bool:
    """Whether the first row names a conversation, a role and a text; a CSV may be a
    single conversation."""
    columns = _find_columns(tuple(sample.first))
    needed = {"role", "text"} if sample.container == "csv" else {"conversation", "role", "text"}
    return needed <= columns.keys() and all(
        not isinstance(sample.first[columns[name]], dict | list) for name in needed
    )


def is_one_chat(sample: Sample) -> bool:
    """Whether the rows are turns that name no conversation, and so all of one."""
    table = replace(sample, container="csv")
    return recognise(table) and not recognise(replace(sample, container="json"))


@lru_cache(maxsize=64)
def _find_columns(header: tuple[str, ...]) -> dict[str, str]:
    """The file's name of each known column that it has."""
    columns: dict[str, str] = {}
    for meaning, aliases in _ALIASES.items():
        names = [name for name in header if name.strip().lower().replace(" ", "_") in aliases]
        if names:
            columns[meaning] = meaning if meaning in names else names[0]
    return columns


def gather(rows: Iterator[Row], options: Options) -> Iterator[Row]:
    """Make one row of each conversation, whose columns have their usual names."""
    return group_rows(map(_rename_columns, rows), _MAPPING)


def _rename_columns(row: Row) -> Row:
    if not isinstance(row.value, dict):
        return row.refuse(f"received {shorten(row.value)}; expected one turn a row")
    columns = {name: meaning for meaning, name in _find_columns(tuple(row.value)).items()}
    value = {columns.get(name, name): cell for name, cell in row.value.items()}
    if "conversation" not in value:
        value["conversation"] = record_id(Row(None, row.source, 1))
    return Row(value, row.source, row.line)


def read(row: Row, options: Options) -> Iterable[Record]:
    """The conversation that a group of rows holds."""
    if tuple(row.value["rows"][0]) == COLUMNS:
        yield _read_own(row, options)
    else:
        yield read_rows(row, FieldMapping(_MAPPING.fields, roles=options.roles))


def _read_own(row: Row, options: Options) -> Conversation:
    """A conversation as `write` has it."""
    rows = []
    for line, value in zip(row.value["lines"], row.value["rows"], strict=True):
        try:
            cells = {name: _read_cell(name, cell) for name, cell in value.items()}
            said = turn(
                cells["role"], cells["text"], cells["message"], "role", _USUAL, options.roles
            )
        except DataError as error:
            raise error.at(row.source, line) from None
        rows.append((cells, said))
    first = rows[0][0]
    turns = tuple(said for _, said in rows)
    system = first["system"] or None
    return Conversation(first["conversation"], turns, system, first["metadata"], first["extra"])


def _read_cell(name: str, cell: Any) -> Any:
    value = unguarded(cell)
    if name not in ("metadata", "extra", "message"):
        return "" if value is None else str(value)
    try:
        return object_at(
            (decoded(value) if isinstance(value, str) and value else value) or {}, name
        )
    except ValueError as error:
        raise DataError(f"not a JSON object ({error})", field=name) from error


def write(record: Record) -> Iterable[Any]:
    """One row a turn; what belongs to the conversation stands on its first row."""
    record = only(record, Conversation, "turns-csv holds conversations: write .jsonl")
    for index, said in enumerate(record.turns):
        row = {
            "conversation": record.id,
            "turn": index,
            "role": role_name(said, _USUAL),
            "text": said.text,
            "message": _json_cell(message_fields(said)),
        }
        if index == 0:
            row |= {
                "system": "" if record.system is None else record.system,
                "metadata": _json_cell(record.metadata),
                "extra": _json_cell(record.extra),
            }
        yield row


def _json_cell(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), ensure_ascii=False) if value else ""


TURNS_CSV = Format(
    name="turns-csv",
    summary="a table with one turn a row; also as JSON lines or Parquet",
    recognise=recognise,
    parse=read,
    gather=gather,
    unparse=write,
    container="csv",
    columns=COLUMNS,
)
