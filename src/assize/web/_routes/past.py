"""A rater's past answers, and their own speed."""

from __future__ import annotations

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import Response

from assize.web._raters.past import PAGE, Pace, Past, pace, past
from assize.web._rendering import page
from assize.web._routes.viewer import Rater
from assize.web._web import web_of

router = APIRouter()


@router.get("/past")
async def past_page(request: Request, viewer: Rater) -> Response:
    """What I answered, the newest first; each can be opened and changed."""
    web = web_of(request)
    asked = web.project.task(request.query_params.get("task", ""))
    given = request.query_params.get("page", "1")
    number = int(given) if given.isdecimal() and len(given) < 7 else 1
    name = None if asked is None else asked.name
    found, total, speed = await web.store.read(_past, viewer.id, name, max(number, 1))
    titles = {one.name: one.title for one in web.project.tasks}
    return page(
        web,
        viewer,
        "rating/past.html",
        past=found,
        total=total,
        pace=speed,
        task=asked,
        saved=request.query_params.get("after") == "saved",
        titles=titles,
        tasks=web.project.tasks,
        number=max(number, 1),
        pages=max(1, -(-total // PAGE)),
    )


def _past(
    connection: Connection, person: int, task: str | None, number: int
) -> tuple[list[Past], int, Pace]:
    found, total = past(connection, person, task, number)
    return found, total, pace(connection, person, task)
