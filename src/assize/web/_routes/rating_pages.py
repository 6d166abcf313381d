"""What the page of an item answers with: the item, the next one, or why there is none.

With scripts only the item and its form are exchanged (htmx); without them every form sends and
redirects. Both send the same fields to the same addresses.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from fastapi import Request
from sqlalchemy import Connection
from starlette.responses import RedirectResponse, Response

from assize.web._accounts.viewer import Viewer
from assize.web._forms import Answers, Form
from assize.web._queue import Assignment, Gone, Held, Nothing, held, read_participant
from assize.web._queue.assignment import Why
from assize.web._raters.home import card, progress
from assize.web._raters.work import SKIP_REASONS, Work, drafted, keep_late, last_of, work_on
from assize.web._rendering import page
from assize.web._routes.home import task_of_name, task_texts, where_ended
from assize.web._routes.viewer import Posted, there
from assize.web._tasks import Task, kind_of
from assize.web._web import Web, web_of


@dataclass(frozen=True, slots=True)
class Told:
    """What is said above the item; `kind` is a class of the sheet: note, warning, done."""

    kind: str
    text: str


AFTER = {
    "saved": Told("done", "Saved."),
    "skipped": Told("done", "Skipped."),
    "undone": Told("note", "Opened again. It does not count until you submit it."),
    "flag": Told("done", "The lead will see your flag."),
    "comment": Told("done", "Your comment is kept."),
    "passed": Told("done", "You passed the qualification. From here on your answers count."),
    "failed": Told("warning", "The qualification is over: too few answers were as expected."),
    "again": Told(
        "warning",
        "Too few answers were as expected. Look at the instructions again: here is another try.",
    ),
}
STATES = {
    "done": Told(
        "note", "You answered this before. What you change replaces it; the history stays."
    ),
    "skipped": Told("note", "You skipped this. You can still answer it."),
    "expired": Told(
        "note",
        "Your time for this item ran out, but your draft is here. You can submit it as long as"
        " nobody else was given the item.",
    ),
}
STALE = (
    "This item was answered in another window meanwhile. Below stands what you entered here:"
    " submit it to replace the other answer, or leave this page to keep that."
)
LATE = (
    "Your time for this item had run out, and others have it by now, or it is closed. Your answer"
    " was not counted. It is kept as a draft among your past answers."
)
WITHDRAWN = "This item was given to somebody else. There is nothing to do here."


@dataclass(frozen=True, slots=True)
class Asked:
    """A request about an assignment of who asks."""

    web: Web
    viewer: Viewer
    form: Posted
    task: Task
    held: Held
    partial: bool  # whether htmx asks for the item and its form alone

    @property
    def one(self) -> Assignment:
        """The assignment."""
        return self.held.one

    @property
    def revision(self) -> int:
        """The one that the form was shown with; -1 is none."""
        found = self.number("page.revision")
        return -1 if found is None else found

    @property
    def version(self) -> int | None:
        """Of the task, that the form was shown with; None is none."""
        return self.number("page.version")

    def number(self, name: str) -> int | None:
        """A number that the form carries along; None where it has none."""
        given = self.form.one(name)
        return int(given) if given.isdecimal() and len(given) < 10 else None

    @property
    def seconds(self) -> float:
        """Of work since anything was saved."""
        try:
            found = float(self.form.one("page.seconds", "0"))
        except ValueError:
            return 0.0
        return found if math.isfinite(found) else 0.0

    @property
    def fields(self) -> Form:
        """What is asked of the item."""
        return kind_of(self.task).form(self.task, self.one.read())

    @property
    def draft(self) -> dict[str, str | list[str]]:
        """What stands in the form, unchecked."""
        return drafted(self.fields, self.form.values)


async def about(request: Request, number: int, viewer: Viewer, form: Posted) -> Asked:
    """The request, if the assignment is theirs; else it is not found."""
    return web_of(request).store.read_now(asked_in, request, number, viewer, form)


def asked_in(
    connection: Connection,
    request: Request,
    number: int,
    viewer: Viewer,
    form: Posted,
) -> Asked:
    """As `about`, where a transaction is under way."""
    web = web_of(request)
    found = there(held(connection, number, viewer.id))
    partial = request.headers.get("hx-request") == "true" and request.method == "POST"
    return Asked(web, viewer, form, task_of_name(web, found.task), found, partial)


async def next_page(
    asked: Asked, found: Assignment | Nothing, after: str, work: Work | None = None
) -> Response:
    """The item that comes after one was saved, skipped or undone; or why there is none.

    Args:
        work: the item as its page shows it, where it was read already.
    """
    after = _qualified(asked.one, found) or after
    if isinstance(found, Nothing):
        where = where_ended(asked.task.name, found)
        if not asked.partial:
            return RedirectResponse(where, 303)
        pushed = {"hx-push-url": where}
        return await no_item_page(asked, AFTER[after], 200, ended=found.why, headers=pushed)
    where = f"/rate/{found.id}"
    if not asked.partial:
        return RedirectResponse(f"{where}?after={after}", 303)
    now = replace(asked, held=replace(asked.held, one=found))
    return await item_page(now, told=AFTER[after], headers={"hx-push-url": where}, work=work)


def past_page(asked: Asked) -> Response:
    """Back to the past answers, from which the item was opened."""
    where = f"/past?task={asked.task.name}&after=saved"
    if asked.partial:
        return Response(headers={"hx-redirect": where})
    return RedirectResponse(where, 303)


def _qualified(before: Assignment, now: Assignment | Nothing) -> str | None:
    """What the end of a qualification round means, a key of `AFTER`; None where none ended."""
    if before.purpose != "qualify":
        return None
    if isinstance(now, Nothing):
        return "failed" if now.why == "failed" else "passed"
    if now.purpose != "qualify":
        return "passed"
    return None if now.repeat == before.repeat else "again"


async def stale_page(asked: Asked) -> Response:
    """The item with what was entered here: it was answered elsewhere meanwhile."""
    told = Told("warning", STALE)
    return await item_page(await again(asked), told=told, status=409, answers=asked.draft)


async def gone_page(asked: Asked, error: Gone, now: float) -> Response:
    """That the answer came too late; it is kept as a draft."""
    kept = await asked.web.store.write(keep_late, asked.one.id, asked.viewer.id, asked.draft, now)
    return await no_item_page(asked, Told("warning", LATE if kept else f"Not taken: {error}."), 409)


async def again(asked: Asked) -> Asked:
    """The same with the assignment as it is now."""
    found = asked.web.store.read_now(held, asked.one.id, asked.viewer.id)
    return replace(asked, held=there(found))


async def item_page(
    asked: Asked,
    *,
    told: Told | None = None,
    problems: Mapping[str, str] | None = None,
    answers: Answers | None = None,
    skip_problem: str = "",
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    work: Work | None = None,
) -> Response:
    """An item and its form.

    Args:
        answers: what stands in the form; None is what was saved.
        problems: by field, what must be put right.
        work: both, where they were read already.
    """
    if work is None:
        work = await asked.web.store.read(work_on, asked.task, asked.one, answers, problems)
    past = asked.form.one("page.from") == "past" or (
        asked.one.state == "done" and not asked.form.values
    )
    values = {
        "work": work,
        "told": None if work.discussion else told,
        "past": past,
        "skip_problem": skip_problem,
        "skip_reasons": SKIP_REASONS,
        "asked_to_skip": asked.form.one("page.skip"),
        "total": await _total(asked),
    }
    return await _page(asked, values, status, headers)


async def _total(asked: Asked) -> int:
    """How many items there are for the rater: counted for a whole page, then carried along."""
    carried = asked.number("page.total")
    if carried is not None:
        return carried
    stands = await asked.web.store.read(read_participant, asked.task, asked.viewer.id)
    return (await asked.web.store.read(progress, asked.task, stands)).total


async def no_item_page(
    asked: Asked,
    told: Told,
    status: int,
    *,
    ended: Why | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """No item: what was told, and where to go on."""
    found = await asked.web.store.read(card, asked.task, asked.viewer.id, ended)
    last = await asked.web.store.read(last_of, asked.one.task, asked.viewer.id)
    return await _page(
        asked, {"work": None, "told": told, "card": found, "last": last}, status, headers
    )


async def _page(
    asked: Asked, values: dict[str, Any], status: int, headers: Mapping[str, str] | None
) -> Response:
    values["task"] = asked.task
    if asked.partial:
        return page(
            asked.web, asked.viewer, "rating/work.html", status=status, headers=headers, **values
        )
    texts = task_texts(asked.task)
    return page(
        asked.web,
        asked.viewer,
        "rating/rate.html",
        status=status,
        headers=headers,
        **values,
        **texts,
    )
