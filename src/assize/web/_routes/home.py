"""A rater's tasks: home, the task's first page, consent, instructions, and the start."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import RedirectResponse, Response

from assize.web._queue import Assignment, Nothing, next_assignment
from assize.web._queue.assignment import Why
from assize.web._raters.examples import shown_examples
from assize.web._raters.home import Card, agree, card, cards
from assize.web._rendering import page
from assize.web._routes.viewer import Form, NotFound, Rater, Site, there
from assize.web._tasks import Task, instructions_of, kind_of
from assize.web._web import Web

router = APIRouter()

ENDS: tuple[Why, ...] = ("finished", "wait", "allowance")


@router.get("/")
async def home(viewer: Rater, web: Site) -> Response:
    """My tasks."""
    found = await web.store.read(cards, web.project.tasks, viewer.id)
    return page(web, viewer, "rating/home.html", cards=found)


@router.get("/t/{task}")
async def task_page(request: Request, task: str, viewer: Rater, web: Site) -> Response:
    """What a task is about, what it asks for first, how far I am."""
    said = request.query_params.get("nothing")
    ended = next((one for one in ENDS if one == said), None)
    found, known = await web.store.read(_card, web, task, viewer.id, ended)
    return page(
        web,
        viewer,
        "rating/task.html",
        card=found,
        task=found.task,
        **known,
        disagreed=request.query_params.get("consent") == "no",
    )


@router.post("/t/{task}/consent")
async def consent(task: str, viewer: Rater, web: Site, form: Form) -> Response:
    """Agrees to the words that were shown."""
    asked = task_of_name(web, task)
    text = form.one("text").replace("\r\n", "\n")
    given = bool(form.one("agree")) and await web.store.write(
        agree, asked, viewer.id, text, web.clock()
    )
    return RedirectResponse(f"/t/{task}" if given else f"/t/{task}?consent=no", 303)


@router.get("/t/{task}/instructions")
async def instructions(task: str, viewer: Rater, web: Site) -> Response:
    """Instructions and worked examples on a page of their own."""
    found, known = await web.store.read(_card, web, task, viewer.id)
    return page(web, viewer, "rating/instructions.html", task=found.task, **known)


@router.post("/t/{task}/next")
async def start(task: str, viewer: Rater, web: Site, form: Form) -> Response:
    """Begins, or goes on: to the item left open, or a new one."""
    asked = task_of_name(web, task)
    found = await web.store.write(next_assignment, asked, viewer.id, web.clock())
    if isinstance(found, Assignment):
        return RedirectResponse(f"/rate/{found.id}", 303)
    begins = kind_of(asked).starts_at
    if begins and found.why in ("finished", "wait"):
        return RedirectResponse(begins.format(task=task), 307)  # the same form, sent there
    return RedirectResponse(where_ended(task, found), 303)


def where_ended(task: str, found: Nothing) -> str:
    """The address that says why there is no item."""
    return f"/t/{task}?nothing={found.why}" if found.why in ENDS else f"/t/{task}"


def task_of_name(web: Web, name: str) -> Task:
    """The project's task of that name."""
    return there(web.project.task(name))


def task_texts(task: Task) -> dict[str, Any]:
    """The instructions and worked examples, as the templates want them."""
    key = (task.path, task.hash)
    if key not in _TEXTS:
        _TEXTS[key] = {"instructions": instructions_of(task), "examples": shown_examples(task)}
    return _TEXTS[key]


_TEXTS: dict[tuple[str, str], dict[str, Any]] = {}  # examples are looked up in the task's files


def _card(
    connection: Connection, web: Web, name: str, person: int, ended: Why | None = None
) -> tuple[Card, dict[str, Any]]:
    task = task_of_name(web, name)
    found = card(connection, task, person, ended)
    if found.why == "not_invited":
        raise NotFound
    return found, task_texts(task)
