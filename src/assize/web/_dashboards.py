"""Dashboards: which judgments are watched, and how; from a file, or a task's own ratings.

dashboard: satisfaction
judgments: [predicted.parquet]
items: [conversations.jsonl]
main: Q0
by: [system, metadata.topic]
time: metadata.started
"""

from __future__ import annotations

import multiprocessing
import os
import secrets
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from assize.base.errors import AssizeError, DataError
from assize.base.signature import json_hash
from assize.base.trust import check_named
from assize.formats.arguments import items_in, judgments_of
from assize.formats.questions import questions_path
from assize.formats.yaml_nodes import text_in, validated
from assize.spread import Ratings, Resampling, gather_ratings
from assize.spread.options import SOURCES, Source
from assize.spread.ratings import open_ratings, save_ratings
from assize.web._exporting.ratings import ratings_state, ratings_table
from assize.web._exporting.records import items_of
from assize.web._storage import Store
from assize.web._tasks import kind_of
from assize.web._tasks.definition import Task, Words
from assize.web._web import Web

VERSION = 1  # of the folders that ratings are kept in
OWN = "ratings"
"""With a task's name after a point, a dashboard over the task's own ratings."""


class Dashboard(BaseModel):
    """What a dashboard file says; its paths are taken from the project's folder.

    Args:
        name: by which addresses call it.
        judgments, items: files or folders of runs.
        main: the question that stands first; "" for the first with numbers.
        raters: whose answers are shown first; see `SpreadOptions.raters`.
        by: fields that conversations can be split by; None for all that can be.
        time, every: the field with a conversation's time, and the usual period.
    """

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)
    name: str = Field(alias="dashboard", pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$", max_length=60)
    title: str = ""
    about: str = ""
    judgments: Words = Field(min_length=1)
    items: Words = Field(default_factory=list)
    main: str = ""
    raters: Words = Field(default_factory=list)
    by: Words | None = None
    time: str = ""
    every: str = "week"
    resample: list[Source] = list(SOURCES)
    replicates: int = Field(default=200, ge=20, le=10_000)
    confidence: float = Field(default=0.95, gt=0.5, lt=1)
    seed: int = Field(default=0, ge=0)

    @property
    def resampling(self) -> Resampling:
        """How bands and intervals are made."""
        return Resampling(self.resample, self.replicates, self.confidence, self.seed)


def read_dashboards(home: Path) -> Sequence[Dashboard]:
    """Return the dashboards of a project's folder.

    Raises:
        DataError: as `read_dashboard`, or two have one name.
    """
    read: dict[str, Dashboard] = {}
    for path in sorted((home / "dashboards").glob("*.y*ml")):
        dashboard = read_dashboard(path, home)
        if dashboard.name in read:
            raise DataError(f"another file has a dashboard {dashboard.name!r}", source=str(path))
        read[dashboard.name] = dashboard
    return list(read.values())


def read_dashboard(path: Path, home: Path) -> Dashboard:
    """Return what one file of a project says; DataError where it is wrong, with its place."""
    dashboard, _, fail = validated(text_in(str(path)), str(path), Dashboard)
    for part in ("judgments", "items"):
        for name in getattr(dashboard, part):
            if "://" not in name and not os.path.exists(home / name):
                raise fail(f"there is no {name!r} in {home}", part)
    return dashboard


@dataclass(frozen=True, slots=True)
class DashboardSource:
    """Where a dashboard's ratings come from; `key` changes with them."""

    dashboard: Dashboard
    key: str
    load: Callable[[], Ratings]


def file_source(dashboard: Dashboard, home: Path, allow: Collection[str]) -> DashboardSource:
    """Return the files that a dashboard names, prepared in a process of their own.

    Files are known by name, size and time of change.

    Raises:
        ConfigError: an address is not allowed.
    """
    named = [*_under(home, dashboard.judgments), *_under(home, dashboard.items)]
    for name in named:
        if "://" in name:
            remedy = "where you trust it, start assize web with --allow {}"
            check_named(
                name, "address", source=f"dashboard {dashboard.name}", remedy=remedy, allow=allow
            )
    facts = [list(_facts(name)) for name in named]
    key = json_hash([VERSION, facts, dashboard.by, dashboard.time])
    folder = home / ".assize" / "dashboards" / dashboard.name / key

    def load() -> Ratings:
        try:
            return open_ratings(folder)
        except (OSError, ValueError):
            fresh = multiprocessing.get_context("spawn")
            with ProcessPoolExecutor(1, mp_context=fresh) as pool:
                problem = pool.submit(prepare_files, dashboard, home, folder).result()
            if problem:
                raise DataError(problem) from None
            return open_ratings(folder)

    return DashboardSource(dashboard, key, load)


def _under(home: Path, names: Sequence[str]) -> list[str]:
    return [name if "://" in name else str(home / name) for name in names]


def _facts(name: str) -> Iterator[Sequence[object]]:
    """Name, size and time of change of a file, of its questions, and of what is in a folder."""
    place = Path(name)
    inside = place.rglob("*") if place.is_dir() else (place, questions_path(name))
    for path in sorted(Path(one) for one in inside):
        if path.is_file():
            yield str(path), path.stat().st_size, path.stat().st_mtime_ns


def prepare_files(dashboard: Dashboard, home: Path, folder: Path) -> str:
    """Read a dashboard's files into a folder, which appears whole; return what went wrong."""
    draft = folder.with_name(f".{folder.name}-{secrets.token_hex(4)}")
    try:
        _refuse_links(folder.parent, home)
        ratings = gather_ratings(
            judgments_of(_under(home, dashboard.judgments)),
            items_in(_under(home, dashboard.items)) if dashboard.items else (),
            fields=dashboard.by,
            time=dashboard.time,
        )
        save_ratings(ratings, draft)
        for other in folder.parent.glob("[!.]*"):
            shutil.rmtree(other, ignore_errors=True)
        os.rename(draft, folder)
    except (AssizeError, OSError) as error:
        return str(error)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return ""


def _refuse_links(kept: Path, home: Path) -> None:
    """Raise DataError where what would be cleared is not a project's own folder."""
    if kept.resolve() != home.resolve() / kept.relative_to(home):
        raise DataError("is a link, or below one; remove it", source=str(kept))


def forget_ratings(web: Web) -> None:
    """Remove what dashboards and the monitor keep, which names raters; it is made anew."""
    web.cache.clear()
    kept = web.project.folder / ".assize" / "dashboards"
    with suppress(DataError):
        _refuse_links(kept, web.project.folder)
        shutil.rmtree(kept, ignore_errors=True)


def task_source(connection: Connection, store: Store, task: Task) -> DashboardSource:
    """Return the ratings of a task's ordinary items, as they are now."""
    kind = kind_of(task)
    dashboard = Dashboard(
        dashboard=task.name,
        title=f"Ratings: {task.title}",
        judgments=[OWN],
        main=kind.main(task),
        time="metadata.at" if kind.starts_at else "",  # a conversation's beginning
    )

    def load() -> Ratings:
        with store.connect() as reading:
            table = ratings_table(reading, task)
            if not len(table):
                raise DataError("nobody has rated anything yet")
            return gather_ratings(table, items_of(reading, task), time=dashboard.time)

    return DashboardSource(dashboard, ratings_state(connection, task), load)
