"""A project: a folder with task files, the data that they name, and a database.

my-study/
  project.yaml          optional: title, database, contact
  tasks/*.yaml          what people are asked
  dashboards/*.yaml     what is watched
  conversations.jsonl   ... whatever the tasks name
  assize.db             made on the first start, where no other database is named
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from assize.base.errors import ConfigError, DataError
from assize.base.trust import check_named
from assize.formats.yaml_nodes import text_in, validated
from assize.web._tasks.definition import Task, read_task


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)
    title: str = ""
    database: str = ""
    contact: str = ""


@dataclass(frozen=True, slots=True)
class Project:
    """A project as its folder describes it.

    Args:
        database: URL of the database.
        contact: whom raters may ask, in words; "" says nothing.
    """

    folder: Path
    title: str
    database: str
    tasks: tuple[Task, ...] = ()
    contact: str = ""

    def task(self, name: str) -> Task | None:
        """The task of that name; None where there is none."""
        return next((one for one in self.tasks if one.name == name), None)


def read_project(folder: str | Path, *, database: str | None = None) -> Project:
    """What a folder describes, its tasks too.

    Raises:
        ConfigError: as `read_settings`.
        DataError: a file in it is wrong, or two tasks have one name.
    """
    project = read_settings(folder, database=database)
    tasks: dict[str, Task] = {}
    for path in sorted((project.folder / "tasks").glob("*.y*ml")):
        task = read_task(path, project.folder)
        if task.name in tasks:
            raise DataError(
                f"another file has a task {task.name!r}: {tasks[task.name].path}", source=str(path)
            )
        tasks[task.name] = task
    return replace(project, tasks=tuple(tasks.values()))


def read_settings(folder: str | Path, *, database: str | None = None) -> Project:
    """What `project.yaml` says, without tasks.

    Args:
        database: URL in place of the one that `project.yaml` names, by default `assize.db` in
            the folder.

    Raises:
        ConfigError: there is no such folder; or `project.yaml` names the database of a server,
            which would get every answer.
        DataError: the file is wrong.
    """
    place = Path(folder)
    if not place.is_dir():
        raise ConfigError(
            f"there is no folder {str(folder)!r}; make one with a task file in its folder `tasks`,"
            " or copy the repository's examples/web"
        )
    settings = _File()
    named = place / "project.yaml"
    if named.is_file():
        settings, _, _ = validated(text_in(str(named)), str(named), _File)
    if database is None and settings.database and not settings.database.startswith("sqlite:"):
        remedy = "where you trust it, give --database URL"
        check_named(settings.database, "address", source=f"{named} names", remedy=remedy)
    return Project(
        place,
        settings.title or place.resolve().name,
        database or settings.database or f"sqlite:///{place.resolve() / 'assize.db'}",
        contact=settings.contact,
    )
