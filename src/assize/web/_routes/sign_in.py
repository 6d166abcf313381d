"""Signing in and out, and accepting an invitation."""

from __future__ import annotations

import math
import re
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from sqlalchemy import Row
from starlette.responses import RedirectResponse, Response

from assize.base.errors import DataError
from assize.web._accounts.invitations import LinkRefused, accept, invitation_of
from assize.web._accounts.names import checked_name
from assize.web._accounts.passwords import check_password, hashed
from assize.web._accounts.people import names_in_use
from assize.web._accounts.sessions import LONGEST, cookie_name, end_session
from assize.web._accounts.signing_in import sign_in
from assize.web._accounts.viewer import Viewer
from assize.web._rendering import page
from assize.web._routes.viewer import Anyone, Form, Posted, Rater, Site, posted
from assize.web._web import Web

router = APIRouter()
_LOCAL = re.compile(r"/(?![/\\])[!-\[\]-~]*")


def local_path(wanted: str) -> str:
    """Where to go on: a path of this server; anything else is `/`.

    >>> local_path("/t/chats?page=2"), local_path("//evil.example"), local_path("https://e.example")
    ('/t/chats?page=2', '/', '/')
    """
    return wanted if _LOCAL.fullmatch(wanted) else "/"


@router.get("/sign-in")
async def sign_in_page(viewer: Anyone, web: Site, next: str = "/") -> Response:
    """The form; who is signed in goes on."""
    if viewer is not None:
        return RedirectResponse(local_path(next), 303)
    return _form(web, next=next)


@router.post("/sign-in")
async def sign_in_now(request: Request, viewer: Anyone, web: Site) -> Response:
    """Signs in and goes on, or says that it failed."""
    form = await posted(request, None)
    if web.open:
        return RedirectResponse("/", 303)
    name, next = form.one("name"), form.one("next", "/")
    before = request.cookies.get(cookie_name(web.secure))
    done = await sign_in(
        web.store,
        web.throttle,
        name,
        form.one("password"),
        address="" if request.client is None else request.client.host,
        now=web.clock(),
        before=before,
    )
    if done.token is not None:
        return _entered(web, done.token, local_path(next))
    if done.wait > 0:
        wait = math.ceil(done.wait)
        problem = f"Too many attempts failed. Try again in {wait} seconds."
        return _form(web, 429, {"retry-after": str(wait)}, name=name, next=next, problem=problem)
    problem = "Name and password do not belong together."
    return _form(web, 403, name=name, next=next, problem=problem)


@router.post("/sign-out")
async def sign_out(request: Request, viewer: Rater, web: Site, form: Form) -> Response:
    """Ends this session."""
    name = cookie_name(web.secure)
    token = request.cookies.get(name)
    if token is not None:
        await web.store.write(end_session, token)
    gone = RedirectResponse("/sign-in", 303)
    gone.delete_cookie(name, secure=web.secure, httponly=True, samesite="lax")
    return gone


@router.get("/invitation/{token}")
async def invitation_page(viewer: Anyone, web: Site, token: str) -> Response:
    """What a link offers; looking at it changes nothing."""
    try:
        found = await web.store.read(invitation_of, token, web.clock())
    except LinkRefused as refused:
        return _no_link(web, viewer, str(refused))
    return _offer(web, viewer, found)


@router.post("/invitation/{token}")
async def accept_invitation(viewer: Anyone, web: Site, form: Form, token: str) -> Response:
    """Makes the account, signs in, and leads to the task."""
    try:
        found = await web.store.read(invitation_of, token, web.clock())
        session = await _accepted(web, token, found, form)
    except LinkRefused as refused:
        return _no_link(web, viewer, str(refused))
    except DataError as problem:
        return _offer(web, viewer, found, 400, name=form.one("name"), problem=str(problem))
    to = "/" if found.task is None else f"/t/{quote(found.task, safe='')}"
    return _entered(web, session, to)


async def _accepted(web: Web, token: str, found: Row[Any], form: Posted) -> str:
    """The token of the new session; the name is looked at before the costly hash is made."""
    name = found.name or form.one("name")
    if found.purpose != "password":
        checked_name(name, await web.store.read(names_in_use))
    kept = await chosen_password(form, name)
    return await web.store.write(accept, token, name, kept, web.clock())


async def chosen_password(form: Posted, name: str) -> str:
    """Return the password that somebody chose, hashed.

    Raises:
        DataError: it is too weak, or was not written twice.
    """
    password = form.one("password")
    check_password(password, name)
    if password != form.one("again"):
        raise DataError("The two passwords differ.")
    return await hashed(password)


def _form(
    web: Web, status: int = 200, headers: dict[str, str] | None = None, **values: Any
) -> Response:
    known = {"name": "", "problem": "", **values, "next": local_path(values["next"])}
    return page(web, None, "accounts/sign_in.html", status=status, headers=headers, **known)


def _offer(
    web: Web, viewer: Viewer | None, found: Row[Any], status: int = 200, **values: Any
) -> Response:
    known = {"invitation": found, "name": found.name or "", "problem": "", **values}
    return page(web, viewer, "accounts/invitation.html", status=status, **known)


def _no_link(web: Web, viewer: Viewer | None, text: str) -> Response:
    return page(web, viewer, "error.html", status=404, title="This link does not hold", text=text)


def _entered(web: Web, token: str, to: str) -> Response:
    answer = RedirectResponse(to, 303)
    answer.set_cookie(
        cookie_name(web.secure),
        token,
        max_age=int(LONGEST),
        path="/",
        secure=web.secure,
        httponly=True,
        samesite="lax",
    )
    return answer
