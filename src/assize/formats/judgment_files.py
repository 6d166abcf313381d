"""Judgments of whatever holds them, as one table with the questions they answer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assize.base.errors import ConfigError, DataError, shorten
from assize.base.judgment import Judgment, Question
from assize.formats.any_log.mapping import Map, Roles
from assize.formats.files import Location, is_read_once, open_input, plain_suffix
from assize.formats.given import Piece, pieces_of, read_piece
from assize.formats.items import Items, Source
from assize.formats.memory import ArrowSource, arrow_table, is_frame
from assize.formats.own.parquet import ASSIZE_PARQUET, arrow_judgments, judgment_columns
from assize.formats.questions import questions_beside, read_questions
from assize.formats.read_options import OnError, ReadOptions, read_options
from assize.formats.reading import open_records
from assize.formats.records import is_table, question
from assize.formats.rejects import OnReject, Reject
from assize.formats.sources import files_of, is_dataset
from assize.results.log import log

if TYPE_CHECKING:
    from assize.judgments import JudgmentTable
    from assize.judgments.builder import JudgmentTableBuilder

JudgmentsLike = Items | Source | Judgment | Mapping[str, Any] | ArrowSource | Iterable[Any]
"""What `assize.read_judgments` takes: a `JudgmentTable`; a path, URL or the folder of a run; a
judgment; a dict, a data frame or an Arrow table with `item`, `judge`, `question` and a result, or
in any known format; any iterable of these, mixed as they come; or `Items` of such a source, which
say how it is read."""

QuestionsLike = Source | Question | Mapping[str, Any] | Iterable[Question | Mapping[str, Any]]
"""Questions as records or dicts, one or several, or the file that they stand in."""

_ALLOWED = (
    "a table of judgments, a path, URL or the folder of a run, judgments, dicts or a data frame"
    " with item, judge, question and a result, or a list of these"
)
_LOOKED_AT = 200  # records of a file, to know whether it holds judgments
_RAW = 10_000  # characters of a bad record that are kept


def read_judgments(
    source: JudgmentsLike,
    *,
    format: str | None = None,
    map: Map | None = None,
    roles: Roles | None = None,
    on_error: OnError = "fail",
    max_bytes: int | str | None = None,
    options: Mapping[str, str] | None = None,
    questions: QuestionsLike = (),
) -> JudgmentTable:
    """Read all judgments of a source, with the questions they answer.

    The questions of tables, and those that stand beside files, travel; what none of them
    defines is inferred, and `JudgmentTable.inferred` names it. Items among the records are
    passed over, save that a pair's `gold` is a judgment by the judge `gold`. A folder is read as
    a run: its `judgments.jsonl`. Parquet with the columns of judgments is taken as columns. A
    person's blank cell is left out where another row has the same item, judge and question.

    Args:
        source: see `JudgmentsLike`. One table is returned as it is.
        format: a name in `assize.formats.FORMATS`; recognised from the content when None.
        map: what the columns of a table of ratings are, as `columns=question-rater`.
        roles: what names of roles mean in pairs that hold gold.
        on_error: what a bad record does, and an answer that its question does not have: `fail`
            raises, `skip` leaves it out; `table.source.rejects` has it.
        max_bytes: to how many bytes a packed file may unfold; see `assize.read`.
        options: of the format, by name, such as `rater_column`.
        questions: further questions, as records, dicts, or a file of them; they must have the
            scales of those that came with the judgments. A column of a table of ratings is one
            of these by its id or its words.

    Returns:
        The judgments; `source` of the table is the `Items` that they were read from.

    Raises:
        DataError: an element is no judgment, or bad; or two sources give one question different
            scales.
        ConfigError: an option is not allowed, or `source` was read with options already.

    >>> rows = [{"item": "c1", "judge": "ann", "question": "overall", "answer": "4"}]
    >>> read_judgments(rows)
    <1 judgment of 1 item by 1 judge: overall>
    """
    chosen = read_options(format, map, roles, on_error, max_bytes, options)
    if chosen != ReadOptions() and (is_table(source) or isinstance(source, Items)):
        raise ConfigError("this was read with options already; give the options there")
    return _table_of_all(source, chosen, "judgments", questions)


def judgments_from(
    given: JudgmentsLike,
    options: ReadOptions | None = None,
    *,
    name: str = "judgments",
    questions: QuestionsLike = (),
) -> JudgmentTable:
    """As `read_judgments`, by options that are checked; `name` is what errors call the source.

    Raises:
        DataError: also where there is no judgment.
    """
    table = _table_of_all(given, options or ReadOptions(), name, questions)
    if not len(table):
        raise DataError(
            f"there is no judgment here; give {_ALLOWED}; what was judged is no judgment",
            source=given.name if isinstance(given, Items) else name,
        )
    return table


def _table_of_all(
    given: JudgmentsLike, options: ReadOptions, name: str, questions: QuestionsLike
) -> JudgmentTable:
    if is_table(given) and questions == ():
        return given
    items = given if isinstance(given, Items) else None
    source = given if items is None else items.source
    if items is None:
        items = Items(source, options, name, _ALLOWED)
    on_reject = items.begin_pass()
    from assize.judgments.builder import JudgmentTableBuilder

    builder = JudgmentTableBuilder()
    stated = tuple(_questions(questions))
    builder.ask("questions", stated)
    chosen = replace(items.options.for_judgments, questions=stated)
    for piece in pieces_of(source, items.name, _ALLOWED):
        _add(builder, piece, chosen, on_reject)
    table = _without_repeated_blanks(builder.table())
    if on_reject is not None and len(table):
        table = _without_wrong_answers(table, ", ".join(items.paths) or items.name, on_reject)
    return replace(table, source=items)


def _without_repeated_blanks(table: JudgmentTable) -> JudgmentTable:
    """Leave out blank cells that stand in another row as well; the log counts them."""
    counted = table.without_repeated_blanks()
    if len(counted) < len(table):
        log.info(
            "%s blank cells do not count: another row has the same item, rater and question",
            f"{len(table) - len(counted):,}",
        )
    return counted


def _without_wrong_answers(table: JudgmentTable, source: str, on_reject: OnReject) -> JudgmentTable:
    """Return the judgments that fit their questions; the others are kept as rejects."""
    import numpy as np

    from assize.formats.checks import on_scale
    from assize.formats.records import to_json
    from assize.formats.writing import json_line

    fits = [on_scale(row, table.questions[row.question]) for row in table]
    for number, row in enumerate(table, start=1):
        if not fits[number - 1]:
            problem = f"item {row.item!r}: not an answer of {row.question!r}"
            raw = json_line(to_json(row)).decode(errors="replace").rstrip()[:_RAW]
            on_reject(Reject(source, number, row.question, problem, raw))
    return table.filter(np.array(fits, dtype=bool))


def _questions(given: QuestionsLike) -> Iterator[Question]:
    if isinstance(given, str | os.PathLike):
        yield from read_questions(given)
        return
    if isinstance(given, Question | Mapping):
        given = [given]
    if not isinstance(given, Iterable):
        raise DataError(
            f"received {shorten(given)}; give a list of questions, or a file of them",
            source="questions",
        )
    for index, one in enumerate(given):
        try:
            yield one if isinstance(one, Question) else question(one)
        except DataError as error:
            raise error.at(f"questions[{index}]", None) from None


def _add(
    builder: JudgmentTableBuilder, piece: Piece, options: ReadOptions, on_reject: OnReject | None
) -> None:
    """Add a piece's judgments; a frame with their columns is taken as columns."""
    if piece.kind == "items":
        on_reject = piece.value.begin_pass()
        chosen = replace(piece.value.options.for_judgments, questions=options.questions)
        for inner in pieces_of(piece.value.source, piece.value.name, _ALLOWED):
            _add(builder, inner, chosen, on_reject)
    elif piece.kind == "source":
        _add_file(builder, piece.value, options, on_reject)
    elif piece.kind == "records":
        builder.add(piece.place, (record for _, record in piece.value))
    elif (table := _table_of(piece, options)) is not None:
        builder.add_table(piece.place, table, table.stated_questions)
    else:
        opened = read_piece(piece, options, on_reject)
        records = (record for _, record in opened.records)
        builder.add(piece.place, records, offered=opened.format.questions)


