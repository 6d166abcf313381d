"""`assize web export`: a project's ratings as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assize.errors import ConfigError
from assize.results import Result, ResultTable, columns
from assize.results.numbers import counted
from assize.webapp import require
from assize.workflows.reading import names_of

if TYPE_CHECKING:
    from assize.webapp.exporting import Exported
    from assize.webapp.project import Project
    from assize.webapp.tasks import Task


@dataclass(frozen=True, slots=True)
class ExportedRatings(Result):
    """What was written, by task."""

    out: str
    tasks: Mapping[str, Exported]

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`tasks`: judgments, items, records made by raters, assignments."""
        named = columns("words", "task") + columns("count", "judgments", "items", "made", "given")
        rows = [
            (name, one.rows, one.items, one.made, one.assignments)
            for name, one in self.tasks.items()
        ]
        return {"tasks": ResultTable("Exported", named, rows)}

    @property
    def notes(self) -> Sequence[str]:
        """Where it stands, and what was left out."""
        told = [f"written to {one.judgments}" for one in self.tasks.values()]
        return told + [_piloted(name, one.pilot) for name, one in self.tasks.items() if one.pilot]

    def to_json(self) -> dict[str, Any]:
        """Counts and files by task."""
        return {
            name: {
                "judgments": one.rows,
                "items": one.items,
                "made": one.made,
                "assignments": one.assignments,
                "file": str(one.judgments),
                "pilot": one.pilot,
            }
            for name, one in self.tasks.items()
        }


def _piloted(task: str, count: int) -> str:
    """That answers of pilot rounds were left out, in words."""
    return (
        f"{task}: {counted(count, 'answer')} of a pilot round left out, though their items count as"
        " answered; --pilot takes them along"
    )


def export_ratings(
    project: str | Path = ".",
    *,
    out: str | Path,
    task: str | Sequence[str] = (),
    form: str = "jsonl",
    pilot: bool = False,
    qualification: bool = False,
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
        database: URL, by default the project's own.

    Raises:
        ConfigError: there is no such project, task or form.
        OutputError: the folder cannot be written.
    """
    require()
    from assize.webapp.exporting import FORMS, export_task
    from assize.webapp.opening import opened_store

    if form not in FORMS:
        raise ConfigError(f"form: received {form!r}; give one of {', '.join(FORMS)}")
    with opened_store(project, database=database) as (found, store):
        wanted = _tasks(found, names_of(task))
        return ExportedRatings(
            str(out),
            {
                one.name: export_task(
                    store,
                    one,
                    Path(out) / one.name,
                    form=form,
                    pilot=pilot,
                    qualification=qualification,
                )
                for one in wanted
            },
        )


def _tasks(project: Project, names: Sequence[str] | None) -> list[Task]:
    """The tasks of those names, all where none is named."""
    known = {one.name: one for one in project.tasks}
    for name in names or ():
        if name not in known:
            raise ConfigError(
                f"task: the project has no {name!r}; it has {', '.join(known) or 'none'}"
            )
    return [known[name] for name in names or known]
