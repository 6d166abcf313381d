"""The pages on which leads watch: all tasks, and one task with its raters."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from assize.agreement import RaterReport
from assize.agreement.rater_report import measure_raters
from assize.judgments import JudgmentTable
from assize.pages.raters import draw_raters
from assize.pages.result_page import sections_of
from assize.web._exporting.ratings import expected_answers, ratings, ratings_state
from assize.web._exporting.records import items_of
from assize.web._progress import read_progress
from assize.web._rendering import page
from assize.web._routes.home import task_of_name
from assize.web._routes.viewer import Admin
from assize.web._storage import Store
from assize.web._tasks import Task, kind_of
from assize.web._web import Web, web_of

router = APIRouter()


@router.get("/monitor")
async def tasks(request: Request, viewer: Admin) -> Response:
    """How far every task is."""
    web = web_of(request)
    found = [(task, await web.store.read(read_progress, task)) for task in web.project.tasks]
    return page(web, viewer, "monitor/tasks.html", tasks=found)


@router.get("/monitor/{task}")
async def task_page(request: Request, task: str, viewer: Admin) -> Response:
    """One task: progress, agreement, raters, gold, checks."""
    web = web_of(request)
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


async def rater_report(web: Web, task: Task) -> tuple[RaterReport | None, bool]:
    """A task's raters beside each other; None while they are first compared. Whether it is old."""
    key = await web.store.read(ratings_state, task)
    kept = await web.cache.get(f"raters {task.name}", key, lambda: _report(web.store, task))
    return (None, False) if kept is None else (kept.value, kept.stale)


def _report(store: Store, task: Task) -> RaterReport:
    with store.connect() as connection:
        return measure_raters(_ratings(connection, task), items_of(connection, task))


def _ratings(connection: Connection, task: Task) -> JudgmentTable:
    """All ratings, with those of gold items and the qualification, and the right answers."""
    given = ratings(connection, task, pilot=task.pilot, qualification=True, gold=True)
    rows = [*given, *expected_answers(connection, task)]
    return JudgmentTable.of(rows, kind_of(task).questions(task))


def _sections(report: RaterReport) -> list[Any]:
    return list(sections_of(report, draw_raters(report)))
