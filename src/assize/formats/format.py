"""What a file format is: how it is recognised, read and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assize.base.conversation import Role
from assize.base.judgment import Question
from assize.formats.any_log.mapping import Columns
from assize.formats.records import Record
from assize.formats.rows import Container, Row, Sample


@dataclass(frozen=True, slots=True)
class Options:
    """What a caller says of the files beside their format.

    Args:
        values: the format's own options, by name.
        roles: by a log's own name of a role, in lower case, the role.
        columns: what the columns of a table of ratings are; None where they are recognised.
        item: the column of such a table that names what was rated; None likewise.
        questions: that a table of ratings asks, beside those that stand with it.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    columns: Columns | None = None
    item: str | None = None
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """One file format; a file in this folder defines one or a few and lists nothing else.

    Args:
        name: as in `--format NAME`.
        summary: one line for help texts and the docs.
        recognise: whether a file is in this format, from its first rows.
        parse: the records that one row holds; raises DataError for a bad row. The
            second argument holds the options the caller gave.
        gather: turns the file's rows into one row a record, where a record spans
            several; by default every row stands for itself. It takes the options too.
        unparse: the row that one record is written as; None where the format is only
            read. Raises DataError for a record that the format cannot hold.
        container: how rows are stored on writing.
        columns: the header, for tables.
        options: names of the options that `parse` understands, with their meaning.
        questions: the questions that the format's own judgments answer.
    """

    name: str
    summary: str
    recognise: Callable[[Sample], bool]
    parse: Callable[[Row, Options], Iterable[Record]]
    gather: Callable[[Iterator[Row], Options], Iterator[Row]] | None = None
    unparse: Callable[[Record], Iterable[Any]] | None = None
    container: Container = "json"
    columns: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    questions: tuple[Question, ...] = ()
