"""The pages on which leads watch: all tasks, one task, one rater; and their tables as files."""

from __future__ import annotations

import json

from fastapi import APIRouter, Request
from starlette.responses import Response

from assize.results import ResultTable
from assize.web._monitor.pictures import drawn_progress
from assize.web._monitor.shown import Sort, as_csv, as_json, shown
from assize.web._monitor.views import (
    overview_table,
    rater_tables,
    rater_view,
    task_address,
    task_tables,
    task_view,
)
from assize.web._monitor.watch import watch_of
from assize.web._rendering import page
from assize.web._routes.home import task_of_name
from assize.web._routes.viewer import Admin, NotFound
from assize.web._web import web_of

router = APIRouter()


def _sort(request: Request) -> Sort:
    asked = request.query_params
    return Sort.read(asked.get("sort", ""), asked.get("down", ""))


@router.get("/monitor")
async def tasks(request: Request, viewer: Admin) -> Response:
    """How far every task is."""
    web = web_of(request)
    watch = watch_of(web.store)
    found = [(task, await watch.progress(task)) for task in web.project.tasks]
    table = shown("tasks", overview_table(found), _sort(request), links={"Task": task_address})
    return page(web, viewer, "monitor/tasks.html", table_of=table)


@router.get("/monitor/{task}")
async def task_page(request: Request, task: str, viewer: Admin) -> Response:
    """One task: progress, agreement, raters, gold, checks."""
    web = web_of(request)
    asked = task_of_name(web, task)
    watch = watch_of(web.store)
    now = await watch.progress(asked)
    view = await task_view(asked, await watch.figures(asked), now, _sort(request))
    return page(
        web,
        viewer,
        "monitor/task.html",
        task=asked,
        progress=now,
        view=view,
        drawing=await drawn_progress(now),
    )


@router.get("/monitor/{task}/counts")
async def counts(request: Request, task: str, viewer: Admin) -> Response:
    """The counts alone, which the page asks for from time to time."""
    web = web_of(request)
    asked = task_of_name(web, task)
    now = await watch_of(web.store).progress(asked)
    return page(web, viewer, "monitor/counts.html", task=asked, progress=now)


@router.get("/monitor/{task}/rater")
async def rater(
    request: Request, task: str, viewer: Admin, name: str = "", question: str = "", other: str = ""
) -> Response:
    """One rater of a task."""
    web = web_of(request)
    asked = task_of_name(web, task)
    watch = watch_of(web.store)
    seen, now = await watch.figures(asked), await watch.progress(asked)
    view = await rater_view(asked, seen, now, name, question, other, _sort(request))
    if view is None:
        raise NotFound
    return page(web, viewer, "monitor/rater.html", task=asked, view=view, answers=seen.answers)


@router.get("/monitor/{task}/tables/{file}")
async def table(request: Request, task: str, file: str, viewer: Admin, rater: str = "") -> Response:
    """A table as `NAME.csv` or `NAME.json`, of the task or of one rater."""
    web = web_of(request)
    asked = task_of_name(web, task)
    watch = watch_of(web.store)
    seen, now = await watch.figures(asked), await watch.progress(asked)
    made: dict[str, ResultTable] = (
        rater_tables(seen, now, rater) if rater else task_tables(asked, seen, now)
    )
    name, _, kind = file.rpartition(".")
    if name not in made or kind not in ("csv", "json"):
        raise NotFound
    text = as_csv(made[name]) if kind == "csv" else json.dumps(as_json(made[name]), indent=1)
    headers = {"content-disposition": f'attachment; filename="{asked.name}-{name}.{kind}"'}
    media = "text/csv; charset=utf-8" if kind == "csv" else "application/json"
    return Response(text, media_type=media, headers=headers)
