"""Sheets for people to rate in, out and back: `assize reference sheet` and `labels`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assize.conversation import Continuation
from assize.errors import ConfigError, DataError
from assize.formats import ItemsLike, write, write_questions
from assize.judgments import JudgmentTable
from assize.reference.sheets.form import FORMS
from assize.reference.sheets.labels import labels_of
from assize.reference.sheets.workbook import KEY, SHEET, Key, read_key, reference_of, write_form
from assize.results import Result, ResultTable, columns
from assize.signature import sign
from assize.workflows.allowed import check_range
from assize.workflows.reading import items_in


@dataclass(frozen=True, slots=True)
class SheetWritten(Result):
    """A sheet that people can fill in, and its key.

    Args:
        out: the folder.
        key: the rows, and how they were chosen.
        told: what a reader should know.
    """

    out: str
    key: Key
    told: tuple[str, ...] = ()

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`sheet`: rows a source."""
        counted: dict[str, int] = {}
        for one in self.key.entries:
            counted[one.source or "not said"] = counted.get(one.source or "not said", 0) + 1
        named = columns("words", "source") + columns("count", "rows")
        return {
            "sheet": ResultTable(
                "Rows by source, which the sheet hides", named, sorted(counted.items())
            )
        }

    @property
    def notes(self) -> Sequence[str]:
        """Where everything is."""
        place = Path(self.out)
        said = [
            f"send {place / SHEET} to each rater, and keep {place / KEY}, which says whose each"
            " row is",
            *self.told,
        ]
        if self.key.about.get("cut"):
            said.append(
                f"{self.key.about['cut']} texts are longer than a cell can be, and were cut"
            )
        return said

    def to_json(self) -> dict[str, Any]:
        """Where the sheet stands, and how its rows were chosen."""
        return {
            "out": self.out,
            "form": self.key.form,
            "rows": len(self.key.entries),
            "about": dict(self.key.about),
            "signature": sign(self.key.form, [one.item for one in self.key.entries]),
        }


@dataclass(frozen=True)
class LabelsRead(Result):
    """What raters filled in."""

    judgments: JudgmentTable
    out: str | None = None

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`judgments`: each rater's answers."""
        return self.judgments.tables

    @property
    def notes(self) -> Sequence[str]:
        """Where they were written."""
        return [] if self.out is None else [f"{len(self.judgments)} judgments: {self.out}"]

    @property
    def missing(self) -> tuple[int, int]:
        """Empty cells, and all."""
        return self.judgments.unscored, max(1, len(self.judgments))

    def to_json(self) -> dict[str, Any]:
        """As of the table of judgments."""
        return {**self.judgments.to_json(), "out": self.out}


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


def write_rating_sheet(
    items: ItemsLike,
    out: str | Path,
    *,
    n: int | None = None,
    seed: int = 0,
) -> SheetWritten:
    """Writes continuations as a spreadsheet in which people rate them.

    Rated are content, style and reasonableness, as UPHELD's raters did. Three
    sheets: instructions, annotated examples, and a table with chat_history, Option A
    (the reference), Option B (the candidate) and three columns of dropdowns. Rows are
    shuffled and nothing tells whose they are; that stands in key.json beside it.
    `assize reference labels` reads filled-in sheets back.

    Args:
        items: paths, URLs, or - for standard input. In Python also records, dicts, tables.
        out: the folder that gets sheet.xlsx and key.json; it must hold neither.
        n: how many continuations, drawn at random, all if unset.
        seed: seed of the draw and of the order.

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
    told = (f"{left} continuations were left out: no reference, or no candidate",) if left else ()
    return SheetWritten(str(out), key, told)


def read_labels(
    folder: str | Path, sheets: str | Path | Sequence[str | Path], *, out: str | Path | None = None
) -> JudgmentTable:
    """Reads filled-in sheets back as judgments by the people who filled them in.

    Args:
        folder: where the sheet was written, with its key.json.
        sheets: filled-in workbooks, or their table as CSV, one a rater: anna.xlsx, or
            anna=FILE (repeatable).
        out: a file of judgments to be written (.jsonl, .csv, .parquet).

    Returns:
        A row a rater, continuation and column; an empty cell is unscored as `missing`.

    Raises:
        DataError: a sheet is not the one of this folder, or holds an answer that it does not
            offer.
    """
    return run_labels(folder, sheets, out=out).judgments


def run_labels(
    folder: str | Path, sheets: str | Path | Sequence[str | Path], *, out: str | Path | None = None
) -> LabelsRead:
    """`read_labels`, told how much each rater has filled in."""
    table = labels_of(read_key(folder), given_sheets(sheets))
    if out is not None:
        write(out, table)
        write_questions(out, table.questions.values())
    return LabelsRead(table, None if out is None else str(out))


def given_sheets(sheets: str | Path | Sequence[str | Path]) -> list[str | Path]:
    """The files; raises ConfigError where there is none."""
    files = [sheets] if isinstance(sheets, str | Path) else list(sheets)
    if not files:
        raise ConfigError("name at least one filled-in sheet")
    return files
