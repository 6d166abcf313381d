"""A rater's past answers."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from assize.web._raters.past import PAGE, past
from assize.web._rendering import page
from assize.web._routes.viewer import Rater, Site

router = APIRouter()


@router.get("/past")
async def past_page(request: Request, viewer: Rater, web: Site) -> Response:
    """What I answered, the newest first; each can be opened and changed."""
    asked = web.project.task(request.query_params.get("task", ""))
    text = request.query_params.get("page", "1")
    number = max(int(text), 1) if text.isdecimal() and len(text) < 7 else 1
    name = None if asked is None else asked.name
    rows, total = await web.store.read(past, viewer.id, name, number)
    return page(
        web,
        viewer,
        "rating/past.html",
        past=rows,
        total=total,
        task=asked,
        saved=request.query_params.get("after") == "saved",
        titles={one.name: one.title for one in web.project.tasks},
        tasks=web.project.tasks,
        number=number,
        pages=max(1, -(-total // PAGE)),
    )
