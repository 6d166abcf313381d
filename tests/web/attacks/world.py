"""A project that strangers wrote, served by a real server, and people who work in it."""

from __future__ import annotations

import json
import re
import socket
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx2
from fastapi import FastAPI
from sqlalchemy import Connection, select
from tests.web.accounts.clients import signed_in
from tests.web.attacks.crawler import (
    Form,
    Found,
    crawl,
    likeness,
    parameters_of,
    read_forms,
)
from tests.web.listening import listening

from assize.acts import MAXIMS
from assize.models.scripted import SCRIPTS
from assize.web._accounts.invitations import invite
from assize.web._accounts.sessions import COOKIE
from assize.web._dashboards import file_source, read_dashboards
from assize.web._discussions import open_discussion
from assize.web._queue import Assignment, next_assignment, submit
from assize.web._storage import Store
from assize.web._storage.schema import METADATA, items, people, tasks
from assize.web._tasks.definition import Task

HOSTILE = (
    "<script>assizeRan(1)</script><img src=x onerror=assizeRan(2)><svg/onload=assizeRan(3)>"
    '"\'><b data-planted=1>bold</b><a href="javascript:assizeRan(4)">x</a>'
    "[y](javascript:assizeRan(5)) ![z](https://evil.example/z.png) <https://evil.example/>"
    "{{7*7}} ${7*7} <iframe srcdoc='<script>parent.assizeRan(6)</script>'></iframe>"
    "<style>*{display:none}</style><base href=//evil.example/></textarea></title></script>"
    "<form action=//evil.example><input autofocus onfocus=assizeRan(7)> \u202e &lt;script&gt;"
    "<p data-planted=2 hx-get=/me hx-trigger=load hx-on:load=assizeRan(9)>"
)
SHORT = "<img src=x onerror=assizeRan(8)>"  # for places that do not hold much
TALK = """settings:
  documents: [pages]
  systems:
    - {name: "<b>hidden</b>-1", model: ANSWERS, retrieval: topic}
    - {name: "<b>hidden</b>-2", model: ANSWERS, retrieval: bm25-dialogue}
""".replace("ANSWERS", "'scripted:hostile'")
LIKE_ONE_ANOTHER = 2  # forms of one route with the same fields that are sent
RUBRIC = "settings: {rubric: information-seeking}"
SOURCES = [f"{SHORT} {place}" for place in range(2)]
CONTRASTED = f"settings: {{sources: {json.dumps(SOURCES)}, theme: true}}"
GOOD = "settings: {rubric: good-or-bad}"
LABELLED = "settings: {judgments: [labels.jsonl]}"


def write_hostile(folder: Path) -> None:
    """Writes tasks of several kinds; whatever may be text is hostile."""
    (folder / "tasks").mkdir()
    quoted, tasks = json.dumps(HOSTILE), folder / "tasks"
    about = f"title: {json.dumps(SHORT)}\nabout: {quoted}\ninstructions: {quoted}\n"
    (folder / "project.yaml").write_text(f"title: {json.dumps(SHORT)}\ncontact: {quoted}\n")
    for name, kind, file, more in (
        ("rate", "rate", "conversations.jsonl", f"{RUBRIC}\nconsent: {quoted}"),
        ("gold", "rate", "conversations.jsonl", f"{RUBRIC}\ngold: {{judgments: gold.jsonl}}"),
        ("compare", "compare", "pairs.jsonl", ""),
        ("label", "rate", "conversations.jsonl", f"{GOOD}\nraters_per_item: 2\norder: file"),
        ("next", "continuation", "continuations.jsonl", ""),
        ("contrast", "contrast", "continuations.jsonl", CONTRASTED),
        ("acts", "check", "pairs.jsonl", LABELLED),
        ("maxims", "check", "pairs.jsonl", LABELLED.replace("{", "{labels: maxims, ")),
        ("dimensions", "rate", "conversations.jsonl", "settings: {rubric: dimensions}"),
        ("write", "write", "topics.jsonl", ""),
        ("read", "proofread", "conversations.jsonl", ""),
        ("reread", "proofread", "", "settings: {of: write}"),
        ("talk", "collect", "topics.jsonl", TALK + "  form: {rubric: information-seeking}\n"),
        ("both", "collect-pairs", "topics.jsonl", TALK),
    ):
        text = f"task: {name}\nkind: {kind}\nitems: [{file}]\n{about}{more}\n"
        (tasks / f"{name}.yaml").write_text(text)
    (folder / "pages").mkdir()
    (folder / "pages" / "page.md").write_text(f"# {SHORT}\n\n{HOSTILE} plots and fees")
    topics = [
        {
            "id": f"{place}{SHORT}",
            "text": f"{HOSTILE} plots and fees",
            "documents": ["page.md"],
            "persona": SHORT,
            "style": HOSTILE,
        }
        for place in range(2)
    ]
    _write(folder / "topics.jsonl", topics)
    _write_dashboard(folder)
    _write(folder / "conversations.jsonl", [_conversation(place) for place in range(4)])
    _write(folder / "pairs.jsonl", [_pair(place) for place in range(3)])
    _write(folder / "continuations.jsonl", [_continuation(place) for place in range(4)])
    _write(folder / "labels.jsonl", [_labels(place) for place in range(3)])
    _write(
        folder / "gold.jsonl",
        [{"item": f"c0{SHORT}", "judge": "gold", "question": "Q0", "answer": "3"}],
    )


