"""Pages on which raters talk with hidden systems."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from assize.web._accounts.viewer import Viewer
from assize.web._collect.allowed import least_exchanges
from assize.web._collect.choosing import Enough
from assize.web._collect.exchange import Exchange
from assize.web._collect.opened import topics_of
from assize.web._collect.overview import overview
from assize.web._collect.settings import SIDES
from assize.web._collect.shown import exchanges, retrieved, shown_answer
from assize.web._collect.talking import Collecting, NotReady, settings_of_chat
from assize.web._queue.participant import exclusion_reason, read_participant
from assize.web._rendering import csrf_field, page, render
from assize.web._routes.home import task_of_name
from assize.web._routes.viewer import Admin, Form, NotFound, Rater, Site, there
from assize.web._storage.chats import Chat, NotPossible, find_chat, task_number
from assize.web._tasks.definition import Task
from assize.web._web import Web

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


def open_tasks(request: Request) -> Collecting:
    """The collect tasks of the app that serves a request."""
    tasks: Collecting = request.app.state.collecting
    return tasks


Open = Annotated[Collecting, Depends(open_tasks)]


def task_that_collects(web: Site, task: str) -> Task:
    """The task of an address, which is one that collects."""
    defined = task_of_name(web, task)
    if defined.kind not in SIDES:
        raise NotFound
    return defined


Defined = Annotated[Task, Depends(task_that_collects)]


@dataclass(frozen=True, slots=True)
class Talk:
    """A request about a chat of who asks; `streams` is whether a script follows the answers."""

    web: Web
    tasks: Collecting
    viewer: Viewer
    task: Task
    chat: Chat
    streams: bool


async def own_talk(
    request: Request, web: Site, tasks: Open, viewer: Rater, defined: Defined, chat: str
) -> Talk:
    """The viewer's own chat of an address."""
    own = there(await tasks.chat(defined, chat, viewer.id))
    streams = STREAM in request.headers.get("accept", "")
    return Talk(web, tasks, viewer, defined, own, streams)


Own = Annotated[Talk, Depends(own_talk)]


@router.get("/collect/{task}")
async def start(web: Site, tasks: Open, viewer: Rater, defined: Defined) -> Response:
    """Where a conversation begins."""
    first = await _first(web, tasks, defined, viewer)
    return first or page(web, viewer, "collect/start.html", task=defined, told="")


@router.post("/collect/{task}")
async def begin(web: Site, tasks: Open, viewer: Rater, defined: Defined, form: Form) -> Response:
    """The open conversation, or a new one."""
    first = await _first(web, tasks, defined, viewer)
    if first is not None:
        return first
    try:
        return _to(defined, await tasks.begin(defined, viewer.id))
    except Enough as enough:
        return page(web, viewer, "collect/start.html", task=defined, told=str(enough))
    except NotReady:
        return page(web, viewer, "collect/start.html", status=503, task=defined, told=NOT_READY)


@router.get("/collect/{task}/overview")
async def lead(web: Site, viewer: Admin, defined: Defined) -> Response:
    """How far the collection is, for leads."""
    number = there(await web.store.read(task_number, defined.name))
    topics = await asyncio.to_thread(topics_of, defined)
    counts = await web.store.read(overview, number, settings_of_chat(defined), topics)
    return page(web, viewer, "collect/overview.html", task=defined, found=counts)


@router.get("/collect/{task}/{chat}")
async def talk(talk: Own) -> Response:
    """The conversation."""
    if talk.chat.state != "open":
        return _to(talk.task, talk.chat, "/sources")
    return await _page(talk)


@router.post("/collect/{task}/{chat}/messages")
async def say(talk: Own, form: Form) -> Response:
    """A message, and the answers to it: as they come for a script, whole for a plain form."""
    text = form.one("text")
    try:
        exchange = await talk.tasks.say(talk.task, talk.chat, text)
    except (NotPossible, NotReady, Enough) as problem:
        return await _problem(talk, problem, text)
    return await _answered(talk, exchange)


@router.post("/collect/{task}/{chat}/again")
async def once_more(talk: Own, form: Form) -> Response:
    """Answers that broke off, asked for anew."""
    try:
        return await _answered(talk, await talk.tasks.again(talk.task, talk.chat))
    except (NotPossible, NotReady) as problem:
        return await _problem(talk, problem)


@router.get("/collect/{task}/{chat}/stream")
async def follow(talk: Own) -> Response:
    """What is being written, from its beginning: for a page that was loaded anew."""
    return _streamed(talk, talk.tasks.writing.of(talk.chat.id))


