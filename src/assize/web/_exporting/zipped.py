"""A task's export as one file, to send to a browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile

from assize.web._exporting.folder import Exported, Form, export_task
from assize.web._storage import Store
from assize.web._tasks.definition import Task


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
