"""A task in files: what was rated, what was answered, and how it came to be.

judgments.jsonl   what holds now, with judgments.questions.json beside it
pilot.jsonl       the same of pilot rounds; so qualification, gold and examples, with right answers
together.jsonl    what all raters say together of each item, by the judge `people`
adjudicated.jsonl what discussions settled, by the judge `adjudicated`
items.jsonl       the items, with closed ones that were answered
made.jsonl        records that raters made: written conversations, and the like
history.jsonl     each time that something was submitted, skipped, undone or taken back
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import Connection

from assize.base.errors import ConfigError, OutputError
from assize.formats import write
from assize.formats.files import open_output
from assize.formats.writing import json_line
from assize.web._discussions import adjudicated
from assize.web._exporting.history import history
from assize.web._exporting.ratings import Part, ratings, ratings_table
from assize.web._exporting.records import items_of, made_by
from assize.web._exporting.task_export import FORMS, Form, TaskExport
from assize.web._storage import Store
from assize.web._tasks.aggregate import together
from assize.web._tasks.definition import Task

HISTORY, ITEMS, MADE = "history.jsonl", "items.jsonl", "made.jsonl"
TOGETHER, ADJUDICATED = "together.jsonl", "adjudicated.jsonl"


APART: Mapping[Part, str] = {
    "pilot": "pilot",
    "qualify": "qualification",
    "gold": "gold",
    "example": "examples",
}
"""Files of what measures nothing, by part; written where there are answers."""


def export_task(
    store: Store, task: Task, folder: str | Path, *, form: Form = "jsonl"
) -> TaskExport:
    """Writes a task into a folder, which is made; files of an earlier export are replaced.

    All files say the same moment.

    Args:
        form: of the judgments; a CSV table holds no cell that a spreadsheet runs as a formula.

    Raises:
        ConfigError: there is no such form.
        OutputError: the folder cannot be written.
    """
    if form not in FORMS:
        raise ConfigError(f"form: received {form!r}; give one of {', '.join(FORMS)}")
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make the folder: {error}", source=str(place)) from error
    with store.connect() as connection:
        _hold_still(connection)
        table = ratings_table(connection, task)
        questions = list(table.questions.values())
        write(place / TOGETHER, together(table))
        write(place / ADJUDICATED, adjudicated(connection, task), questions=questions)
        apart = 0
        for part, name in APART.items():
            file = place / f"{name}.{form}"
            file.unlink(missing_ok=True)
            if next(ratings(connection, task, [part]), None) is not None:
                apart += write(file, ratings_table(connection, task, [part]))
        judged = place / f"judgments.{form}"
        return TaskExport(
            write(judged, table),
            write(place / ITEMS, items_of(connection, task)),
            write(place / MADE, made_by(connection, task)),
            _lines(place / HISTORY, history(connection, task)),
            apart,
            str(judged),
        )


def _hold_still(connection: Connection) -> None:
    """Lets all that is read say one moment; a transaction on SQLite does so anyway."""
    if connection.dialect.name == "postgresql":
        connection.execution_options(isolation_level="REPEATABLE READ")


def _lines(place: Path, rows: Iterable[object]) -> int:
    count = 0
    with open_output(place) as stream:
        for row in rows:
            stream.write(json_line(row))
            count += 1
    return count


def zip_task(store: Store, task: Task, to: BinaryIO, *, form: Form = "jsonl") -> None:
    """Writes what `export_task` writes as a zip file, in a folder of the task's name."""
    with TemporaryDirectory(prefix="assize-export-") as made:
        folder = Path(made, task.name)
        export_task(store, task, folder, form=form)
        with ZipFile(to, "w", ZIP_DEFLATED) as zipped:
            for one in sorted(folder.iterdir()):
                zipped.write(one, one.relative_to(made))