def _write_dashboard(folder: Path) -> None:
    """Over hostile judgments."""
    fields = json.dumps(["system", f"metadata.{SHORT}"])
    (folder / "dashboards").mkdir()
    (folder / "dashboards" / "quality.yaml").write_text(
        f"dashboard: quality\ntitle: {json.dumps(SHORT)}\nabout: {json.dumps(HOSTILE)}\n"
        f"judgments: ratings.jsonl\nitems: conversations.jsonl\nby: {fields}\n"
        "time: metadata.started\nreplicates: 20\n"
    )
    _write(folder / "ratings.jsonl", [_rating(place, who) for place in range(4) for who in "ab"])
    question = {
        "id": f"Q{SHORT}",
        "text": HOSTILE,
        "kind": "ordinal",
        "answers": ["1", "2", "3"],
        "labels": {"1": HOSTILE},
    }
    (folder / "ratings.questions.json").write_text(json.dumps([question]))


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def _turns() -> list[dict[str, Any]]:
    call = {"id": "t1", "name": SHORT, "arguments": {SHORT: HOSTILE}}
    return [
        {"role": "system", "text": HOSTILE},
        {"role": "user", "text": HOSTILE},
        {"role": "assistant", "text": "", "tool_calls": [call]},
        {"role": "tool", "text": HOSTILE, "tool_call_id": "t1", "name": SHORT},
        {
            "role": "assistant",
            "text": f"{HOSTILE}\n\n```html\n{HOSTILE}\n```\n\n|a|\n|-|\n|{SHORT}|",
            "references": [{"id": SHORT, "title": SHORT, "text": HOSTILE}],
        },
    ]


def _conversation(place: int) -> dict[str, Any]:
    about = {SHORT: f"{HOSTILE} {place % 2}", "topic": SHORT, "started": f"2026-03-0{1 + place}"}
    return {
        "id": f"c{place}{SHORT}",
        "turns": _turns(),
        "system": SOURCES[place % 2],
        "metadata": about,
    }


def _pair(place: int) -> dict[str, Any]:
    answer = [{"role": "assistant", "text": HOSTILE}]
    return {"id": f"p{place}{SHORT}", "context": _turns()[:2], "a": answer, "b": answer}


def _rating(place: int, who: str) -> dict[str, Any]:
    return {
        "item": f"c{place}{SHORT}",
        "judge": f"{who}{SHORT}",
        "question": f"Q{SHORT}",
        "answer": str(1 + place % 3),
        "explanation": HOSTILE,
        "kind": "person",
        "details": {
            "acts": {"turns": [[[SHORT, SHORT]]] * 5},
            "maxims": {SHORT: SHORT},
            "turns": [1],
        },
    }


def _labels(place: int) -> dict[str, Any]:
    """What a judge says of a pair: acts, one of which it made up, and maxims."""
    acts = {
        "context": [[["Task", "Inform"]], [["Task", SHORT]]],
        "a": [[["Task", SHORT]]],
        "b": [[[SHORT, SHORT]]],
    }
    return {
        "item": f"p{place}{SHORT}",
        "judge": SHORT,
        "question": "preference",
        "answer": "A",
        "explanation": HOSTILE,
        "details": {"acts": acts, "maxims": dict.fromkeys(MAXIMS, "both")},
    }


