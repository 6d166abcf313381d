"""Sheets for people to rate in, out and back: `assize reference sheet` and `labels`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np

from assize.base.arguments import check_range
from assize.base.conversation import Continuation
from assize.base.errors import DataError
from assize.base.signature import sign
from assize.formats import ItemsLike, write, write_questions
from assize.formats.arguments import items_in
from assize.judgments import JudgmentTable
from assize.reference._rating_sheets.form import FORMS
from assize.reference._rating_sheets.labels import labels_of
from assize.reference._rating_sheets.workbook import (
    KEY,
    SHEET,
    Key,
    read_key,
    reference_of,
    write_form,
)
from assize.results import Hidden, Result, ResultTable, Table


@dataclass(frozen=True, slots=True)
class SheetWritten(Result):
    """A sheet that people can fill in, and its key.

    Args:
        out: the folder.
        key: the rows, and how they were chosen.
        sources: rows by who wrote the candidate.
        about: how the rows were chosen.
    """

    out: str
    form: str
    key: Key = field(repr=False)
    rows: Hidden[int]
    sources: Annotated[
        Mapping[str, int],
        Table("Rows by source", "The sheet hides who wrote a row.", key="source"),
    ]
    about: Mapping[str, object]
    notes: Sequence[str] = ()
    signature: str = ""


def describe_sheet(out: str | Path, key: Key, notes: Sequence[str] = ()) -> SheetWritten:
    """Return the result of writing a sheet.

    Args:
        notes: what a reader should know of the choice of rows.
    """
    counts = Counter(entry.source or "not said" for entry in key.entries)
    sheet, hidden = Path(out) / SHEET, Path(out) / KEY
    send = f"send {sheet} to each rater, and keep {hidden}, which says whose each row is"
    cut = key.about.get("cut")
    long = [f"{cut} texts are longer than a cell can be, and were cut"] if cut else []
    signature = sign(key.form, [entry.item for entry in key.entries])
    return SheetWritten(
        str(out),
        key.form,
        key,
        len(key.entries),
        dict(sorted(counts.items())),
        key.about,
        [send, *notes, *long],
        signature,
    )


@dataclass(frozen=True)
class LabelsRead(Result):
    """What raters filled in.

    Args:
        judgments: a row a rater, continuation and column; an empty cell is unscored as `missing`.
        out: the file that holds them; None where none was asked for.
    """

    judgments: JudgmentTable = field(repr=False)
    out: str | None = None

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """How many cells each rater was asked to fill in, and how many are empty."""
        return self.judgments.tables

    @property
    def notes(self) -> Sequence[str]:
        """Where they were written."""
        return [] if self.out is None else [f"{len(self.judgments)} judgments: {self.out}"]

    @property
    def missing(self) -> tuple[int, int]:
        """Empty cells, and all."""
        return self.judgments.unscored, max(1, len(self.judgments))


def continuations_in(items: ItemsLike) -> list[Continuation]:
    """The continuations that are given.

    Raises:
        DataError: something else is among them, or an id is there twice.
    """
    found: dict[str, Continuation] = {}
    for item in items_in(items):
        if not isinstance(item, Continuation):
            kind = type(item).__name__.lower()
            raise DataError(f"{item.id}: a sheet shows continuations, and this is a {kind}")
        if found.setdefault(item.id, item) != item:
            raise DataError(f"{item.id}: two continuations have this id; give each its own")
    return list(found.values())


def sheet(
    items: ItemsLike,
    out: str | Path,
    *,
    n: int | None = None,
    seed: int = 0,
) -> SheetWritten:
    """Write continuations as a spreadsheet in which people rate them.

    People rate content, style and reasonableness, as UPHELD's raters did. The workbook has
    instructions, annotated examples, and a table with chat_history, Option A (the reference),
    Option B (the candidate) and three columns of dropdowns. Rows are shuffled and hide their
    source, which key.json records. `assize reference labels` reads filled-in sheets back.

    Args:
        items: files to read: paths, URLs, or - for standard input. In Python also records, dicts,
            tables.
        out: folder to write sheet.xlsx and key.json to; it must hold neither.
        n: number of continuations to draw at random. Default: all.
        seed: random seed.

    Source: UPHELD, appendix C.1 and C.2; the wording is ours. Differs: a first column `row`,
    by which answers find their way back; the paper's table is read by its texts.

    Raises:
        DataError: nothing is there to be rated.
        OutputError: the folder holds a sheet already.
    """
    check_range("n", n, 1)
    given = continuations_in(items)
    shown = [one for one in given if reference_of(one) and one.candidate.strip()]
    if not shown:
        raise DataError("no continuation has both a candidate and a reference to compare it with")
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(shown))[: len(shown) if n is None else n]
    about = {"seed": seed, "given": len(given), "left_out": len(given) - len(shown)}
    key = write_form(Path(out), FORMS["ratings"], [shown[at] for at in order], about)
    left = len(given) - len(shown)
    lost = f"{left} continuations were left out: no reference, or no candidate"
    return describe_sheet(out, key, [lost] if left else [])


def labels(
    folder: str | Path, sheets: str | Path | Sequence[str | Path], *, out: str | Path | None = None
) -> LabelsRead:
    """Read filled-in sheets back, as judgments by the people who filled them in.

    Args:
        folder: folder that `assize reference sheet` wrote, with its key.json.
        sheets: filled-in workbooks, or their tables as CSV, one per rater: anna.xlsx, or anna=FILE
            (repeatable).
        out: file to write the judgments to (.jsonl, .csv or .parquet).

    Raises:
        ConfigError: no sheet is given, or two by one name.
        DataError: a sheet is not the one of this folder, or holds an answer that it does not
            offer.
    """
    table = labels_of(read_key(folder), sheets)
    if out is not None:
        write(out, table)
        write_questions(out, table.questions.values())
    return LabelsRead(table, None if out is None else str(out))
