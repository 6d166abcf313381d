"""One's own account, and the people of a project as leads see them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from fastapi import APIRouter, Request
from sqlalchemy import Connection, Row
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from assize.base.errors import DataError
from assize.results.log import log
from assize.web._accounts.invitations import (
    invite,
    invite_to_new_password,
    open_invitations,
    revoke,
)
from assize.web._accounts.leaving import Fate, leave
from assize.web._accounts.own_data import given_consents, own_data
from assize.web._accounts.passwords import matches
from assize.web._accounts.people import (
    listed,
    person_of,
    set_disabled,
    set_password,
    set_role,
)
from assize.web._accounts.sessions import cookie_name, end_sessions
from assize.web._accounts.viewer import Role, Viewer
from assize.web._dashboards import forget_ratings
from assize.web._rendering import csv_file, page
from assize.web._routes.sign_in import chosen_password
from assize.web._routes.viewer import Admin, Form, NotFound, Posted, Rater, Refused, Site, there
from assize.web._web import Web

router = APIRouter()
MOST_LINKS = 200  # made at once
DAYS = (1, 7, 14, 30, 90)  # that a link may hold


@router.get("/me")
async def own_page(viewer: Rater, web: Site) -> Response:
    """Password, consents, own data, leaving."""
    return await _own(web, viewer)


@router.post("/me/password")
async def change_password(request: Request, viewer: Rater, web: Site, form: Form) -> Response:
    """Changes the password and signs out everywhere else."""
    try:
        await _own_password(web, viewer, form.one("present"))
        kept = await chosen_password(form, viewer.name)
    except DataError as problem:
        return await _own(web, viewer, 400, problem=str(problem))
    token = request.cookies.get(cookie_name(web.secure))
    await web.store.write(_keep_password, viewer.id, kept, token)
    return await _own(web, viewer, done="The password is changed. All other sessions have ended.")


@router.post("/me/sign-out-elsewhere")
async def sign_out_elsewhere(request: Request, viewer: Rater, web: Site, form: Form) -> Response:
    """Ends all sessions but this."""
    token = request.cookies.get(cookie_name(web.secure))
    await web.store.write(end_sessions, viewer.id, but=token)
    return await _own(web, viewer, done="All other sessions have ended.")


@router.get("/me/data.json")
async def download_own_data(viewer: Rater, web: Site) -> Response:
    """All that this person wrote or agreed to."""
    found = await web.store.read(own_data, viewer.id)
    return Response(
        json.dumps(found, indent=1),
        media_type="application/json",
        headers={"content-disposition": 'attachment; filename="my-data.json"'},
    )


@router.post("/me/leave")
async def leave_now(viewer: Rater, web: Site, form: Form) -> Response:
    """Deletes one's own account."""
    try:
        fate = _fate(form)
        await _own_password(web, viewer, form.one("password"))
        await web.store.write(leave, viewer.id, web.clock(), fate)
        await run_in_threadpool(forget_ratings, web)
        log.warning("person %d deleted their account; answers: %s", viewer.id, fate)
    except DataError as problem:
        return await _own(web, viewer, 400, problem=str(problem))
    gone = page(
        web,
        None,
        "error.html",
        title="Your account is deleted",
        text="Thank you for your work." if fate == "keep" else "Your answers are removed.",
    )
    gone.delete_cookie(cookie_name(web.secure), secure=web.secure, httponly=True, samesite="lax")
    return gone


@router.get("/admin/people")
async def people_page(viewer: Admin, web: Site) -> Response:
    """Everybody, and the links that are open."""
    return await _people(web, viewer)


@router.post("/admin/people/invite")
async def make_links(viewer: Admin, web: Site, form: Form) -> Response:
    """Makes links and shows them, once."""
    try:
        links = await _made(web, viewer, form)
    except DataError as problem:
        return await _people(web, viewer, 400, problem=str(problem), given=_given(form))
    if form.one("as") == "csv":
        return csv_file("links", [("name", "link"), *links])
    return await _people(web, viewer, links=links)


@router.post("/admin/people/revoke")
async def take_back(viewer: Admin, web: Site, form: Form) -> Response:
    """Takes a link back."""
    if not await web.store.write(revoke, form.one("id")):
        raise NotFound
    return RedirectResponse("/admin/people#links", 303)


@router.get("/admin/people/{number}")
async def person_page(viewer: Admin, web: Site, number: int) -> Response:
    """One person."""
    return await _person(web, viewer, number)


@router.post("/admin/people/{number}/role")
async def change_role(viewer: Admin, web: Site, form: Form, number: int) -> Response:
    """Makes a rater an admin, or the other way."""
    role = form.one("role")
    if role not in ("rater", "admin"):
        raise Refused("Choose a role: rater or admin.")
    return await _tried(web, viewer, number, set_role, cast("Role", role))


@router.post("/admin/people/{number}/disabled")
async def shut_out(viewer: Admin, web: Site, form: Form, number: int) -> Response:
    """Shuts somebody out, or lets them in again."""
    return await _tried(web, viewer, number, set_disabled, form.one("disabled") == "yes")


