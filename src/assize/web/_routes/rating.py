"""The page on which items are rated, and all that can be done on it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from sqlalchemy import Connection
from starlette.responses import RedirectResponse, Response

from assize.base.errors import DataError
from assize.web._accounts.viewer import Viewer
from assize.web._forms import fill
from assize.web._queue import (
    Assignment,
    Gone,
    Nothing,
    Stale,
    next_assignment,
    save_draft,
    skip,
    step,
    submit,
    undo,
)
from assize.web._queue.passing_on import pass_on
from assize.web._raters.comments import add_comment
from assize.web._raters.work import SKIP_REASONS, Work, work_on
from assize.web._routes.rating_pages import (
    AFTER,
    STATES,
    WITHDRAWN,
    Asked,
    Told,
    about,
    again,
    asked_in,
    gone_page,
    item_page,
    next_page,
    no_item_page,
    past_page,
    stale_page,
)
from assize.web._routes.viewer import Form as PostedForm
from assize.web._routes.viewer import NotFound, Posted, Rater, Site
from assize.web._tasks.proofread import Proofread
from assize.web._tasks.write import Write

router = APIRouter()

MOST = 1_000  # characters of the words beside a skip's reason
Remark = Literal["comment", "flag"]


async def own(request: Request, number: int, viewer: Rater, form: PostedForm) -> Asked:
    """A form about an assignment of who sends it."""
    return await about(request, number, viewer, form)


Own = Annotated[Asked, Depends(own)]


@router.get("/rate/{number}")
async def show(request: Request, number: int, viewer: Rater) -> Response:
    """An item of mine: to be answered, or what I answered, to be changed."""
    asked = await about(request, number, viewer, Posted({}))
    if asked.one.state == "withdrawn":
        return await no_item_page(asked, Told("warning", WITHDRAWN), 200)
    told = AFTER.get(request.query_params.get("after", ""), STATES.get(asked.one.state))
    return await item_page(asked, told=told)


@router.post("/rate/{number}")
async def answer(
    request: Request, number: int, viewer: Rater, web: Site, form: PostedForm
) -> Response:
    """Takes the answers; returns the next item, or the same with what must be put right."""
    now = web.clock()
    try:
        sent = await web.store.write(_sent, request, number, viewer, form, now)
    except Stale:
        return await stale_page(await about(request, number, viewer, form))
    except Gone as error:
        return await gone_page(await about(request, number, viewer, form), error, now)
    asked = sent.asked
    if sent.problems:
        return await item_page(asked, problems=sent.problems, status=422, answers=asked.draft)
    await _pass_on(asked)
    if sent.found is None:
        return past_page(asked)
    return await next_page(asked, sent.found, "saved", sent.work)


@dataclass(frozen=True, slots=True)
class _Sent:
    """What became of a form that was sent.

    Args:
        problems: by field, what must be put right; nothing was taken then.
        found: the next item; None where a past answer was changed.
        work: the next item as its page shows it, where that is the answer.
    """

    asked: Asked
    problems: Mapping[str, str] = field(default_factory=dict)
    found: Assignment | Nothing | None = None
    work: Work | None = None


def _sent(
    connection: Connection, request: Request, number: int, viewer: Viewer, form: Posted, now: float
) -> _Sent:
    """Takes a form's answers and looks up what comes next, all in one transaction."""
    asked = asked_in(connection, request, number, viewer, form)
    filled = fill(asked.fields, form.values)
    if filled.problems:
        return _Sent(asked, filled.problems)
    given = (connection, asked.task, number, viewer.id, asked.revision, filled.answers)
    if form.one("page.from") == "past":
        submit(*given, now=now, seconds=asked.seconds, version=asked.version)
        return _Sent(asked)
    after = step(*given, now=now, seconds=asked.seconds, version=asked.version)
    if not asked.partial or isinstance(after.found, Nothing):
        return _Sent(asked, found=after.found)
    work = work_on(connection, asked.task, after.found, after=after)
    return _Sent(asked, found=after.found, work=work)


