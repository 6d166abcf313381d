"""Dashboards: how answers are spread, what lies in a region, one conversation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from assize.base.conversation import Item
from assize.base.errors import ConfigError
from assize.formats.sampling import first_words
from assize.pages.conversation import show_conversation
from assize.pages.result_page import sections_of
from assize.pages.spread import draw_spread
from assize.results.numbers import number
from assize.spread import Ratings, Region, Spread, SpreadOptions, list_region, measure_spread
from assize.spread.options import QUANTILES
from assize.spread.ratings import GROUPS
from assize.web._dashboards import (
    OWN,
    Dashboard,
    DashboardSource,
    file_source,
    read_dashboards,
    task_source,
)
from assize.web._rendering import page
from assize.web._routes.viewer import Admin, NotFound, Refused, Site
from assize.web._web import Web

router = APIRouter()
PAGE = 25  # conversations of a region on one page
LOOK = ("by", "first", "where", "raters", "apart", "every", "figure")
"""What an address says of a look, besides the dashboard."""


@router.get("/dashboards")
async def dashboards(web: Site, viewer: Admin) -> Response:
    """All dashboards of the project."""
    rows = read_dashboards(web.project.folder)
    tasks = web.project.tasks
    return page(web, viewer, "dashboard/list.html", dashboards=rows, tasks=tasks, own=OWN)


@router.get("/dashboards/{name}")
async def dashboard(request: Request, web: Site, name: str, viewer: Admin) -> Response:
    """Curves, shares and figures of every question."""
    source = await _source(web, name)
    ratings = await web.cache.get(f"ratings {name}", source.key, source.load)
    if ratings is None:
        return page(web, viewer, "dashboard/preparing.html", status=202, title=name)
    look = {key: request.query_params.get(key, "") for key in LOOK}
    options = _options(source.dashboard, look, ratings.value)
    result = await web.cache.get(
        f"spread {name} {urlencode(look)}",
        ratings.key,
        lambda: measure_spread(ratings.value, options),
    )
    if result is None:
        return page(web, viewer, "dashboard/preparing.html", status=202, title=name)
    if request.headers.get("hx-request"):  # a page that waits
        return Response(status_code=204, headers={"hx-refresh": "true"})
    sections = await run_in_threadpool(_sections, result.value, f"/dashboards/{name}/region", look)
    return page(
        web,
        viewer,
        "dashboard/show.html",
        name=name,
        dashboard=source.dashboard,
        ratings=ratings.value,
        look=look,
        sections=sections,
        result=result.value,
        groups=GROUPS,
        figures=("mean", *QUANTILES),
        stale=ratings.stale or result.stale,
    )


@router.get("/dashboards/{name}/region")
async def region(request: Request, web: Site, name: str, viewer: Admin) -> Response:
    """What lies in a region of a curve, or has an answer, worst first."""
    source, ratings = await _open(web, name)
    given = request.query_params
    look = {key: given.get(key, "") for key in LOOK}
    low, high = (_number(given.get(key), end) for key, end in (("low", "-inf"), ("high", "inf")))
    part = Region(
        given.get("question", ""), low, high, given.get("answer", ""), given.get("group", "")
    )
    options = _options(source.dashboard, look | {"every": ""}, ratings)
    main = next(
        (one.id for one in _ordered(source.dashboard, ratings) if one.kind != "nominal"), ""
    )
    text = given.get("page", "1")
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:10]) < 10**9):
        raise Refused(f"page: {text[:40]!r} is no number of a page.")
    start = PAGE * (int(text) - 1)
    listed = await run_in_threadpool(
        list_region, ratings, options, part, main=main, start=start, count=PAGE
    )
    return page(
        web,
        viewer,
        "dashboard/region.html",
        name=name,
        dashboard=source.dashboard,
        region=part,
        look=look,
        count=listed.total,
        rows=[(row, _begin(ratings.item(row.position)), number(row.ranked)) for row in listed.rows],
        number=int(text),
        pages=max(1, -(-listed.total // PAGE)),
        address=lambda number: _address(look, part) + f"&page={number}",
    )


@router.get("/dashboards/{name}/conversation")
async def conversation(web: Site, name: str, viewer: Admin, id: str = "") -> Response:
    """One conversation with all that was said about it."""
    source, ratings = await _open(web, name)
    try:
        place = ratings.position(id)
    except ConfigError as error:
        raise NotFound from error
    shown = await run_in_threadpool(
        show_conversation, ratings.item(place), ratings.judgments_of(place), ratings.all_questions
    )
    template, own = "dashboard/conversation.html", source.dashboard
    return page(web, viewer, template, name=name, dashboard=own, id=id, shown=shown)


async def _source(web: Web, name: str) -> DashboardSource:
    """Where a dashboard's ratings come from."""
    own, _, task_name = name.partition(".")
    task = web.project.task(task_name) if own == OWN else None
    if task is not None:
        return await web.store.read(task_source, web.store, task)
    for found in read_dashboards(web.project.folder):
        if found.name == name:
            return file_source(found, web.project.folder, web.allow)
    raise NotFound


async def _open(web: Web, name: str) -> tuple[DashboardSource, Ratings]:
    """A dashboard whose ratings are there."""
    source = await _source(web, name)
    ratings = await web.cache.get(f"ratings {name}", source.key, source.load)
    if ratings is None:
        raise Refused("This dashboard is being prepared. Open its first page and wait there.")
    return source, ratings.value


def _ordered(dashboard: Dashboard, ratings: Ratings) -> list[Any]:
    """The questions, the main one first."""
    return sorted(ratings.questions, key=lambda one: one.id != dashboard.main)


def _options(dashboard: Dashboard, look: Mapping[str, str], ratings: Ratings) -> SpreadOptions:
    return SpreadOptions(
        by=look["by"],
        first=look["first"] if look["by"] else "",
        where=look["where"],
        raters=[look["raters"]] if look["raters"] else dashboard.raters,
        apart=look["apart"] == "1",
        every=look["every"],
        figure=look["figure"] or "mean",
        questions=[one.id for one in _ordered(dashboard, ratings)],
        resampling=dashboard.resampling,
    )


def _sections(result: Spread, home: str, look: Mapping[str, str]) -> list[Any]:
    """The sections of the page of a result, whose charts lead to lists of conversations."""
    charts = draw_spread(result, lambda part: f"{quote(home)}?{_address(look, part)}")
    return list(sections_of(result, charts))


def _address(look: Mapping[str, str], part: Region) -> str:
    """What stands behind the `?` of a region's address."""
    known = {
        "question": part.question,
        "answer": part.answer,
        "group": part.group,
        "low": "" if part.answer else repr(float(part.low)),
        "high": "" if part.answer else repr(float(part.high)),
    }
    return urlencode({name: value for name, value in ({**look, **known}).items() if value})


def _begin(item: Item | str) -> str:
    return "" if isinstance(item, str) else first_words(item)


def _number(text: str | None, otherwise: str) -> float:
    try:
        found = float(text or otherwise)
    except ValueError:
        found = float("nan")
    if found != found:
        raise Refused(f"{str(text)[:40]!r} is no number.")
    return found
