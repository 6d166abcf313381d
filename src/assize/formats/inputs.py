"""What functions take from Python: paths, records, dicts, data frames, and lists of them.

All of it goes the way of files: dicts are the rows of a JSON file, frames those of Parquet.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assize.conversation import Item
from assize.errors import DataError
from assize.formats.any_log.asked import NOTHING, Asked, Map, Roles, asked_for
from assize.formats.given import Piece, pieces_of, read_piece
from assize.formats.judgment_table_builder import JudgmentTableBuilder
from assize.formats.kinds import is_table
from assize.formats.memory import ArrowSource, arrow_table
from assize.formats.messages import shown
from assize.formats.own.parquet import ASSIZE_PARQUET, arrow_judgments
from assize.formats.questions import read_questions
from assize.formats.reading import OnReject, add_file, read_asked
from assize.formats.records import Record, question
from assize.formats.table import named
from assize.judgment import Judgment, Question

if TYPE_CHECKING:
    from assize.judgments import JudgmentTable

Source = str | os.PathLike[str]
"""A path, or a URL that fsspec opens."""

Items = Source | Item | Mapping[str, Any] | ArrowSource | Iterable[Any]
"""What `items_from` takes: a path or URL; a conversation, pair or continuation; a dict in any
known format; a data frame, an Arrow table, a `datasets.Dataset`; or any iterable of these, mixed
as they come. A list of messages (dicts with a role) is one conversation."""

Judgments = Source | Judgment | Mapping[str, Any] | ArrowSource | Iterable[Any]
"""What `judgments_from` takes: a `JudgmentTable`; a path, URL or the folder of a run; a judgment;
a dict, a data frame or an Arrow table with `item`, `judge`, `question` and a result, or in any
known format; or any iterable of these, mixed as they come."""

OnJudgment = Callable[[Judgment], object]

Questions = Source | Question | Mapping[str, Any] | Iterable[Question | Mapping[str, Any]]
"""Questions as records or dicts, one or several, or the file that they stand in."""

_ITEMS = (
    "a path or URL, conversations, pairs or continuations, dicts in a known format, a data"
    " frame or an Arrow table, or a list of these"
)
_JUDGMENTS = (
    "a table of judgments, a path, URL or the folder of a run, judgments, dicts or a data frame"
    " with item, judge, question and a result, or a list of these"
)


def items_from(
    given: Items,
    *,
    argument: str = "items",
    format: str | None = None,
    on_reject: OnReject | None = None,
    on_judgment: OnJudgment | None = None,
    map: Map | None = None,
    roles: Roles | None = None,
) -> Iterator[Item]:
    """The conversations, pairs and continuations of what a caller gave, one at a time.

    Files and generators are read as the items are asked for. Of dicts the first 20
    (`assize.formats.rows.SAMPLE_ROWS`) are drawn before the first item comes, for their format
    is recognised from them; records are not looked ahead. Dicts without an id are called after
    the argument and their place from 1: `items-4` is `items[3]`; those of a frame in a list
    `items[3]-1` and so on. A list whose dicts have a role and a `content` or `text` of their own
    is one conversation, unless they name their conversations too (`conversation_id`), of which
    there is then one each. A list in a list is one conversation, as lists of messages.

    Args:
        given: see `Items`. Judgments among them are passed over.
        argument: what errors call it.
        format: of the files, dicts and frames, a name in `FORMATS`; recognised when None.
        on_reject: called with each bad record, which is then passed over; when None the first
            one raises. Its `line` is the place in the list, from 1.
        on_judgment: called with each judgment among the items.
        map: where the fields of an unknown log stand; see `assize.read`. By default the mapping
            that is in force (`with assize.mapping(...)`).
        roles: what its names of roles mean.

    Raises:
        DataError: at once, where `given` can hold no item; else when the place is reached:
            an element that is none, a bad record, or no item at all.
        ConfigError: the format is not known.

    >>> chats = items_from([{"messages": [{"role": "user", "content": "Hi"}]}])
    >>> next(chats).id
    'items-1'
    """
    if format is not None:
        named(format)
    how = _How(format, on_reject, asked_for(map, roles))
    return _items(pieces_of(given, argument, _ITEMS), argument, how, on_judgment)


@dataclass(frozen=True, slots=True)
class _How:
    """How items are read; see `items_from`."""

    format: str | None
    on_reject: OnReject | None
    asked: Asked


def _items(
    pieces: Iterator[Piece],
    argument: str,
    how: _How,
    on_judgment: OnJudgment | None,
) -> Iterator[Item]:
    items = judgments = 0
    for piece in pieces:
        if piece.kind == "judgments":
            problem = f"received a table of judgments; give what was judged: {_ITEMS}"
            raise DataError(problem, source=piece.place)
        for record in _records(piece, how):
            if isinstance(record, Judgment):
                judgments += 1
                if on_judgment is not None:
                    on_judgment(record)
            else:
                items += 1
                yield record
    if judgments and not items:
        raise DataError("only judgments are here; give what was judged", source=argument)
    if not items:
        raise DataError(f"there is no item here that can be read; give {_ITEMS}", source=argument)


def _records(piece: Piece, how: _How) -> Iterator[Record]:
    if piece.kind == "records":
        return (record for _, record in piece.value)
    more: Any = {"format": how.format, "on_reject": how.on_reject, "asked": how.asked}
    if piece.kind == "source":
        return read_asked(piece.value, **more)
    found = read_piece(piece, **more)
    return (record for _, record in found.records)


def judgments_from(
    given: Judgments,
    *,
    argument: str = "judgments",
    format: str | None = None,
    on_reject: OnReject | None = None,
    questions: Questions = (),
) -> JudgmentTable:
    """The judgments of what a caller gave, as one table, with the questions they answer.

    The questions of tables, and those that stand beside files, travel; what none of them
    defines is inferred, and `JudgmentTable.inferred` names it. Items among the records are
    passed over, save that a pair's `gold` is a judgment by the judge `gold`.

    Args:
        given: see `Judgments`. One table is returned as it is.
        argument: what errors call it.
        format: of the files, dicts and frames, a name in `FORMATS`; recognised when None.
        on_reject: as `items_from` has it.
        questions: further questions, as records, dicts, or a file of them; they must have the
            scales of those that came with the judgments.

    Raises:
        DataError: there is no judgment; an element is none, or bad; or two sources give one
            question different scales.
        ConfigError: the format is not known.

    >>> rows = [{"item": "c1", "judge": "ann", "question": "overall", "answer": "4"}]
    >>> judgments_from(rows)
    <1 judgment of 1 item by 1 judge: overall>
    """
    if format is not None:
        named(format)
    builder = JudgmentTableBuilder()
    builder.ask("questions", _questions(questions))
    for piece in pieces_of(given, argument, _JUDGMENTS):
        _add(builder, piece, format, on_reject)
    table: JudgmentTable = given if is_table(given) and questions == () else builder.table()
    if not len(table):
        problem = f"there is no judgment here; give {_JUDGMENTS}; what was judged is no judgment"
        raise DataError(problem, source=argument)
    return table


def _questions(given: Questions) -> Iterator[Question]:
    if isinstance(given, str | os.PathLike):
        yield from read_questions(given)
        return
    if isinstance(given, Question | Mapping):
        given = [given]
    if not isinstance(given, Iterable):
        problem = f"received {shown(given)}; give a list of questions, or a file of them"
        raise DataError(problem, source="questions")
    for index, one in enumerate(given):
        try:
            yield one if isinstance(one, Question) else question(one)
        except DataError as error:
            raise error.at(f"questions[{index}]", None) from None


def _add(
    builder: JudgmentTableBuilder, piece: Piece, format: str | None, on_reject: OnReject | None
) -> None:
    """Adds a piece's judgments; a frame with their columns is taken as columns."""
    if piece.kind == "source":
        add_file(builder, piece.value, format=format, on_reject=on_reject)
    elif piece.kind == "records":
        builder.add(piece.place, (record for _, record in piece.value))
    elif (table := _table_of(piece, format)) is not None:
        builder.add_table(piece.place, table, table.stated_questions)
    else:
        found = read_piece(piece, format=format, on_reject=on_reject, asked=NOTHING)
        records = (record for _, record in found.records)
        builder.add(piece.place, records, offered=found.format.questions)


def _table_of(piece: Piece, format: str | None) -> JudgmentTable | None:
    """A table itself, or a frame with its columns; None for what is read row by row."""
    if is_table(piece.value):
        return piece.value
    if piece.kind != "frame" or format not in (None, ASSIZE_PARQUET.name):
        return None
    columns = arrow_table(piece.value, piece.place)
    return None if columns is None or not len(columns) else arrow_judgments(columns)
