"""A table with one turn a row: CSV, or JSON lines and Parquet with the same columns.

The columns may go by several names (`_ALIASES`). The rows of one conversation stand
together; where turns are numbered, the numbers give the order. Columns that are not
known stay with their turn, in `extra`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from assize.base.conversation import Conversation, Role, Turn
from assize.base.errors import DataError, shorten
from assize.formats.cells import unguarded
from assize.formats.format import Format, Options
from assize.formats.messages import RoleNames, message_fields, only, record_id, role_name, turn
from assize.formats.records import Record
from assize.formats.rows import Row, Sample, decoded, join_rows

COLUMNS = ("conversation", "turn", "role", "text", "system", "metadata", "extra", "message")
_JSON = ("metadata", "extra", "message")

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
_USUAL: dict[Role, str] = {name: name for name in ("user", "assistant", "system", "tool")}


def recognise(sample: Sample) -> bool:
    """Whether the first row names a conversation, a role and a text; a CSV may be a
    single conversation."""
    try:
        names = _names(tuple(sample.first))
    except DataError:
        return False
    needed = {"role", "text"} if sample.container == "csv" else {"conversation", "role", "text"}
    plain = all(
        not isinstance(sample.first[names[key]], dict | list) for key in needed & set(names)
    )
    return needed <= set(names) and plain


@lru_cache(maxsize=64)
def _names(header: tuple[str, ...]) -> dict[str, str]:
    """The file's name of each known column that it has."""
    found: dict[str, str] = {}
    for meaning, aliases in _ALIASES.items():
        names = [name for name in header if name.strip().lower().replace(" ", "_") in aliases]
        own = [name for name in names if name == meaning]
        if names:
            found[meaning] = own[0] if own else names[0]
    return found


def gather(rows: Iterator[Row], options: Options) -> Iterator[Row]:
    """Make one row of each conversation; one that begins a second time is a problem."""
    begun: dict[str, int] = {}
    together: list[Row] = []
    current = ""
    for row in rows:
        try:
            name = _name_conversation(row)
        except DataError as error:
            yield row.refuse(error.problem)
            continue
        if together and name == current:
            together.append(row)
            continue
        if together:
            yield join_rows(together)
        together = []
        if name in begun:
            yield row.refuse(
                f"conversation {shorten(name)} began at line {begun[name]} and goes on here; the"
                " rows of one conversation must stand together: sort the table by that column"
            )
        else:
            begun[name], current, together = row.line, name, [row]
    if together:
        yield join_rows(together)


def _name_conversation(row: Row) -> str:
    if not isinstance(row.value, dict):
        raise DataError(f"received {shorten(row.value)}; expected one turn a row")
    column = _names(tuple(row.value)).get("conversation")
    if column is None:
        return record_id(Row(None, row.source, 1))
    name = row.value[column]
    if name is None or name == "":
        raise DataError(f"column {column} is empty; it names the conversation of each turn")
    return str(name)


def read(row: Row, options: Options) -> Iterable[Record]:
    """The conversation that a group of rows holds."""
    rows, lines = row.value["rows"], row.value["lines"]
    own = tuple(rows[0]) == COLUMNS
    if own:
        rows = [_own_cells(cells, line) for cells, line in zip(rows, lines, strict=True)]
    turns = [
        _numbered(cells, row.source, line, own, options.roles)
        for cells, line in zip(rows, lines, strict=True)
    ]
    numbers = [number for number, _ in turns if number is not None]
    if numbers and len(numbers) == len(turns):
        _check_numbers(numbers, lines)
        turns.sort(key=lambda one: -1.0 if one[0] is None else one[0])
    elif numbers:
        raise DataError("some turns have a number and some have none; number all or none")
    first = rows[0]
    column = _names(tuple(first)).get("conversation")
    value = record_id(Row(None, row.source, 1), None if column is None else first[column])
    system = (first["system"] or None) if own else None
    yield Conversation(
        value,
        tuple(turn for _, turn in turns),
        system=system,
        metadata=(first["metadata"] or {}) if own else {},
        extra=(first["extra"] or {}) if own else {},
    )


def _own_cells(cells: dict[str, Any], line: int) -> dict[str, Any]:
    values: dict[str, Any] = {name: unguarded(text) for name, text in cells.items()}
    for name in _JSON:
        try:
            if isinstance(values.get(name), str):
                values[name] = decoded(values[name]) if values[name] else None
        except ValueError as error:
            raise DataError(f"not a JSON object ({error})", line=line, field=name) from error
        if not isinstance(values.setdefault(name, None), dict | None):
            raise DataError("not a JSON object", line=line, field=name)
    return values


def _numbered(
    cells: dict[str, Any], source: str, line: int, own: bool, roles: RoleNames
) -> tuple[float | None, Turn]:
    names = _names(tuple(cells))
    for needed in ("role", "text"):
        if needed not in names:
            raise DataError("is missing", source=source, line=line, field=needed)
    text = cells[names["text"]]
    rest = {
        name: value
        for name, value in cells.items()
        if name not in names.values() and value not in (None, "")
    }
    try:
        said = turn(
            cells[names["role"]],
            "" if text is None else str(text),
            (cells["message"] or {}) if own else rest,
            names["role"],
            _USUAL,
            roles,
        )
    except DataError as error:
        raise error.at(source, line) from None
    return _number(cells.get(names.get("turn", "")), source, line, names.get("turn")), said


def _number(value: Any, source: str, line: int, field: str | None) -> float | None:
    if value is None or value == "":
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise DataError(
            f"received {shorten(value)}; the place of a turn is a number",
            source=source,
            line=line,
            field=field,
        )
    return number


def _check_numbers(numbers: list[float], lines: list[int]) -> None:
    seen: dict[float, int] = {}
    for number, line in zip(numbers, lines, strict=True):
        if number in seen:
            raise DataError(
                f"turn {number:g} stands at line {seen[number]} already; number turns once",
                line=line,
            )
        seen[number] = line


def write(record: Record) -> Iterable[Any]:
    """One row a turn; what belongs to the conversation stands on its first row."""
    record = only(record, Conversation, "turns-csv holds conversations: write .jsonl")
    for index, one in enumerate(record.turns):
        fields = message_fields(one)
        row = {
            "conversation": record.id,
            "turn": index,
            "role": role_name(one, _USUAL),
            "text": one.text,
            "message": _cell(fields),
        }
        if index == 0:
            row |= {
                "system": "" if record.system is None else record.system,
                "metadata": _cell(record.metadata),
                "extra": _cell(record.extra),
            }
        yield row


def _cell(value: Mapping[str, Any]) -> str:
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
