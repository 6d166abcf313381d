"""`assize web export`: a project's ratings as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from assize.base.errors import ConfigError
from assize.formats.arguments import names_of
from assize.results import Column, Result, Table
from assize.results.numbers import counted
from assize.web._extra import require

if TYPE_CHECKING:
    from assize.web._project import Project
    from assize.web._tasks import Task


@dataclass(frozen=True, slots=True)
class TaskExport:
    """What was written of a task.

    Args:
        items: what was judged; `made` counts records that people wrote, such as chats.
        given: assignments, the unfinished too.
        file: where the judgments stand.
        pilot: answers of pilot rounds that were left out, though their items count as answered.
        gold: answers to gold items and worked examples that were left out.
    """

    judgments: int
    items: int
    made: int
    given: int
    file: Annotated[str, Column(extra=True)]
    pilot: Annotated[int, Column(extra=True)]
    gold: Annotated[int, Column(extra=True)]


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
            if task.pilot:
                left = f"{counted(task.pilot, 'answer')} of a pilot round left out"
                notes.append(
                    f"{name}: {left}, though their items count as answered; --pilot takes them"
                    " along"
                )
            if task.gold:
                left = f"{counted(task.gold, 'answer')} to gold items or worked examples left out"
                notes.append(f"{name}: {left}; --gold takes them along")
        return notes


def export(
    project: str | Path = ".",
    *,
    out: str | Path,
    task: str | Sequence[str] = (),
    form: str = "jsonl",
    pilot: bool = False,
    qualification: bool = False,
    gold: bool = False,
    database: str | None = None,
) -> ExportedRatings:
    """Writes what people answered as judgments, with the items and the history.

    A rating is a judgment by the person who gave it; the last answer that was submitted counts.
    A skip is unscored with its reason. A task has a folder of its own inside `out`.

    Args:
        project: the folder.
        out: the folder to write into.
        task: only these tasks (repeatable, or with commas), all by default.
        form: of the judgments: jsonl, jsonl.gz, jsonl.zst, parquet or csv.
        pilot: with the answers of pilot rounds.
        qualification: with the answers of qualification rounds.
        gold: with the answers to gold items and worked examples.
        database: URL, by default the project's own.

    Raises:
        ConfigError: there is no such project, task or form.
        OutputError: the folder cannot be written.
    """
    require()
    from assize.web._exporting.folder import FORMS, export_task
    from assize.web._opening import opened_store

    if form not in FORMS:
        raise ConfigError(f"form: received {form!r}; give one of {', '.join(FORMS)}")
    with opened_store(project, database=database) as (found, store):
        wanted = _tasks(found, names_of(task))
        tasks = {}
        for task_wanted in wanted:
            written = export_task(
                store,
                task_wanted,
                Path(out) / task_wanted.name,
                form=form,
                pilot=pilot,
                qualification=qualification,
                gold=gold,
            )
            tasks[task_wanted.name] = TaskExport(
                written.rows,
                written.items,
                written.made,
                written.assignments,
                str(written.judgments),
                written.pilot,
                written.gold,
            )
        return ExportedRatings(str(out), tasks)


def _tasks(project: Project, names: Sequence[str] | None) -> list[Task]:
    """The tasks of those names, all where none is named."""
    known = {one.name: one for one in project.tasks}
    for name in names or ():
        if name not in known:
            raise ConfigError(
                f"task: the project has no {name!r}; it has {', '.join(known) or 'none'}"
            )
    return [known[name] for name in names or known]
