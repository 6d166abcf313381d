"""Tasks and items as leads see them, and what raters flagged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, cast, get_args
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from sqlalchemy import Connection, Row
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from assize.base.errors import AssizeError, ConfigError, DataError
from assize.results.log import log
from assize.web._accounts.people import by_name, listed
from assize.web._accounts.viewer import Viewer
from assize.web._collect.allow_models import check_models
from assize.web._exporting.task_export import FORMS
from assize.web._leading.overview import (
    PAGE,
    Which,
    held,
    item_line,
    item_lines,
    item_record,
    task_line,
    task_lines,
    versions,
)
from assize.web._leading.remarks import WhichRemarks, remarks, reply, settle
from assize.web._project import read_project
from assize.web._queue import check_project, sync_project
from assize.web._queue.reassign import assign, extend, reassign, set_state, withdraw
from assize.web._queue.rejections import rejections, send_text_back
from assize.web._rendering import page
from assize.web._routes.sign_in import local_path
from assize.web._routes.viewer import Admin, Form, NotFound, Posted, Refused, Site, there
from assize.web._tasks.definition import Task
from assize.web._tasks.kinds import kind_of
from assize.web._tasks.proofread import writers_of
from assize.web._web import Web

router = APIRouter()
Page = Annotated[int, Query(alias="page", ge=1, le=100_000)]
DAYS = (1, 3, 7, 30)  # that a reservation may be kept longer


@router.get("/admin")
async def tasks_page(viewer: Admin, web: Site) -> Response:
    """All tasks."""
    return await _tasks(web, viewer)


@router.post("/admin/read-again")
async def read_again(request: Request, viewer: Admin, web: Site, form: Form) -> Response:
    """Reads the task files again; where one is wrong, nothing changes."""
    try:
        project = await run_in_threadpool(
            read_project, web.project.folder, database=web.project.database
        )
        check_models(project.tasks, web.allow)
        told = await web.store.read(check_project, project)
        synced = await run_in_threadpool(web.store.write_now, sync_project, project, web.clock())
    except (DataError, ConfigError) as problem:
        return await _tasks(web, viewer, 400, problem=str(problem))
    log.warning("%s read the task files again", viewer.name)
    now = replace(web, project=project)
    request.app.state.web = now
    return await _tasks(now, viewer, synced=synced, told=told)


@router.get("/admin/tasks/{task}")
async def task_page(
    viewer: Admin, web: Site, task: str, which: str = "all", search: str = "", page: Page = 1
) -> Response:
    """A task: state, versions, items."""
    return await _task(web, viewer, task, which=which, search=search, number=page)


@router.post("/admin/tasks/{task}/state")
async def change_state(viewer: Admin, web: Site, form: Form, task: str) -> Response:
    """Opens, pauses or closes a task."""
    await web.store.write(set_state, _defined(web, task), form.one("state"))
    log.warning("%s: task %s is %s", viewer.name, task, form.one("state"))
    return RedirectResponse(f"/admin/tasks/{quote(task)}", 303)


@router.post("/admin/tasks/{task}/items/{item}/send-back")
async def send_back(viewer: Admin, web: Site, form: Form, task: str, item: int) -> Response:
    """Sends a rejected text back to its writer, with the proofreader's words."""
    await _found_item(web, task, item)
    reading = _defined(web, task)
    source = there(writers_of(reading, web.project.tasks))
    try:
        await web.store.write(send_text_back, source, reading, item, web.clock())
    except AssizeError as problem:
        return await _item(web, viewer, task, item, 400, str(problem))
    return RedirectResponse(f"/admin/tasks/{quote(task)}", 303)


@router.get("/admin/tasks/{task}/items/{item}")
async def item_page(viewer: Admin, web: Site, task: str, item: int) -> Response:
    """An item: its text, who has it, what was said about it."""
    return await _item(web, viewer, task, item)


@router.post("/admin/tasks/{task}/items/{item}/assign")
async def give_item(viewer: Admin, web: Site, form: Form, task: str, item: int) -> Response:
    """Gives an item to somebody."""
    _, found = await _found_item(web, task, item)
    return await _tried(web, viewer, task, item, _assign, found.key, form.one("name"))


@router.post("/admin/tasks/{task}/items/{item}/withdraw")
async def take_back(viewer: Admin, web: Site, form: Form, task: str, item: int) -> Response:
    """Takes an item back from somebody."""
    number = await _assignment(web, task, item, form)
    return await _tried(web, viewer, task, item, withdraw, number)


@router.post("/admin/tasks/{task}/items/{item}/reassign")
async def pass_on(viewer: Admin, web: Site, form: Form, task: str, item: int) -> Response:
    """Takes an item back and gives it to somebody else."""
    number = await _assignment(web, task, item, form)
    return await _tried(web, viewer, task, item, _reassign, number, form.one("name"))


@router.post("/admin/tasks/{task}/items/{item}/extend")
async def keep_longer(viewer: Admin, web: Site, form: Form, task: str, item: int) -> Response:
    """Keeps a reservation for some days."""
    number = await _assignment(web, task, item, form)
    days = form.one("days")
    if days not in map(str, DAYS):
        raise Refused("Choose for how many days the item is kept.")
    until = web.clock() + float(days) * 86400
    return await _tried(web, viewer, task, item, extend, number, until)