def _table_of(piece: Piece, options: ReadOptions) -> JudgmentTable | None:
    """A table itself, or a frame with its columns; None for what is read row by row."""
    if is_table(piece.value):
        return piece.value
    if piece.kind != "frame" or options.format not in (None, ASSIZE_PARQUET.name):
        return None
    columns = arrow_table(piece.value, piece.place)
    return None if columns is None or not len(columns) else arrow_judgments(columns)


def _add_file(
    builder: JudgmentTableBuilder,
    location: Location,
    options: ReadOptions,
    on_reject: OnReject | None,
) -> None:
    """Add the judgments of a file, of a folder of files, or of a run's folder."""
    path = _in_run(location)
    several = files_of(path)
    if several != [str(path)]:
        for file in several:
            _add_file(builder, file, options, on_reject)
        return
    whole = _columns(path, options)
    if whole is not None:
        builder.add_table(path, whole, questions_beside(path))
        return
    with open_records(path, options, on_reject) as opened:
        records = (record for _, record in opened.records)
        builder.add(path, records, questions_beside(path), opened.format.questions)


def _columns(location: Location, options: ReadOptions) -> JudgmentTable | None:
    """A Parquet file of judgments as it stands; None for any other, and where rows are to be
    looked at one by one because one of them is bad."""
    if options.format not in (None, ASSIZE_PARQUET.name):
        return None
    if is_read_once(location) or is_dataset(str(location)):
        return None
    with open_input(location, options.max_bytes) as stream:
        if stream.peek(4)[:4] != b"PAR1":
            return None
        return judgment_columns(stream, str(location), options.max_bytes)


