"""A form as a workbook of three sheets, and the key to its rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assize.base.conversation import Continuation, Turn
from assize.base.errors import DataError, OutputError
from assize.base.record_parts import read_as
from assize.formats.writing import encoded
from assize.formats.xlsx import Sheet, SheetColumn, write_workbook
from assize.formats.xlsx.reading import SHEET as RATINGS_SHEET
from assize.formats.yaml_nodes import text_in
from assize.reference._continuations.context import conversation_names, turn_of
from assize.reference._rating_sheets.form import HISTORY, ROW, A, B, Form, FormName
from assize.running.durable import replace

SHEET, KEY = "sheet.xlsx", "key.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of a sheet: whose candidate it shows, and where."""

    row: str
    item: str
    source: str | None
    conversation: str
    turn: int


@dataclass(frozen=True, slots=True)
class Key:
    """What raters are not told.

    Args:
        form: the name of the sheet's form.
        entries: its rows, in their order.
        about: how the rows were chosen, for the result.
    """

    form: FormName
    entries: tuple[Entry, ...]
    about: Mapping[str, Any]


def history(turns: Sequence[Turn]) -> str:
    """A conversation so far as a cell shows it, and as UPHELD's table holds it.

    >>> history([Turn("user", "Hi"), Turn("assistant", "Hello")])
    'user: Hi\\nassistant: Hello'
    """
    return "\n".join(f"{turn.role}: {turn.text}" for turn in turns)


def sheets(form: Form, items: Sequence[Continuation], rows: Sequence[str]) -> list[Sheet]:
    """The three sheets: `instructions`, `examples`, `ratings`.

    Args:
        items: in the order of the rows; Option A is the first reference, B the candidate.
        rows: names of the rows.
    """
    texts = (SheetColumn(HISTORY, 60), SheetColumn(A, 44), SheetColumn(B, 44))
    shown = [(history(one.context), reference_of(one), one.candidate) for one in items]
    examples = [(history(one.context), one.a, one.b, *one.filled, one.why) for one in form.examples]
    filled = tuple(SheetColumn(one.column, one.width) for one in form.asked)
    open_ = tuple(SheetColumn(one.column, one.width, one.answers, open=True) for one in form.asked)
    empty = ("",) * len(form.asked)
    return [
        Sheet(
            "instructions",
            (SheetColumn("about", 26), SheetColumn("what to do", 110)),
            form.instructions,
        ),
        Sheet("examples", (*texts, *filled, SheetColumn("why", 44)), tuple(examples)),
        Sheet(
            RATINGS_SHEET,
            (SheetColumn(ROW, 8), *texts, *open_),
            tuple((row, *cells, *empty) for row, cells in zip(rows, shown, strict=True)),
        ),
    ]


def reference_of(item: Continuation) -> str:
    """The first reference that holds a text; "" where none does."""
    return next((one for one in item.references if one.strip()), "")


def write_form(
    folder: Path, form: Form, items: Sequence[Continuation], about: Mapping[str, Any]
) -> Key:
    """Writes workbook and key into a folder, which must hold neither.

    Raises:
        OutputError: the folder holds a form already, whose labels would be lost with its key.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write: {error.strerror}", source=str(folder)) from error
    for name in (SHEET, KEY):
        if (folder / name).exists():
            problem = f"is there already; choose another --out than {folder}"
            raise OutputError(problem, source=str(folder / name))
    named = zip(items, conversation_names(items), strict=True)
    entries = tuple(  # nothing in a row's name tells whose it is
        Entry(f"r{n:04d}", item.id, item.source, conversation, turn_of(item))
        for n, (item, conversation) in enumerate(named, start=1)
    )
    cut = write_workbook(folder / SHEET, sheets(form, items, [entry.row for entry in entries]))
    key = Key(form.name, entries, {**about, "cut": cut})
    text = json.dumps(asdict(key), ensure_ascii=False, indent=1)
    replace(folder / KEY, [encoded(text + "\n")])
    return key


def read_key(folder: str | Path) -> Key:
    """The key that `write_form` wrote.

    Raises:
        DataError: there is none, or it is damaged.
    """
    path = Path(folder) / KEY
    if not path.is_file():
        problem = "holds no key.json; give the folder that the sheet was written to"
        raise DataError(problem, source=str(folder))
    try:
        key: Key = read_as(Key, json.loads(text_in(str(path))))
    except (ValueError, TypeError, RecursionError) as error:
        raise DataError(f"is no key of a sheet: {error}", source=str(path)) from error
    return key