@router.post("/rate/{number}/skip")
async def pass_over(asked: Own) -> Response:
    """Skips the item with a reason: unscored."""
    chosen, words = asked.form.one("page.skip"), asked.form.one("page.skip_words").strip()
    reason = ": ".join(one for one in (chosen, words[:MOST]) if one)
    if chosen not in SKIP_REASONS:
        problem = "Please choose why."
        return await item_page(asked, skip_problem=problem, status=422, answers=asked.draft)
    try:
        found = await asked.web.store.write(_skip_step, asked, reason, asked.web.clock())
    except Stale:
        return await stale_page(asked)
    except Gone as error:
        return await gone_page(asked, error, asked.web.clock())
    await _pass_on(asked)
    return await next_page(asked, found, "skipped")


@router.post("/rate/{number}/undo")
async def take_back(asked: Own) -> Response:
    """Opens the last submission again, with its answers."""
    try:
        found = await asked.web.store.write(
            undo, asked.task, asked.one.id, asked.viewer.id, asked.revision, now=asked.web.clock()
        )
    except Stale:
        found = (await again(asked)).one
    except Gone as error:
        return await no_item_page(asked, Told("warning", f"This cannot be undone: {error}."), 409)
    await _pass_on(asked)
    return await next_page(asked, found, "undone")


async def _pass_on(asked: Asked) -> None:
    """Gives proofreaders what a writer has sent, or takes it back."""
    if asked.task.kind in (Write.name, Proofread.name):
        await run_in_threadpool(asked.web.store.write_now, pass_on, asked.web.project.tasks)


@router.post("/rate/{number}/draft")
async def keep(asked: Own) -> Response:
    """Keeps what is filled in so far."""
    try:
        await asked.web.store.write(
            save_draft,
            asked.task,
            asked.one.id,
            asked.viewer.id,
            asked.revision,
            asked.draft,
            now=asked.web.clock(),
            seconds=asked.seconds,
        )
    except (Stale, Gone) as error:
        return Response(str(error), 409)
    return Response(status_code=204)


@router.post("/rate/{number}/flag")
async def flag(asked: Own) -> Response:
    """Tells the lead that something is wrong with the item."""
    return await _remark(asked, "flag", "page.flag")


@router.post("/rate/{number}/comment")
async def comment(asked: Own) -> Response:
    """Says something about the item."""
    if not asked.task.comments:
        raise NotFound
    return await _remark(asked, "comment", "page.comment")


async def _remark(asked: Asked, kind: Remark, name: str) -> Response:
    """Keeps a remark and what is filled in; the item stays."""
    try:
        await asked.web.store.write(_remarked, asked, kind, asked.form.one(name), asked.web.clock())
    except DataError as error:
        return await item_page(
            asked, told=Told("warning", str(error)), status=422, answers=asked.draft
        )
    if asked.partial:
        return await item_page(await again(asked), told=AFTER[kind], answers=asked.draft)
    return RedirectResponse(f"/rate/{asked.one.id}?after={kind}", 303)


def _remarked(connection: Connection, asked: Asked, kind: Remark, text: str, now: float) -> None:
    add_comment(connection, asked.one, kind, text, now)
    with suppress(Stale, Gone):
        save_draft(
            connection,
            asked.task,
            asked.one.id,
            asked.viewer.id,
            asked.revision,
            asked.draft,
            now=now,
            seconds=asked.seconds,
        )


def _skip_step(
    connection: Connection, asked: Asked, reason: str, now: float
) -> Assignment | Nothing:
    task, person, number = asked.task, asked.viewer.id, asked.one.id
    skip(
        connection,
        task,
        number,
        person,
        asked.revision,
        reason,
        now=now,
        seconds=asked.seconds,
        version=asked.version,
    )
    return next_assignment(connection, task, person, now)
