"""Dashboards: how answers are spread, what lies in a region, conversations, versions, time."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from assize.base.errors import ConfigError
from assize.web._dashboard.definition import (
    Dashboard,
    check_addresses,
    read_dashboards,
    without_answers,
)
from assize.web._dashboard.figures.charts import Look
from assize.web._dashboard.figures.periods import FIGURES
from assize.web._dashboard.figures.selection import Region
from assize.web._dashboard.figures.shares import answer_at
from assize.web._dashboard.figures.worth import has_worth
from assize.web._dashboard.opened import OpenViews
from assize.web._dashboard.own import own_source, task_in
from assize.web._dashboard.prepared.view import View
from assize.web._dashboard.shown.addresses import address
from assize.web._dashboard.shown.comparisons import (
    interval_said,
    shown_time,
    shown_versions,
    shown_worth,
)
from assize.web._dashboard.shown.conversation import read_conversation
from assize.web._dashboard.shown.page import (
    choices,
    main_number,
    ordered,
    picture_with_bands,
    pictures,
)
from assize.web._dashboard.shown.pictures import time_spec
from assize.web._dashboard.shown.regions import listed
from assize.web._dashboard.sources import OWN, Source, file_source
from assize.web._rendering import drawn, page, render
from assize.web._routes.viewer import Admin, NotFound, Refused
from assize.web._web import web_of

router = APIRouter()
SPANS = ("day", "week", "month")  # that a page over time offers, besides the dashboard's own


@router.get("/dashboards")
async def dashboards(request: Request, viewer: Admin) -> Response:
    """All dashboards of the project."""
    web = web_of(request)
    found = read_dashboards(web.project.folder)
    return page(
        web, viewer, "dashboard/list.html", dashboards=found, tasks=web.project.tasks, own=OWN
    )


@router.get("/dashboards/{name}")
async def dashboard(request: Request, name: str, viewer: Admin) -> Response:
    """Curves and figures of every question."""
    web, source = web_of(request), await _source(request, name)
    if request.headers.get("hx-request"):  # a page that waits
        ready = _views(request).settled(source)
        return Response(status_code=204, headers={"hx-refresh": "true"} if ready else {})
    view = await _view(request, source)
    if view is None:
        return page(web, viewer, "dashboard/preparing.html", status=202, dashboard=source.dashboard)
    look = _look(request, source.dashboard)
    found = await run_in_threadpool(pictures, view, source.dashboard, look)
    return page(
        web,
        viewer,
        "dashboard/show.html",
        dashboard=source.dashboard,
        view=view,
        look=look,
        choices=choices(view),
        pictures=found,
        worth=has_worth(source.dashboard),
        stale=view.made_of != source.key,
        draw=request.query_params.get("draw", ""),
        address=address,
    )


@router.get("/dashboards/{name}/bands")
async def bands(request: Request, name: str, viewer: Admin) -> Response:
    """One question's chart and figures with bands, as soon as they are worked out.

    Without a script the whole page follows, which then has them too.
    """
    source, view = await _open(request, name)
    look = _look(request, source.dashboard)
    views = _views(request)
    found = await asyncio.wrap_future(
        views.submit(picture_with_bands, view, source.dashboard, look)
    )
    draw = request.query_params.get("draw", "")
    if not request.headers.get("hx-request"):
        query = address(replace(look, question=""), draw=draw)
        return RedirectResponse(f"/dashboards/{quote(name)}?{query}", 303)
    values = {
        "picture": found,
        "look": look,
        "dashboard": source.dashboard,
        "address": address,
        "draw": draw,
    }
    return Response(render("dashboard/_picture.html", values), media_type="text/html")


@router.get("/dashboards/{name}/region")
async def region(request: Request, name: str, viewer: Admin) -> Response:
    """What lies in a region of a curve, or has an answer."""
    source, view = await _open(request, name)
    given = request.query_params
    look, curve = _look(request, source.dashboard), given.get("curve", "")
    question = view.question(look.question)
    if given.get("answer"):
        place = answer_at(question, given["answer"])
        found_region = Region(place, place)
    else:
        low, high = (given.get(name) or end for name, end in (("low", "-inf"), ("high", "inf")))
        found_region = Region(_number(low, "low"), _number(high, "high"))
    number = _whole(given.get("page", "1"))
    found = await run_in_threadpool(
        listed,
        view,
        look,
        found_region,
        curve=curve,
        page=number,
        main=main_number(view, source.dashboard),
    )
    return page(
        web_of(request),
        viewer,
        "dashboard/region.html",
        dashboard=source.dashboard,
        view=view,
        look=look,
        listed=found,
        question=question,
        choices=choices(view),
        address=address,
    )


@router.get("/dashboards/{name}/conversation")
async def conversation(request: Request, name: str, viewer: Admin) -> Response:
    """One conversation with all that was said about it."""
    source, view = await _open(request, name)
    try:
        found = await run_in_threadpool(read_conversation, view, request.query_params.get("id", ""))
    except ConfigError as error:
        raise NotFound from error
    return page(
        web_of(request),
        viewer,
        "dashboard/conversation.html",
        dashboard=source.dashboard,
        shown=found,
    )


@router.get("/dashboards/{name}/time")
async def time(request: Request, name: str, viewer: Admin) -> Response:
    """A figure over time; an answer or a figure that another question had counts for nothing."""
    source, view = await _open(request, name)
    given, look = request.query_params, _look(request, source.dashboard)
    questions = ordered(view, source.dashboard)
    if not look.question and questions:
        look = replace(look, question=questions[0].id)
    question = view.question(look.question)
    every = given.get("every") or source.dashboard.every
    figure, answer = given.get("figure") or "mean", given.get("answer", "")
    found = await asyncio.wrap_future(
        _views(request).submit(
            shown_time,
            view,
            source.dashboard,
            look,
            every,
            figure,
            answer if answer in question.answers else "",
        )
    )
    spec = time_spec(found, question)
    return page(
        web_of(request),
        viewer,
        "dashboard/time.html",
        dashboard=source.dashboard,
        view=view,
        look=look,
        found=found,
        drawing=await run_in_threadpool(drawn, spec),
        figures=FIGURES,
        choices=choices(view),
        questions=questions,
        question=question,
        every=every,
        spans=list(dict.fromkeys([*SPANS, source.dashboard.every, every])),
        intervals=interval_said(found.drawn, found.figure),
        address=address,
    )


@router.get("/dashboards/{name}/versions")
async def versions(request: Request, name: str, viewer: Admin) -> Response:
    """Two values of a field side by side."""
    source, view = await _open(request, name)
    given, look = request.query_params, _look(request, source.dashboard)
    by = look.by or ("system" if "system" in view.fields.names else "")
    words = tuple(view.fields.words[view.fields.place(by)]) if by else ()
    first, second = given.get("first", ""), given.get("second", "")
    found: Any = None
    if first and second:
        found = await asyncio.wrap_future(
            _views(request).submit(
                shown_versions, view, source.dashboard, by, first, second, look.panel, look.where
            )
        )
    return page(
        web_of(request),
        viewer,
        "dashboard/versions.html",
        dashboard=source.dashboard,
        view=view,
        look=look,
        by=by,
        words=words,
        first=first,
        second=second,
        found=found,
        unordered=[one for one in view.questions if one not in view.numbered],
        choices=choices(view),
        address=address,
    )


@router.get("/dashboards/{name}/worth")
async def worth(request: Request, name: str, viewer: Admin) -> Response:
    """What improving each question would be worth."""
    source, view = await _open(request, name)
    if not has_worth(source.dashboard):
        raise NotFound
    look = _look(request, source.dashboard)
    found = await asyncio.wrap_future(
        _views(request).submit(shown_worth, view, source.dashboard, look.by, look.where)
    )
    values: dict[str, Any] = {
        "dashboard": source.dashboard,
        "found": found,
        "look": look,
        "choices": choices(view),
        "address": address,
    }
    if request.headers.get("hx-request"):
        return Response(render("dashboard/_worth.html", values), media_type="text/html")
    return page(web_of(request), viewer, "dashboard/worth.html", **values)


def _views(request: Request) -> OpenViews:
    state = request.app.state
    if not hasattr(state, "open_views"):
        state.open_views = OpenViews(web_of(request).project.folder)
    found: OpenViews = state.open_views
    return found


async def _source(request: Request, name: str) -> Source:
    """Where its judgments come from, and what it says; `draw=expected` draws no answers."""
    found = await _found(request, name)
    if request.query_params.get("draw") != "expected":
        return found
    return replace(found, dashboard=without_answers(found.dashboard))


async def _found(request: Request, name: str) -> Source:
    web = web_of(request)
    task = web.project.task(task_in(name))
    if task is not None:
        return await web.store.read(own_source, web.store, task)
    for one in read_dashboards(web.project.folder):
        if one.name == name:
            check_addresses(one, web.allow)
            return file_source(one)
    raise NotFound


async def _view(request: Request, source: Source) -> View | None:
    return await run_in_threadpool(_views(request).get, source)


async def _open(request: Request, name: str) -> tuple[Source, View]:
    """A dashboard whose view is prepared."""
    source = await _source(request, name)
    view = await _view(request, source)
    if view is None:
        raise Refused("This dashboard is being prepared. Open its first page and wait there.")
    return source, view


def _look(request: Request, dashboard: Dashboard) -> Look:
    given = request.query_params
    return Look(
        given.get("question", ""),
        given.get("by", ""),
        given.get("judges", dashboard.judges),
        given.get("apart") == "1",
        given.get("kind", ""),
        given.get("where", ""),
    )


def _number(text: str, name: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if math.isnan(found):
        raise Refused(f"{name}: {text[:40]!r} is no number.")
    return found


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise Refused(f"page: {text[:40]!r} is no number of a page.")
    return int(text)
