"""Discussions: a lead opens and settles them, raters take part without names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Concatenate, ParamSpec

from fastapi import APIRouter
from sqlalchemy import Connection
from starlette.responses import RedirectResponse, Response

from assize.base.errors import ConfigError
from assize.web._accounts.viewer import Viewer
from assize.web._discussions import (
    LONGEST,
    Discussion,
    discussion,
    discussions_of,
    open_discussion,
    reopen,
    say,
    settle,
)
from assize.web._forms import fill
from assize.web._forms.view import view, words
from assize.web._raters.work import drafted
from assize.web._rendering import page
from assize.web._routes.home import task_of_name
from assize.web._routes.monitor import rater_report
from assize.web._routes.viewer import Admin, Form, Posted, Rater, Site, there
from assize.web._tasks import kind_of
from assize.web._web import Web

router = APIRouter()

P = ParamSpec("P")


@router.get("/monitor/{task}/disputed")
async def disputed(web: Site, task: str, viewer: Admin) -> Response:
    """The items on which raters disagree most."""
    defined = task_of_name(web, task)
    report, _ = await rater_report(web, defined)
    known = await web.store.read(discussions_of, task=task)
    rows, there = report.disputed if report else (), {row.key: row for row in known}
    return page(web, viewer, "discussion/disputed.html", task=defined, rows=rows, there=there)


@router.post("/monitor/{task}/disputed")
async def open_one(web: Site, task: str, viewer: Admin, form: Form) -> Response:
    """Opens the discussion of an item."""
    item, defined = form.one("item"), task_of_name(web, task)
    number = await web.store.write(open_discussion, defined, item, viewer.id, web.clock())
    return RedirectResponse(f"/discussions/{number}", 303)


@router.get("/discussions")
async def mine(web: Site, viewer: Rater) -> Response:
    """The discussions in which I may take part; a lead's are all."""
    person = None if viewer.is_admin else viewer.id
    rows = await web.store.read(discussions_of, person=person)
    titles = {task.name: task.title for task in web.project.tasks}
    return page(web, viewer, "discussion/list.html", discussions=rows, titles=titles)


@router.get("/discussions/{number}")
async def show(web: Site, number: int, viewer: Rater) -> Response:
    """One discussion."""
    return await _shown(web, viewer, number)


@router.post("/discussions/{number}/say")
async def speak(web: Site, number: int, viewer: Rater, form: Form) -> Response:
    """Adds a message."""
    return await _done(web, viewer, number, say, viewer.id, form.one("text"), web.clock())


@router.post("/discussions/{number}/settle")
async def decide(web: Site, number: int, viewer: Admin, form: Form) -> Response:
    """Settles it with the lead's answers on the item's form, where they are whole."""
    open_ = await web.store.read(_mine, web, viewer, number)
    task = task_of_name(web, open_.task)
    filled = fill(kind_of(task).form(task, open_.record), form.values)
    if filled.problems:
        return await _shown(web, viewer, number, form=form, problems=filled.problems)
    answers, reason = filled.answers, form.one("page.reason")
    return await _done(web, viewer, number, settle, viewer.id, answers, reason, web.clock())


@router.post("/discussions/{number}/reopen")
async def take_back(web: Site, number: int, viewer: Admin, form: Form) -> Response:
    """Opens it again."""
    return await _done(web, viewer, number, reopen)


async def _done(
    web: Web,
    viewer: Viewer,
    number: int,
    act: Callable[Concatenate[Connection, Discussion, P], Any],
    *given: P.args,
    **named: P.kwargs,
) -> Response:
    """Acts on a discussion as it is when it is written; then shows it."""

    def whole(connection: Connection) -> None:
        act(connection, _mine(connection, web, viewer, number), *given, **named)

    try:
        await web.store.write(whole)
    except ConfigError as error:
        return await _shown(web, viewer, number, problem=str(error))
    return RedirectResponse(f"/discussions/{number}", 303)


def _mine(connection: Connection, web: Web, viewer: Viewer, number: int) -> Discussion:
    """A discussion that the viewer may see."""
    lead, tasks = viewer.is_admin, web.project.tasks
    return there(discussion(connection, tasks, number, viewer.id, lead=lead))


async def _shown(
    web: Web,
    viewer: Viewer,
    number: int,
    *,
    form: Posted | None = None,
    problems: Mapping[str, str] | None = None,
    problem: str = "",
) -> Response:
    found = await web.store.read(_mine, web, viewer, number)
    task = task_of_name(web, found.task)
    kind = kind_of(task)
    fields = kind.form(task, found.record)
    answers = None if form is None else drafted(fields, form.values)
    questions = view(fields, answers if found.is_open else found.settled, problems)
    mine = viewer.is_admin or not found.is_open  # raters answered on their own pages
    return page(
        web,
        viewer,
        "discussion/discussion.html",
        status=422 if problem or problems else 200,
        found=found,
        task=task,
        kind=kind,
        shown=kind.shown(task, found.record, None),
        view=questions if mine else None,
        problem=problem,
        longest=LONGEST,
        words=words,
    )