@router.post("/admin/people/{number}/password")
async def new_password_link(viewer: Admin, web: Site, form: Form, number: int) -> Response:
    """A link by which somebody chooses a new password."""
    await _found(web, number)
    try:
        token = await web.store.write(
            invite_to_new_password, number, web.clock(), made_by=viewer.id
        )
    except DataError as problem:
        return await _person(web, viewer, number, 400, problem=str(problem))
    return await _person(web, viewer, number, link=_link(web, token))


@router.post("/admin/people/{number}/delete")
async def delete(viewer: Admin, web: Site, form: Form, number: int) -> Response:
    """Deletes somebody's account, their answers with it or under a pseudonym."""
    try:
        fate = _fate(form)
    except DataError as problem:
        return await _person(web, viewer, number, 400, problem=str(problem))
    answer = await _tried(web, viewer, number, leave, web.clock(), fate)
    await run_in_threadpool(forget_ratings, web)
    return answer


async def _own(web: Web, viewer: Viewer, status: int = 200, **values: Any) -> Response:
    consents = await web.store.read(given_consents, viewer.id)
    known = {"problem": "", "done": "", **values, "consents": consents}
    return page(web, viewer, "accounts/me.html", status=status, **known)


async def _own_password(web: Web, viewer: Viewer, given: str) -> None:
    person = await web.store.read(person_of, viewer.id)
    if web.open or person is None or not await matches(person.password, given):
        raise DataError("This is not your present password.")


def _keep_password(connection: Connection, person: int, kept: str, token: str | None) -> None:
    set_password(connection, person, kept)
    end_sessions(connection, person, but=token)


def _fate(form: Posted) -> Fate:
    fate = form.one("answers")
    if fate not in ("keep", "remove"):
        raise DataError("Choose what becomes of the answers: kept under a pseudonym, or removed.")
    if form.one("sure") != "yes":
        raise DataError("Tick the box that says that you are sure: this cannot be taken back.")
    return cast("Fate", fate)


async def _people(web: Web, viewer: Viewer, status: int = 200, **values: Any) -> Response:
    known = {
        "problem": "",
        "links": (),
        "given": _given(Posted({})),
        **values,
        "people": await web.store.read(listed),
        "days": DAYS,
        "invitations": await web.store.read(open_invitations, web.clock()),
    }
    return page(web, viewer, "admin/people.html", status=status, **known)


def _given(form: Posted) -> dict[str, str]:
    return {name: form.one(name) for name in ("names", "count", "role", "task", "days")}


async def _made(web: Web, viewer: Viewer, form: Posted) -> list[tuple[str, str]]:
    """Names, "" where they are open, and links."""
    names: list[str | None] = [one.strip() for one in form.one("names").splitlines() if one.strip()]
    count = form.one("count", "1")
    if not names:
        if not count.isdecimal() or not 1 <= int(count) <= MOST_LINKS:
            raise DataError(f"Make from 1 to {MOST_LINKS} links at a time.")
        names = [None] * int(count)
    if len(names) > MOST_LINKS:
        raise DataError(f"Make at most {MOST_LINKS} links at a time, not {len(names)}.")
    role, task, days = form.one("role"), form.one("task"), form.one("days")
    if role not in ("rater", "admin") or days not in map(str, DAYS):
        raise DataError("Choose a role, and how long the link holds.")
    if task and web.project.task(task) is None:
        raise DataError(f"There is no task {task!r}.")
    how = {"role": role, "task": task or None, "made_by": viewer.id, "valid": float(days) * 86400}
    tokens = await web.store.write(_make_links, names, web.clock(), how)
    return [(name or "", _link(web, one)) for name, one in zip(names, tokens, strict=True)]


def _make_links(
    connection: Connection, names: Sequence[str | None], now: float, how: Mapping[str, Any]
) -> list[str]:
    """All or none of them."""
    return [invite(connection, now, name=name, **how) for name in names]


def _link(web: Web, token: str) -> str:
    return f"{web.url}/invitation/{token}"


async def _found(web: Web, number: int) -> Row[Any]:
    return there(await web.store.read(person_of, number))


async def _person(
    web: Web, viewer: Viewer, number: int, status: int = 200, **values: Any
) -> Response:
    known = {"problem": "", "link": "", **values, "person": await _found(web, number)}
    return page(web, viewer, "admin/person.html", status=status, **known)


async def _tried(
    web: Web, viewer: Viewer, number: int, change: Callable[..., Any], *values: Any
) -> Response:
    """The person's page again, changed or with what stands against it."""
    await _found(web, number)
    try:
        await web.store.write(change, number, *values)
    except DataError as problem:
        return await _person(web, viewer, number, 400, problem=str(problem))
    log.warning("%s: %s of person %d %s", viewer.name, change.__name__, number, values)
    return RedirectResponse(f"/admin/people/{number}", 303)