def _in_run(location: Location) -> Location:
    """A run's judgments; a folder without is one of shards, if it holds any."""
    path = Path(str(location))
    if not path.is_dir():
        return location
    inside = path / "judgments.jsonl"
    shards = (
        one
        for one in path.iterdir()
        if plain_suffix(one) in (".jsonl", ".csv", ".parquet", ".xlsx")
    )
    return location if not inside.exists() and any(shards) else inside


def read_any(given: Any, name: str = "items") -> Items | JudgmentTable:
    """Read judgments as a table, and anything else as `Items`, whichever `given` holds.

    Args:
        given: files, folders, records or tables. Input that can be read only once, such as standard
            input, is held in memory.
        name: how messages call it.
    """
    if is_table(given):
        return given
    items = given if isinstance(given, Items) else Items(given, ReadOptions(), name)
    if items.single_pass:
        items = items.part(list(items.records()))
    return judgments_from(items) if holds_judgments(items) else items


def holds_judgments(given: Any) -> bool:
    """Whether a source holds judgments, by its first records; a folder that is a run does.

    Standard input, pipes and iterators are not looked into: they could not be read again.
    """
    items = given if isinstance(given, Items) else None
    options = ReadOptions() if items is None else items.options
    source = given if items is None else items.source
    several = source if isinstance(source, list | tuple) else [source]
    return any(_holds_judgments(part, options) for part in several[:_LOOKED_AT])


def _holds_judgments(part: Any, options: ReadOptions) -> bool:
    if isinstance(part, Items):
        return holds_judgments(part)
    if isinstance(part, str | os.PathLike):
        if is_read_once(part):
            return False
        path = _in_run(part)
        if str(path) != str(part):
            return True
        for file in files_of(path):
            with open_records(file, options, lambda _: None) as opened:
                if any(
                    isinstance(record, Judgment) for _, record in islice(opened.records, _LOOKED_AT)
                ):
                    return True
        return False
    if is_frame(part):
        return {"item", "judge"} <= set(map(str, getattr(part, "columns", ())))
    return is_judgment(part)


def is_judgment(value: object) -> bool:
    """Whether a record in memory, or a dict, is a judgment, or a table of them."""
    if isinstance(value, Mapping):
        return {"item", "judge"} <= value.keys()
    return isinstance(value, Judgment) or is_table(value)