def hostile_answer(request: Any) -> str:
    """What the systems say that are talked with."""
    return f"{HOSTILE} [1] see [{SHORT}]"


def _continuation(place: int) -> dict[str, Any]:
    return {
        "id": f"k{place}{SHORT}",
        "conversation": SHORT,
        "turn": 2 + place // 2,
        "context": _turns()[:2],
        "references": [HOSTILE],
        "candidate": f"{HOSTILE} again",
        "source": SOURCES[place % 2],
    }


SCRIPTS["hostile"] = hostile_answer  # a task file can name no code, so it gets a name


@dataclass(frozen=True, slots=True)
class Sent:
    """A form that somebody sent, and the answer to it."""

    form: Form
    answer: httpx2.Response


@dataclass
class World:
    """The running project; by name of a person what they sent and which pages that led to.

    The name of who is not signed in is "".
    """

    url: str
    app: FastAPI
    store: Store
    folder: Path
    tokens: dict[str, str] = field(default_factory=dict)
    sent: dict[str, list[Sent]] = field(default_factory=dict)
    reached: dict[str, dict[str, None]] = field(default_factory=dict)
    known: dict[str, Found] = field(default_factory=dict)

    @property
    def address(self) -> tuple[str, int]:
        """Host and port."""
        host, port = self.url.removeprefix("http://").split(":")
        return host, int(port)

    def visitor(self, name: str | None = None, role: str = "rater") -> httpx2.Client:
        """A client: of somebody who is signed in, of a stranger without a name."""
        client = httpx2.Client(
            base_url=self.url,
            follow_redirects=False,
            timeout=60,
        )
        if name is not None:
            client.cookies.set(COOKIE, self.token(name, role))
        return client

    def token(self, name: str, role: str = "rater") -> str:
        """Of a session of somebody, who is made where they are new."""
        if name not in self.tokens:
            self.tokens[name] = self.store.write_now(signed_in, name, role, time.time())
        return self.tokens[name]

    def raw(self, path: str, *lines: str, method: str = "GET", body: str = "") -> bytes:
        """The answer to a request as it is written, with these further lines in its head."""
        head = [f"{method} {path} HTTP/1.1", "host: x", *lines, "connection: close", "", body]
        with socket.create_connection(self.address, timeout=30) as connection:
            connection.sendall("\r\n".join(head).encode())
            return connection.makefile("rb").read()

    def crawled(self, name: str, role: str = "rater") -> Found:
        """All that somebody reaches; what is refused changes nothing, so once is enough."""
        if name not in self.known:
            with self.visitor(name or None, role) as client:
                self.known[name] = crawl(client, self.app, ("/", *self.reached.get(name, ())))
        return self.known[name]

    def state(self) -> dict[str, Any]:
        """All rows of the database."""
        with self.store.connect() as connection:
            return {
                name: [
                    tuple(row)
                    for row in connection.execute(select(table).order_by(*table.primary_key))
                ]
                for name, table in METADATA.tables.items()
            }


@contextmanager
def running(folder: Path, *, open: bool = False, database: str | None = None) -> Iterator[World]:
    """Serves a folder on a free port of this machine."""
    allow = ["scripted:hostile"]
    with listening(folder, open=open, database=database, allow=allow) as (url, app):
        yield World(url, app.asgi, app.store, folder)


def csrf(client: httpx2.Client) -> str:
    """The token of a visitor's forms."""
    found = re.search(r'<meta name="csrf" content="([^"]+)"', client.get("/me").text)
    assert found is not None
    return found[1]


def send(client: httpx2.Client, form: Form, fields: dict[str, str]) -> httpx2.Response:
    """Sends a form as it would be sent."""
    return client.post(form.path, data=fields)


SPARED = re.compile(
    r"/sign-out|/me/leave|/me/password|/me/sign-out-elsewhere|/admin/people/\d+/(delete|disabled|role)"
    r"|/admin/tasks/[^/]+/state"
)
"""Forms after which nobody could go on; tests of their own send them."""