@router.post("/collect/{task}/{chat}/topic")
async def other_topic(talk: Own, form: Form) -> Response:
    """Another topic, before anything was said."""
    try:
        return _to(talk.task, await talk.tasks.other_topic(talk.task, talk.chat))
    except (NotPossible, NotReady, Enough) as problem:
        return await _problem(talk, problem)


@router.post("/collect/{task}/{chat}/end")
async def end(talk: Own, form: Form) -> Response:
    """The end of a conversation."""
    try:
        await talk.tasks.end(talk.task, talk.chat)
    except NotPossible as problem:
        return await _problem(talk, problem)
    return _to(talk.task, talk.chat, "/sources")


@router.get("/collect/{task}/{chat}/sources")
async def sources(talk: Own) -> Response:
    """Everything that the assistant had retrieved; then the questions."""
    task, chat = talk.task, talk.chat
    if chat.state != "ended":
        return _to(task, chat)
    sources = retrieved(chat)
    template = "collect/sources.html"
    return page(talk.web, talk.viewer, template, task=task, chat=chat, sources=sources)


async def _first(web: Web, tasks: Collecting, task: Task, viewer: Viewer) -> Response | None:
    """Where to go first: the task's page, or what was found in a chat that is to be rated; while
    the task is paused, also a chat that is under way."""
    rater = await web.store.read(read_participant, task, viewer.id)
    why = await web.store.read(exclusion_reason, task, rater)
    if why not in (None, "paused"):
        return RedirectResponse(f"/t/{task.name}", 303)
    chat = await tasks.unrated(task, viewer.id)
    if chat is not None:
        return RedirectResponse(f"/collect/{task.name}/{chat}/sources", 303)
    if why is None:
        return None
    begun = await tasks.under_way(task, viewer.id)
    return RedirectResponse(f"/t/{task.name}", 303) if begun is None else _to(task, begun)


def _to(task: Task, chat: Chat, rest: str = "") -> Response:
    return RedirectResponse(f"/collect/{task.name}/{chat.id}{rest}", 303)


def _values(talk: Talk, chat: Chat, problem: str = "", text: str = "") -> dict[str, Any]:
    """What the composer of a chat shows."""
    settings = settings_of_chat(talk.task)
    return {
        "task": talk.task,
        "chat": chat,
        "settings": settings,
        "least": least_exchanges(settings, chat),
        "problem": problem,
        "text": text,
    }


async def _page(talk: Talk, problem: str = "", text: str = "", status: int = 200) -> Response:
    """A chat as it stands, and what is wrong: with what was just done, or else with the chat."""
    problem = problem or await talk.tasks.told(talk.task, talk.chat)
    values = {**_values(talk, talk.chat, problem, text), "exchanges": exchanges(talk.chat)}
    return page(talk.web, talk.viewer, "collect/chat.html", status=status, **values)


async def _problem(talk: Talk, problem: Exception, text: str = "") -> Response:
    """What is wrong, and what was written, so that nothing is typed twice."""
    message = NOT_READY if isinstance(problem, NotReady) else str(problem)
    if talk.streams:
        return StreamingResponse(iter([_line(problem=message)]), 409, media_type=STREAM)
    chat = await talk.web.store.read(find_chat, talk.chat.id)
    if chat is None or chat.state != "open":
        raise NotFound
    return await _page(replace(talk, chat=chat), message, text, 409)


async def _answered(talk: Talk, exchange: Exchange | None) -> Response:
    if talk.streams:
        return _streamed(talk, exchange)
    if exchange is not None:
        async for _ in exchange.follow():
            pass
    return _to(talk.task, talk.chat, "#last")


def _streamed(talk: Talk, exchange: Exchange | None) -> Response:
    return StreamingResponse(_lines(talk, exchange), media_type=STREAM)


async def _lines(talk: Talk, exchange: Exchange | None) -> AsyncIterator[str]:
    """A line for each piece; at the end of a side its answer as HTML, and last the composer."""
    store = talk.web.store
    if exchange is not None:
        yield _line(begin=sorted(exchange.sides))
        async for heard in exchange.follow():
            if not heard.ended:
                yield _line(side=heard.side, text=heard.text)
                continue
            now = await store.read(find_chat, talk.chat.id)
            messages = () if now is None else now.of(heard.side)
            answers = [message for message in messages if message.role == "assistant"]
            if now is not None and answers:
                values = {"answer": shown_answer(now, answers[-1]), "sides": len(exchange.sides)}
                yield _line(side=heard.side, html=render("collect/answer.html", values))
    now = await store.read(find_chat, talk.chat.id)
    if now is not None:
        values = {**_values(talk, now), "csrf": csrf_field(talk.viewer)}
        yield _line(composer=render("collect/composer.html", values))


def _line(**value: Any) -> str:
    return json.dumps(value) + "\n"
