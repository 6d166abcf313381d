"""Pages on which raters talk with hidden systems."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from assize.web._accounts.viewer import Viewer
from assize.web._collect.allowed import least_exchanges
from assize.web._collect.choosing import Enough
from assize.web._collect.exchange import Exchange
from assize.web._collect.opened import topics_of
from assize.web._collect.overview import overview
from assize.web._collect.settings import SIDES
from assize.web._collect.shown import Answer, exchanges, retrieved, shown_answer
from assize.web._collect.talking import Collecting, NotReady, settings_of_chat
from assize.web._queue.participant import exclusion_reason, read_participant
from assize.web._rendering import csrf_field, page, render
from assize.web._routes.viewer import Admin, NotFound, Rater, posted
from assize.web._storage.chats import Chat, NotPossible, find_chat, task_number
from assize.web._tasks.definition import Task
from assize.web._web import Web, web_of

STREAM = "application/x-ndjson"
NOT_READY = "This task cannot be used at the moment. Please tell whoever runs it."


@asynccontextmanager
async def _living(app: FastAPI) -> AsyncIterator[None]:
    """Opens the collect tasks while the app begins to serve, and closes them at its end."""
    web: Web = app.state.web
    app.state.collecting = Collecting(web.store, web.clock, allow=web.allow)
    warming = asyncio.create_task(app.state.collecting.warm(web.project.tasks))
    try:
        yield
    finally:
        warming.cancel()
        await asyncio.wait({warming})
        await app.state.collecting.aclose()


router = APIRouter(lifespan=_living)


@router.get("/collect/{task}")
async def start(request: Request, task: str, viewer: Rater) -> Response:
    """Where a conversation begins."""
    web, found = web_of(request), _task(request, task)
    elsewhere = await _elsewhere(request, found, viewer)
    if elsewhere is not None:
        return elsewhere
    return page(web, viewer, "collect/start.html", task=found, told="")


@router.post("/collect/{task}")
async def begin(request: Request, task: str, viewer: Rater) -> Response:
    """The open conversation, or a new one."""
    web, found = web_of(request), _task(request, task)
    await posted(request, viewer)
    elsewhere = await _elsewhere(request, found, viewer)
    if elsewhere is not None:
        return elsewhere
    try:
        chat = await _collecting(request).begin(found, viewer.id)
    except Enough as enough:
        return page(web, viewer, "collect/start.html", task=found, told=str(enough))
    except NotReady:
        return page(web, viewer, "collect/start.html", status=503, task=found, told=NOT_READY)
    return _to(found, chat)


@router.get("/collect/{task}/overview")
async def lead(request: Request, task: str, viewer: Admin) -> Response:
    """How far the collection is, for leads."""
    web, found = web_of(request), _task(request, task)
    number = await web.store.read(task_number, task)
    if number is None:
        raise NotFound
    topics = await asyncio.to_thread(topics_of, found)
    seen = await web.store.read(overview, number, settings_of_chat(found), topics)
    return page(web, viewer, "collect/overview.html", task=found, found=seen)


@router.get("/collect/{task}/{chat}")
async def talk(request: Request, task: str, chat: str, viewer: Rater) -> Response:
    """The conversation."""
    found, one = await _chat(request, task, chat, viewer)
    if one.state != "open":
        return _to(found, one, "/sources")
    return await _page(request, viewer, found, one)


@router.post("/collect/{task}/{chat}/messages")
async def say(request: Request, task: str, chat: str, viewer: Rater) -> Response:
    """A message, and the answers to it: as they come for a script, whole for a plain form."""
    form = await posted(request, viewer)
    found, one = await _chat(request, task, chat, viewer)
    text = form.one("text")
    try:
        exchange = await _collecting(request).say(found, one, text)
    except (NotPossible, NotReady, Enough) as problem:
        return await _problem(request, viewer, found, chat, problem, text)
    return await _answered(request, viewer, found, chat, exchange)


@router.post("/collect/{task}/{chat}/again")
async def once_more(request: Request, task: str, chat: str, viewer: Rater) -> Response:
    """Answers that broke off, asked for anew."""
    await posted(request, viewer)
    found, one = await _chat(request, task, chat, viewer)
    try:
        exchange = await _collecting(request).again(found, one)
    except (NotPossible, NotReady) as problem:
        return await _problem(request, viewer, found, chat, problem)
    return await _answered(request, viewer, found, chat, exchange)


@router.get("/collect/{task}/{chat}/stream")
async def follow(request: Request, task: str, chat: str, viewer: Rater) -> Response:
    """What is being written, from its beginning: for a page that was loaded anew."""
    found, one = await _chat(request, task, chat, viewer)
    exchange = _collecting(request).writing.of(one.id)
    return _streamed(request, viewer, found, chat, exchange)


@router.post("/collect/{task}/{chat}/topic")
async def other_topic(request: Request, task: str, chat: str, viewer: Rater) -> Response:
    """Another topic, before anything was said."""
    await posted(request, viewer)
    found, one = await _chat(request, task, chat, viewer)
    try:
        return _to(found, await _collecting(request).other_topic(found, one))
    except (NotPossible, NotReady, Enough) as problem:
        return await _problem(request, viewer, found, chat, problem)


@router.post("/collect/{task}/{chat}/end")
async def end(request: Request, task: str, chat: str, viewer: Rater) -> Response:
    """The end of a conversation."""
    await posted(request, viewer)
    found, one = await _chat(request, task, chat, viewer)
    try:
        await _collecting(request).end(found, one)
    except NotPossible as problem:
        return await _problem(request, viewer, found, chat, problem)
    return _to(found, one, "/sources")


@router.get("/collect/{task}/{chat}/sources")
async def sources(request: Request, task: str, chat: str, viewer: Rater) -> Response:
    """Everything that the assistant had retrieved; then the questions."""
    found, one = await _chat(request, task, chat, viewer)
    if one.state != "ended":
        return _to(found, one)
    web = web_of(request)
    return page(web, viewer, "collect/sources.html", task=found, chat=one, sources=retrieved(one))


def _task(request: Request, name: str) -> Task:
    found = web_of(request).project.task(name)
    if found is None or found.kind not in SIDES:
        raise NotFound
    return found


def _collecting(request: Request) -> Collecting:
    found: Collecting = request.app.state.collecting
    return found


async def _chat(request: Request, task: str, chat: str, viewer: Viewer) -> tuple[Task, Chat]:
    """The task and the viewer's own chat."""
    found = _task(request, task)
    one = await _collecting(request).chat(found, chat, viewer.id)
    if one is None:
        raise NotFound
    return found, one


