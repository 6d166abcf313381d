"""What a caller gave, told apart piece by piece: files, records, dicts, frames, tables."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal

from assize.base.arguments import shown
from assize.base.conversation import Continuation, Conversation, Pair
from assize.base.errors import DataError, shorten
from assize.base.judgment import Judgment
from assize.formats.memory import arrow_table, frame_rows, is_frame, object_rows
from assize.formats.plain_json import is_model
from assize.formats.read_options import ReadOptions
from assize.formats.reading import Opened, parse_rows
from assize.formats.records import Record, is_items, is_table
from assize.formats.rejects import OnReject, Reject
from assize.formats.rows import Row, Sample, sampled

Kind = Literal["source", "items", "records", "rows", "frame", "judgments"]
_TOGETHER = ("records", "rows")
_LONGEST_PATH = 4096
_NOT_MANY = (bytes, bytearray, io.IOBase, Mapping, type)  # what can be iterated and is no list


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of what was given that is read in one go.

    Args:
        kind: a `source` is a file, `judgments` a `JudgmentTable`, `items` what `read` gives.
        place: where it stands, as in `items[3]`; the argument for all of it.
        value: a file's name, a frame or a table; of `records` and `rows` an iterator of pairs,
            each one's place in the list, from 0, and itself.
        inside: whether it stands in a list.
    """

    kind: Kind
    place: str
    value: Any
    inside: bool


def pieces_of(given: object, argument: str, allowed: str) -> Iterator[Piece]:
    """The pieces in their order; records and rows that follow each other are one.

    Read each before the next is asked for: both draw from the same iterator.

    Args:
        argument: what errors call it.
        allowed: what may be given, in words.

    Raises:
        DataError: at once where it is nothing of the kind, else when the place is reached.
    """
    kind = _kind_of(given)
    if kind is not None:
        return iter([_piece(kind, argument, given, argument)])
    if not isinstance(given, Iterable) or isinstance(given, _NOT_MANY):
        raise DataError(f"received {shown(given)}; give {allowed}", source=argument)
    return _inside(given, argument, allowed)


def _piece(kind: Kind, place: str, value: Any, argument: str) -> Piece:
    if kind == "source":
        _check_source(value, place)
    if kind in _TOGETHER:
        value = iter([(0, value)])
    return Piece(kind, place, value, inside=place != argument)


def _inside(given: Iterable[Any], argument: str, allowed: str) -> Iterator[Piece]:
    empty = True
    for kind, group in groupby(enumerate(given), key=lambda one: _kind_inside(one[1])):
        empty = False
        if kind in _TOGETHER:
            yield Piece(kind, argument, group, inside=True)
            continue
        for index, value in group:
            place = f"{argument}[{index}]"
            if kind is None:
                raise DataError(f"received {shown(value)}; give {allowed}", source=place)
            yield _piece(kind, place, value, argument)
    if empty:
        used = "; what was read before is used up" if isinstance(given, Iterator) else ""
        problem = f"received an empty {type(given).__name__}{used}"
        raise DataError(f"{problem}; give {allowed}", source=argument)


def _kind_of(value: object) -> Kind | None:
    """The kind of one piece; None for anything else, be it a list of pieces or nothing at all."""
    if isinstance(value, str | os.PathLike):
        return "source"
    if isinstance(value, Conversation | Pair | Continuation | Judgment):
        return "records"
    if is_table(value):
        return "judgments"
    if is_items(value):
        return "items"
    if is_frame(value):
        return "frame"
    several = isinstance(value, Mapping) and value and all(map(is_frame, value.values()))
    return "rows" if is_model(value) or (isinstance(value, Mapping) and not several) else None


def _kind_inside(value: object) -> Kind | None:
    """As `_kind_of`, in a list: there a list of dicts is a row, the messages of a conversation."""
    if isinstance(value, list | tuple) and value:
        return "rows" if all(isinstance(one, Mapping) or is_model(one) for one in value) else None
    return _kind_of(value)


def _check_source(value: str | os.PathLike[str], place: str) -> None:
    """Refuses text that was meant as content."""
    text = os.fspath(value)
    if not isinstance(text, str):
        raise DataError(f"received the path {shorten(text)}; give paths as text", source=place)
    if text.strip() and len(text) <= _LONGEST_PATH and not text.lstrip().startswith(("{", "[")):
        return
    problem = f"received the text {shorten(text)}, which is no path; give dicts for content,"
    raise DataError(f"{problem} as json.loads makes them of JSON", source=place)


def read_piece(piece: Piece, options: ReadOptions, on_reject: OnReject | None = None) -> Opened:
    """Rows or a frame as records, by the way of files; errors say the place in the list.

    Raises:
        DataError: the format is not known; the frame has no row.
    """
    with _placed(piece):
        sample, rows = _sampled(piece)
        found = parse_rows(sample, rows, options, _refuse if on_reject is None else on_reject)
    return replace(found, records=_each(found.records, piece))


def _sampled(piece: Piece) -> tuple[Sample, Iterator[Row]]:
    if piece.kind == "rows":
        rows = object_rows(piece.value, piece.place)
        return sampled("json", rows, piece.place, what="this list")
    table = arrow_table(piece.value, piece.place)
    rows = frame_rows(piece.value, table, piece.place)
    return sampled("parquet", rows, piece.place, what=f"this {type(piece.value).__name__}")


def _refuse(reject: Reject) -> None:
    problem = f'{reject.problem}; mend it, or leave bad ones out with on_error="skip"'
    raise DataError(problem, source=reject.source, line=reject.line, field=reject.field)


def _each(records: Iterator[tuple[int, Record]], piece: Piece) -> Iterator[tuple[int, Record]]:
    with _placed(piece):
        yield from records


@contextmanager
def _placed(piece: Piece) -> Iterator[None]:
    """Errors say `items[3]` where those of a file say `FILE:4`."""
    try:
        yield
    except DataError as error:
        if error.source == piece.place and error.line is not None:
            if piece.inside or piece.kind == "frame":
                error.source = f"{piece.place}[{error.line - 1}]"
            error.line = None
        raise
