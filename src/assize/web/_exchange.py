"""`assize web export`: a project's ratings as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, cast

from assize.base.errors import ConfigError
from assize.formats.arguments import names_of
from assize.results import Result, Table
from assize.results.numbers import counted
from assize.web._exporting.task_export import Form, TaskExport
from assize.web._extra import require


@dataclass(frozen=True)
class ExportedRatings(Result):
    """The ratings that were exported, by task.

    Args:
        out: the folder.
    """

    out: str
    tasks: Annotated[Mapping[str, TaskExport], Table("Exported", key="task")]

    @property
    def notes(self) -> Sequence[str]:
        """Where it stands, and what was left out."""
        notes = [f"written to {task.file}" for task in self.tasks.values()]
        for name, task in self.tasks.items():
            if task.apart:
                rows = counted(task.apart, "judgment")
                notes.append(
                    f"{name}: {rows} of pilots, qualifications, gold items and worked examples"
                    " stand in files of their own"
                )
        return notes


def export(
    project: str | Path = ".",
    *,
    out: str | Path,
    task: str | Sequence[str] = (),
    form: str = "jsonl",
    database: str | None = None,
) -> ExportedRatings:
    """Write what people answered as judgments, with the items and the history.

    A rating is a judgment by the person who gave it; the last submitted answer counts. A skip is
    unscored with its reason. Each task has its own folder inside `out`. Pilots, the qualification,
    gold items and worked examples go to files of their own. The database is only read, and tasks
    are as the database has them, even if their files have changed.

    Args:
        project: folder of the project.
        out: folder to write to.
        task: only these tasks (repeatable, or separated by commas). Default: all.
        form: format of the judgments: jsonl, jsonl.gz, jsonl.zst, parquet or csv.
        database: URL of the database. Default: the project's own.

    Raises:
        ConfigError: there is no such project, database, task or form.
        OutputError: the folder cannot be written.
    """
    require()
    from assize.web._exporting.folder import export_task
    from assize.web._opening import database_of, stored_tasks
    from assize.web._storage import open_store

    with closing(open_store(database_of(project, database), read_only=True)) as store:
        known = {one.name: one for one in store.read_now(stored_tasks, Path(project))}
        names = names_of(task) or list(known)
        for name in names:
            if name not in known:
                raise ConfigError(
                    f"task: the project has no {name!r}; it has {', '.join(known) or 'none'}"
                )
        return ExportedRatings(
            str(out),
            {
                name: export_task(store, known[name], Path(out) / name, form=cast("Form", form))
                for name in names
            },
        )