async def _elsewhere(request: Request, task: Task, viewer: Viewer) -> Response | None:
    """Where to go first: the task's page, or what was found in a chat that is to be rated; while
    the task is paused, also a chat that is under way."""
    web, collecting = web_of(request), _collecting(request)
    found = await web.store.read(read_participant, task, viewer.id)
    why = await web.store.read(exclusion_reason, task, found)
    if why not in (None, "paused"):
        return RedirectResponse(f"/t/{task.name}", 303)
    chat = await collecting.unrated(task, viewer.id)
    if chat is not None:
        return RedirectResponse(f"/collect/{task.name}/{chat}/sources", 303)
    if why is None:
        return None
    begun = await collecting.under_way(task, viewer.id)
    return RedirectResponse(f"/t/{task.name}", 303) if begun is None else _to(task, begun)


def _to(task: Task, chat: Chat, rest: str = "") -> Response:
    return RedirectResponse(f"/collect/{task.name}/{chat.id}{rest}", 303)


async def _page(
    request: Request,
    viewer: Viewer,
    task: Task,
    chat: Chat,
    *,
    problem: str = "",
    text: str = "",
    status: int = 200,
) -> Response:
    """A chat as it stands, and what is wrong: with what was just done, or else with the chat."""
    web, settings = web_of(request), settings_of_chat(task)
    return page(
        web,
        viewer,
        "collect/chat.html",
        status=status,
        task=task,
        chat=chat,
        settings=settings,
        least=least_exchanges(settings, chat),
        exchanges=exchanges(chat),
        problem=problem or await _collecting(request).told(task, chat),
        text=text,
    )


async def _problem(
    request: Request, viewer: Viewer, task: Task, chat: str, problem: Exception, text: str = ""
) -> Response:
    """What is wrong, and what was written, so that nothing is typed twice."""
    said = NOT_READY if isinstance(problem, NotReady) else str(problem)
    if _streams(request):
        return StreamingResponse(iter([_line(problem=said)]), 409, media_type=STREAM)
    found = await web_of(request).store.read(find_chat, chat)
    if found is None or found.state != "open":
        raise NotFound
    return await _page(request, viewer, task, found, problem=said, text=text, status=409)


async def _answered(
    request: Request, viewer: Viewer, task: Task, chat: str, exchange: Exchange | None
) -> Response:
    if _streams(request):
        return _streamed(request, viewer, task, chat, exchange)
    if exchange is not None:
        async for _ in exchange.follow():
            pass
    return RedirectResponse(f"/collect/{task.name}/{chat}#last", 303)


def _streams(request: Request) -> bool:
    return STREAM in request.headers.get("accept", "")


def _streamed(
    request: Request, viewer: Viewer, task: Task, chat: str, exchange: Exchange | None
) -> Response:
    return StreamingResponse(_lines(request, viewer, task, chat, exchange), media_type=STREAM)


async def _lines(
    request: Request, viewer: Viewer, task: Task, chat: str, exchange: Exchange | None
) -> AsyncIterator[str]:
    """A line for each piece; at the end of a side its answer as HTML, and last the composer."""
    store = web_of(request).store
    if exchange is not None:
        yield _line(begin=sorted(exchange.sides))
        async for heard in exchange.follow():
            if not heard.ended:
                yield _line(side=heard.side, text=heard.text)
                continue
            now = await store.read(find_chat, chat)
            answer = None if now is None else _last(now, heard.side)
            if answer is not None:
                values = {"answer": answer, "sides": len(exchange.sides)}
                yield _line(side=heard.side, html=render("collect/answer.html", values))
    now = await store.read(find_chat, chat)
    if now is not None:
        yield _line(composer=_composer(viewer, task, now))


def _last(chat: Chat, side: str) -> Answer | None:
    """The newest answer of a side."""
    found = [one for one in chat.of(side) if one.role == "assistant"]
    return shown_answer(chat, found[-1]) if found else None


def _composer(viewer: Viewer, task: Task, chat: Chat) -> str:
    settings = settings_of_chat(task)
    values: dict[str, Any] = {
        "task": task,
        "chat": chat,
        "settings": settings,
        "problem": "",
        "text": "",
        "least": least_exchanges(settings, chat),
        "csrf": csrf_field(viewer),
    }
    return render("collect/composer.html", values)


def _line(**value: Any) -> str:
    return json.dumps(value) + "\n"
