"""A task in files: what was rated, what was answered, and how it came to be.

judgments.jsonl   what holds now, with judgments.questions.json beside it
together.jsonl    what all raters say together of each item, by the judge `people`
adjudicated.jsonl what discussions settled, by the judge `adjudicated`
items.jsonl       the items, with closed ones that were answered
made.jsonl        records that raters made: written conversations, and the like
history.jsonl     each time that something was submitted, skipped, undone or taken back
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, Literal
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import ColumnElement, Connection, func, select

from assize.base.errors import ConfigError, OutputError
from assize.formats import write
from assize.formats.files import open_output
from assize.formats.writing import json_line
from assize.judgments import JudgmentTable
from assize.web._discussions import adjudicated
from assize.web._exporting.history import history
from assize.web._exporting.ratings import CHECKS, ratings
from assize.web._exporting.records import items_of, made_by
from assize.web._storage import Store
from assize.web._storage.schema import assignments, items, tasks
from assize.web._tasks.aggregate import together
from assize.web._tasks.definition import Task
from assize.web._tasks.kinds import kind_of

Form = Literal["jsonl", "jsonl.gz", "jsonl.zst", "parquet", "csv"]
FORMS: tuple[Form, ...] = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet", "csv")

HISTORY, ITEMS, MADE = "history.jsonl", "items.jsonl", "made.jsonl"
TOGETHER, ADJUDICATED = "together.jsonl", "adjudicated.jsonl"


@dataclass(frozen=True, slots=True)
class Exported:
    """How many records each file has.

    Args:
        judgments: the file of the judgments.
        pilot: answers of pilot rounds that were left out; their items count as answered.
        gold: answers to gold items and worked examples that were left out.
    """

    judgments: Path
    rows: int
    items: int
    made: int
    assignments: int
    pilot: int = 0
    gold: int = 0


def export_task(
    store: Store,
    task: Task,
    folder: str | Path,
    *,
    form: Form = "jsonl",
    pilot: bool = False,
    qualification: bool = False,
    gold: bool = False,
) -> Exported:
    """Writes a task into a folder, which is made; files of an earlier export are replaced.

    All files say the same moment.

    Args:
        form: of the judgments; a CSV table holds no cell that a spreadsheet runs as a formula.
        pilot, qualification, gold: whether the judgments, and the records made, hold those
            answers too; the history holds all.

    Raises:
        ConfigError: there is no such form.
        OutputError: the folder cannot be written.
    """
    if form not in FORMS:
        raise ConfigError(f"no form {form!r}; known are {', '.join(FORMS)}")
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make the folder: {error}", source=str(place)) from error
    with store.connect() as connection:
        _hold_still(connection)
        judged = place / f"judgments.{form}"
        wanted = {"pilot": pilot, "qualification": qualification, "gold": gold}
        rows = list(ratings(connection, task, **wanted))
        made = made_by(connection, task, **wanted)
        questions = kind_of(task).questions(task)
        write(place / TOGETHER, together(JudgmentTable.of(rows, questions)))
        write(place / ADJUDICATED, adjudicated(connection, task), questions=questions)
        return Exported(
            judged,
            write(judged, rows, questions=questions),
            write(place / ITEMS, items_of(connection, task)),
            write(place / MADE, made),
            _lines(place / HISTORY, history(connection, task)),
            0 if pilot else pilot_answers(connection, task),
            0 if gold else count_answers(connection, task, items.c.purpose.in_(CHECKS)),
        )


def pilot_answers(connection: Connection, task: Task) -> int:
    """How many items were answered or skipped in pilot rounds, the qualification left out."""
    return count_answers(connection, task, items.c.purpose != "qualify", assignments.c.pilot)


def count_answers(connection: Connection, task: Task, *which: ColumnElement[bool]) -> int:
    """How many items were answered or skipped, of those that `which` keeps."""
    a = assignments.c
    asked = (
        select(func.count())
        .select_from(assignments)
        .join(tasks, tasks.c.id == a.task)
        .join(items, items.c.id == a.item)
        .where(tasks.c.name == task.name, a.state.in_(("done", "skipped")), *which)
    )
    return int(connection.execute(asked).scalar_one())


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


def zip_task(
    store: Store,
    task: Task,
    to: BinaryIO,
    *,
    form: Form = "jsonl",
    pilot: bool = False,
    qualification: bool = False,
    gold: bool = False,
) -> Exported:
    """Writes what `export_task` writes as a zip file, in a folder of the task's name.

    Arguments and errors as there; `judgments` of the result is the path within the zip file.
    """
    with TemporaryDirectory(prefix="assize-export-") as made:
        place = Path(made)
        done = export_task(
            store,
            task,
            place / task.name,
            form=form,
            pilot=pilot,
            qualification=qualification,
            gold=gold,
        )
        with ZipFile(to, "w", ZIP_DEFLATED) as zipped:
            for one in sorted((place / task.name).iterdir()):
                zipped.write(one, one.relative_to(place))
        return replace(done, judgments=done.judgments.relative_to(place))