def fill_everything(
    world: World, name: str, role: str = "rater", rounds: int = 1, choice: int = 0
) -> None:
    """Sends every form that somebody finds, `HOSTILE` in all text fields, again and again.

    Args:
        choice: which of the answers that are offered they give.
    """
    sent, reached = world.sent.setdefault(name, []), world.reached.setdefault(name, {})
    with world.visitor(name, role) as client:
        for _ in range(rounds):
            times = Counter[object]()
            for form in crawl(client, world.app, ("/", *reached)).posts:
                like = _like(world.app, form)
                if SPARED.fullmatch(form.path) or times[like] == LIKE_ONE_ANOTHER:
                    continue
                fresh = [
                    one
                    for one in read_forms(form.page, client.get(form.page).text)
                    if (one.path, one.method) == (form.path, "post")
                ]
                for one in fresh[:1]:
                    answer = send(client, one, one.filled(HOSTILE, choice))
                    assert answer.status_code < 500, (form.path, answer.text[:500])
                    sent.append(Sent(one, answer))
                    times[like] += 1
                    if answer.headers.get("location", "").startswith("/"):
                        reached[answer.headers["location"]] = None


def _like(app: FastAPI, form: Form) -> tuple[object, ...]:
    """The same for forms of one route; what begins a task or is filled in is told apart by more."""
    given = parameters_of(app, form.path, "POST")
    task = given.get("task") if given.keys() == {"task"} else None
    whole = form.path == urlsplit(form.page).path
    fields = sorted({one.name for one in form.fields}) if whole else ()
    return (*likeness(app, form.path, "POST"), task, *fields)


def work(world: World) -> None:
    """Ana and Ben work in every task and answer differently; then they discuss, and Lea leads."""
    fill_everything(world, "Ana", rounds=3)
    fill_everything(world, "Ben", rounds=3, choice=1)
    world.token("Lea", "admin")
    discussed = world.store.write_now(_discuss, world.app.state.web.project.tasks)
    fill_everything(world, "Ana")
    fill_everything(world, "Ben", choice=1)
    fill_everything(world, "Lea", "admin")
    world.store.write_now(_reject, world.app.state.web.project.tasks)
    _reopen(world, f"/discussions/{discussed}")
    chosen = urlencode({"by": "system", "first": SOURCES[0], "every": "week"})
    world.reached["Lea"][f"/dashboards/quality?{chosen}"] = None
    invited = world.store.write_now(invite, time.time(), name="Cleo", task="rate")
    world.reached[""] = dict.fromkeys(("/sign-in", f"/invitation/{invited}"))


def _discuss(connection: Connection, known: Sequence[Task]) -> int:
    """Opens the discussion of every item that two people have answered; the number of the last."""
    lead = connection.scalars(select(people.c.id).where(people.c.name == "Lea")).one()
    found = []
    for task in known:
        twice = select(items.c.key).join(tasks).where(tasks.c.name == task.name, items.c.done > 1)
        keys = connection.scalars(twice).all()
        found += [open_discussion(connection, task, one, lead, time.time()) for one in keys]
    return found[-1]


def _reject(connection: Connection, known: Sequence[Task]) -> None:
    """Lets Ana and Ben reject what the other wrote, so that a lead may send it back."""
    (task,) = [one for one in known if one.name == "reread"]
    answers = {"proofread": "rejected", "comment": HOSTILE}
    count = 0
    for name in ("Ana", "Ben"):
        person = connection.scalars(select(people.c.id).where(people.c.name == name)).one()
        one = next_assignment(connection, task, person, time.time())
        if isinstance(one, Assignment):
            submit(connection, task, one.id, person, one.revision, answers, now=time.time())
            count += 1
    assert count


def _reopen(world: World, page: str) -> None:
    """Opens a discussion again that was settled, so that it is open to all attacks."""
    with world.visitor("Lea", "admin") as client:
        forms = read_forms(page, client.get(page).text)
        (form,) = [one for one in forms if one.path == f"{page}/reopen"]
        world.sent["Lea"].append(Sent(form, send(client, form, form.filled())))


def prepare_dashboards(folder: Path) -> None:
    """Reads the judgments of files into columns, which pages would have to wait for."""
    for one in read_dashboards(folder):
        file_source(one, folder, ()).load()
