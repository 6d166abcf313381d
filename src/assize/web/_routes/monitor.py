"""The pages on which leads watch: all tasks, and one task with its raters."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from assize.agreement import RaterReport
from assize.agreement.rater_report import measure_raters
from assize.pages.raters import draw_raters
from assize.pages.result_page import sections_of
from assize.web._exporting.ratings import Part, ratings_state, ratings_table
from assize.web._exporting.records import items_of
from assize.web._progress import read_progress
from assize.web._rendering import csv_file, page
from assize.web._routes.home import task_of_name
from assize.web._routes.viewer import Admin, Site
from assize.web._storage import Store
from assize.web._tasks import Task
from assize.web._web import Web

router = APIRouter()


@router.get("/monitor")
async def tasks(web: Site, viewer: Admin) -> Response:
    """How far every task is."""
    found = [(task, await web.store.read(read_progress, task)) for task in web.project.tasks]
    return page(web, viewer, "monitor/tasks.html", tasks=found)


@router.get("/monitor/{task}")
async def task_page(request: Request, web: Site, task: str, viewer: Admin) -> Response:
    """One task: progress, agreement, raters, gold, checks."""
    asked = task_of_name(web, task)
    progress = await web.store.read(read_progress, asked)
    report, stale = await rater_report(web, asked)
    if report is not None and request.headers.get("hx-request"):  # a page that waits
        return Response(status_code=204, headers={"hx-refresh": "true"})
    return page(
        web,
        viewer,
        "monitor/task.html",
        task=asked,
        progress=progress,
        report=report,
        stale=stale,
        parts=list(sections_of(progress, {})),
        sections=await run_in_threadpool(_sections, report) if report else [],
    )


@router.get("/monitor/{task}/hours.csv")
async def hours(task: str, viewer: Admin, web: Site) -> Response:
    """Each person's forms and hours, to pay them by."""
    progress = await web.store.read(read_progress, task_of_name(web, task))
    rows = [(row.rater, row.done, row.skipped, f"{row.hours:.3f}") for row in progress.by_rater]
    return csv_file(f"{task}-hours", [("rater", "done", "skipped", "hours"), *rows])


async def rater_report(web: Web, task: Task) -> tuple[RaterReport | None, bool]:
    """A task's raters beside each other; None while they are first compared. Whether it is old."""
    key = await web.store.read(ratings_state, task)
    kept = await web.cache.get(f"raters {task.name}", key, lambda: _report(web.store, task))
    return (None, False) if kept is None else (kept.value, kept.stale)


def _report(store: Store, task: Task) -> RaterReport:
    with store.connect() as connection:
        parts: list[Part] = ["rate", "qualify", "gold", "example"]
        table = ratings_table(connection, task, [*parts, "pilot"] if task.pilot else parts)
        return measure_raters(table, items_of(connection, task))


def _sections(report: RaterReport) -> list[Any]:
    return list(sections_of(report, draw_raters(report)))
