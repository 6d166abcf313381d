"""Views that are open, and what is under way: shared by all requests of one server."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from assize.base.errors import AssizeError, DataError
from assize.results.log import log
from assize.web._dashboard.definition import Dashboard
from assize.web._dashboard.prepared.kept import earlier_view, kept_view, view_of
from assize.web._dashboard.prepared.view import View
from assize.web._dashboard.sources import Source, file_source

THREADS = 2  # figures that are worked out at a time


@dataclass
class OpenViews:
    """The views of a project.

    Views of files are prepared in a process of their own, so that pages stay quick meanwhile.
    """

    folder: Path
    _views: dict[str, View] = field(default_factory=dict)
    _jobs: dict[str, Future[str | None]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)
    _pool: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(THREADS, thread_name_prefix="assize-dashboard")
    )

    def get(self, source: Source) -> View | None:
        """The view of a source; while it is prepared, which this begins, the earlier one.

        Which of both it is stands in `View.made_of`. None where there is no earlier one.

        Raises:
            DataError: it could not be prepared, and there is no earlier one; asked again, it is
                tried again.
        """
        name = source.dashboard.name
        with self._lock:
            held = self._views.get(name)
            if held is None or held.made_of != source.key:
                held = kept_view(source, self.folder) or held or earlier_view(source, self.folder)
            if held is not None:
                self._views[name] = held
                if held.made_of == source.key:
                    return held
            problem = self._prepare(source)
        if problem is not None and held is None:
            raise DataError(problem)
        return held

    def settled(self, source: Source) -> bool:
        """Whether nothing is under way: a view is there, or what went wrong can be told."""
        with self._lock:
            job = self._jobs.get(f"{source.dashboard.name} {source.key}")
            return job is None or job.done()

    def _prepare(self, source: Source) -> str | None:
        """Begins, where nothing is under way; what went wrong where it ended without a view."""
        name = f"{source.dashboard.name} {source.key}"
        job = self._jobs.get(name)
        if job is None:
            self._jobs[name] = self._begun(source)
        if job is None or not job.done():
            return None
        del self._jobs[name]
        problem = str(job.exception() or job.result() or "the view could not be kept")
        log.warning("dashboard %s: %s", source.dashboard.name, problem)
        return problem

    def _begun(self, source: Source) -> Future[str | None]:
        if source.dashboard.judgments:
            return self._pool.submit(_in_a_process, source.dashboard, self.folder)
        return self._pool.submit(_prepared, source, self.folder)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Works something out behind the pages."""
        return self._pool.submit(function, *arguments)


def _prepared(source: Source, folder: Path) -> str | None:
    """Prepares a view; returns what went wrong."""
    try:
        view_of(source, folder)
    except (AssizeError, OSError) as error:
        return str(error)
    return None


def _in_a_process(dashboard: Dashboard, folder: Path) -> str | None:
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=fresh) as pool:
        return pool.submit(prepare_files, dashboard, folder).result()


def prepare_files(dashboard: Dashboard, folder: Path) -> str | None:
    """Prepares the view of a dashboard over files; returns what went wrong, None for nothing."""
    return _prepared(file_source(dashboard), folder)
