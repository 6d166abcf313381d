"""The app: its routes, what guards them, and what its errors look like."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DataError as Unstorable
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from assize.base.errors import AssizeError
from assize.results.log import log
from assize.web._project import Project
from assize.web._rendering import page
from assize.web._routes.viewer import NotFound, Refused, SignInNeeded
from assize.web._security import Guard
from assize.web._storage import Store
from assize.web._web import Web, web_of

STATIC = Path(__file__).with_name("static")
ROUTES = (  # what is asked most often is looked for first
    "rating",
    "sign_in",
    "people",
    "admin",
    "exports",
    "home",
    "past",
    "collect",
    "monitor",
    "discussion",
    "dashboard",
)


def create_app(
    project: Project,
    store: Store,
    *,
    url: str = "",
    open: bool = False,
    clock: Callable[[], float] = time.time,
    allow: Collection[str] = (),
) -> FastAPI:
    """The web app of a project.

    Args:
        store: its database; who opened it closes it.
        url: where people reach it, for links; with `https:` cookies are sent over TLS alone.
        open: whether whoever looks is the one local user, an admin.
        clock: seconds since 1970.
        allow: models and addresses that the project's files may reach.
    """

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, exception_handlers=_ERRORS)
    app.state.web = Web(project, store, url, open, clock, allow=frozenset(allow))
    app.mount("/static", _Static(directory=STATIC), name="static")
    for name in ROUTES:
        app.include_router(import_module(f"assize.web._routes.{name}").router)
    app.add_middleware(Guard, local=open)
    return app


class _Static(StaticFiles):
    """Files whose address holds their hash may be kept for ever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        found = await super().get_response(path, scope)
        if scope.get("query_string"):
            found.headers["cache-control"] = "public, max-age=31536000, immutable"
        return found


async def _sign_in(request: Request, _: Exception) -> Response:
    if request.method != "GET":
        return _told(request, 401, "Please sign in", "You were signed out. Sign in and send again.")
    where = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return RedirectResponse(f"/sign-in?next={quote(where, safe='')}", 303)


async def _not_found(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    if status == 404:
        return _told(request, 404, "Not found", "There is no such page, or it is not yours.")
    return _told(request, status, "Not possible", "This cannot be done here.")


async def _refused(request: Request, error: Exception) -> Response:
    return _told(request, 400, "This was not done", str(error))


async def _left(request: Request, _: Exception) -> Response:
    """Say in one line that a form was not sent whole; nobody gets the answer."""
    log.warning("%s %s: the client went away", request.method, request.url.path)
    return Response(status_code=400)


def _told(request: Request, status: int, title: str, text: str) -> Response:
    return page(web_of(request), None, "error.html", status=status, title=title, text=text)


_ERRORS: dict[int | type[Exception], Any] = {
    SignInNeeded: _sign_in,
    NotFound: _not_found,
    HTTPException: _not_found,
    RequestValidationError: _not_found,  # this and the two below: no id that can be
    OverflowError: _not_found,
    Unstorable: _not_found,
    Refused: _refused,
    AssizeError: _refused,
    ClientDisconnect: _left,
}