@router.get("/admin/comments")
async def comments_page(
    viewer: Admin, web: Site, which: str = "open", task: str = "", page: Page = 1
) -> Response:
    """What raters flagged and commented."""
    return await _remarks(web, viewer, which, task, page)


@router.post("/admin/comments/{number}/settle")
async def settle_remark(viewer: Admin, web: Site, form: Form, number: int) -> Response:
    """Marks a remark as settled, or as open again."""
    at = None if form.one("open") == "yes" else web.clock()
    if not await web.store.write(settle, number, at):
        raise NotFound
    return RedirectResponse(local_path(form.one("back")), 303)


@router.post("/admin/comments/{number}/reply")
async def answer_remark(viewer: Admin, web: Site, form: Form, number: int) -> Response:
    """Answers a remark."""
    await web.store.write(reply, number, viewer.id, form.one("text"), web.clock())
    return RedirectResponse(local_path(form.one("back")), 303)


async def _tasks(web: Web, viewer: Viewer, status: int = 200, **values: Any) -> Response:
    known = {
        "problem": "",
        "synced": None,
        "told": [],
        **values,
        "lines": await web.store.read(task_lines),
        "titles": {one.name: one.title for one in web.project.tasks},
    }
    return page(web, viewer, "admin/tasks.html", status=status, **known)


async def _task(
    web: Web, viewer: Viewer, name: str, *, which: str, search: str, number: int
) -> Response:
    line = await _line(web, name)
    if which not in get_args(Which):
        raise NotFound
    rows, count = await web.store.read(
        item_lines, line.id, cast("Which", which), search.strip(), number
    )
    task = web.project.task(name)
    rejected: list[tuple[Row[Any], Row[Any]]] = []
    if task is not None and (source := writers_of(task, web.project.tasks)) is not None:
        rejected = await web.store.read(rejections, source, task)
    return page(
        web,
        viewer,
        "admin/task.html",
        line=line,
        task=task,
        rows=rows,
        forms=FORMS,
        count=count,
        versions=await web.store.read(versions, line.id),
        rejections=rejected,
        which=which,
        search=search,
        number=number,
        pages=_pages(count),
        kinds=get_args(Which),
    )


async def _item(
    web: Web, viewer: Viewer, name: str, number: int, status: int = 200, problem: str = ""
) -> Response:
    line, item = await _found_item(web, name, number)
    record = await web.store.read(item_record, number)
    task = web.project.task(name)
    said, _ = await web.store.read(remarks, "all", name, item=number)
    return page(
        web,
        viewer,
        "admin/item.html",
        status=status,
        line=line,
        item=item,
        task=task,
        record=record,
        held=await web.store.read(held, number),
        said=said,
        shown=None if task is None else _shown(task, record),
        problem=problem,
        days=DAYS,
        shows="" if task is None else kind_of(task).template,
        names=[one.name for one in await web.store.read(listed) if not one.disabled],
    )


async def _remarks(web: Web, viewer: Viewer, which: str, task: str, number: int) -> Response:
    if which not in get_args(WhichRemarks):
        raise NotFound
    rows, count = await web.store.read(remarks, cast("WhichRemarks", which), task or None, number)
    return page(
        web,
        viewer,
        "admin/comments.html",
        rows=rows,
        count=count,
        which=which,
        task=task,
        kinds=get_args(WhichRemarks),
        number=number,
        pages=_pages(count),
    )


def _shown(task: Task, record: dict[str, Any]) -> dict[str, Any] | None:
    """The item as raters see it, sides as they are in the file."""
    from assize.formats.records import parse

    try:
        item: Any = parse(record)
        return kind_of(task).shown(task, item, None)
    except AssizeError:
        return None


def _pages(count: int) -> int:
    return max(1, -(-count // PAGE))


async def _line(web: Web, name: str) -> Row[Any]:
    return there(await web.store.read(task_line, name))


async def _found_item(web: Web, name: str, number: int) -> tuple[Row[Any], Row[Any]]:
    line = await _line(web, name)
    return line, there(await web.store.read(item_line, line.id, number))


async def _assignment(web: Web, name: str, item: int, form: Posted) -> int:
    """The assignment that a form names, which is one of this item."""
    await _found_item(web, name, item)
    numbers = {str(row.id): int(row.id) for row in await web.store.read(held, item)}
    return there(numbers.get(form.one("assignment")))


def _defined(web: Web, name: str) -> Task:
    task = web.project.task(name)
    if task is None:
        raise Refused("The file of this task is gone; put it back to change the task.")
    return task


async def _tried(
    web: Web, viewer: Viewer, name: str, item: int, change: Callable[..., Any], *values: Any
) -> Response:
    """The item's page again, changed or with what stands against it."""
    try:
        await web.store.write(change, _defined(web, name), *values, web.clock())
    except AssizeError as problem:
        return await _item(web, viewer, name, item, 400, str(problem))
    return RedirectResponse(f"/admin/tasks/{quote(name)}/items/{item}", 303)


def _assign(connection: Connection, task: Task, key: str, name: str, now: float) -> None:
    assign(connection, task, key, _person(connection, name), now)


def _reassign(connection: Connection, task: Task, number: int, name: str, now: float) -> None:
    reassign(connection, task, number, _person(connection, name), now)


def _person(connection: Connection, name: str) -> int:
    found = by_name(connection, name)
    if found is None or found.disabled:
        raise DataError("Choose somebody who can sign in.")
    return int(found.id)
