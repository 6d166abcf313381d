"""A project that strangers wrote, served by a real server, and people who work in it."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from fastapi import FastAPI
from sqlalchemy import Connection, insert, select
from tests.webapp.accounts.clients import password_hash
from tests.webapp.attacks.crawler import Form, Found, crawl, likeness, read_forms

from assize.models.scripted import SCRIPTS
from assize.webapp.accounts.sessions import COOKIE, begin_session
from assize.webapp.opening import opened
from assize.webapp.storage import Store
from assize.webapp.storage.schema import METADATA, people

HOSTILE = (
    "<script>assizeRan(1)</script><img src=x onerror=assizeRan(2)><svg/onload=assizeRan(3)>"
    '"\'><b data-planted=1>bold</b><a href="javascript:assizeRan(4)">x</a>'
    "[y](javascript:assizeRan(5)) ![z](https://evil.example/z.png) <https://evil.example/>"
    "{{7*7}} ${7*7} <iframe srcdoc='<script>parent.assizeRan(6)</script>'></iframe>"
    "<style>*{display:none}</style><base href=//evil.example/></textarea></title></script>"
    "<form action=//evil.example><input autofocus onfocus=assizeRan(7)> \u202e &lt;script&gt;"
)
SHORT = "<img src=x onerror=assizeRan(8)>"  # for places that do not hold much
TALK = """settings:
  documents: [pages]
  systems:
    - {name: "<b>hidden</b>-1", model: ANSWERS, retrieval: topic}
    - {name: "<b>hidden</b>-2", model: ANSWERS, retrieval: bm25-dialogue}
""".replace("ANSWERS", "'scripted:hostile'")
LIKE_ONE_ANOTHER = 4  # forms of one route that are sent
RUBRIC = "settings: {rubric: information-seeking}"


def write_hostile(folder: Path) -> None:
    """Writes tasks of several kinds; whatever may be text is hostile."""
    (folder / "tasks").mkdir()
    quoted, tasks = json.dumps(HOSTILE), folder / "tasks"
    about = f"title: {json.dumps(SHORT)}\nabout: {quoted}\ninstructions: {quoted}\n"
    (folder / "project.yaml").write_text(f"title: {json.dumps(SHORT)}\ncontact: {quoted}\n")
    for name, kind, items, more in (
        ("rate", "rate", "conversations.jsonl", f"{RUBRIC}\nconsent: {quoted}"),
        ("gold", "rate", "conversations.jsonl", f"{RUBRIC}\ngold: {{judgments: gold.jsonl}}"),
        ("compare", "compare", "pairs.jsonl", ""),
        ("label", "label", "conversations.jsonl", "raters_per_item: 2"),
        ("next", "continuation", "continuations.jsonl", ""),
        ("dimensions", "dimensions", "conversations.jsonl", ""),
        ("write", "write", "topics.jsonl", ""),
        ("read", "proofread", "conversations.jsonl", ""),
        ("talk", "collect", "topics.jsonl", TALK + "  form: {rubric: information-seeking}\n"),
        ("both", "collect-pairs", "topics.jsonl", TALK),
    ):
        text = f"task: {name}\nkind: {kind}\nitems: [{items}]\n{about}{more}\n"
        (tasks / f"{name}.yaml").write_text(text)
    (folder / "pages").mkdir()
    (folder / "pages" / "page.md").write_text(f"# {SHORT}\n\n{HOSTILE} plots and fees")
    topic = {"id": SHORT, "text": f"{HOSTILE} plots and fees", "documents": ["page.md"],
             "persona": SHORT, "style": HOSTILE}  # fmt: skip
    _write(folder / "topics.jsonl", [topic])
    (folder / "dashboards").mkdir()
    (folder / "dashboards" / "quality.yaml").write_text(
        f"dashboard: quality\nabout: {quoted}\njudgments: ratings.jsonl\n"
        "items: conversations.jsonl\nreplicates: 20\n"
    )
    _write(folder / "ratings.jsonl", [_rating(place, who) for place in range(4) for who in "ab"])
    _write(folder / "conversations.jsonl", [_conversation(place) for place in range(4)])
    _write(folder / "pairs.jsonl", [_pair(place) for place in range(3)])
    _write(folder / "continuations.jsonl", [_continuation(place) for place in range(3)])
    _write(
        folder / "gold.jsonl",
        [{"item": f"c0{SHORT}", "judge": "gold", "question": "Q0", "answer": "3"}],
    )


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def _turns() -> list[dict[str, Any]]:
    call = {"id": "t1", "name": SHORT, "arguments": {SHORT: HOSTILE}}
    return [
        {"role": "system", "text": HOSTILE},
        {"role": "user", "text": HOSTILE},
        {"role": "assistant", "text": "", "tool_calls": [call]},
        {"role": "tool", "text": HOSTILE, "tool_call_id": "t1", "name": SHORT},
        {"role": "assistant", "text": f"{HOSTILE}\n\n```html\n{HOSTILE}\n```\n\n|a|\n|-|\n|{SHORT}|",  # noqa: E501
         "references": [{"id": SHORT, "title": SHORT, "text": HOSTILE}]},
    ]  # fmt: skip


def _conversation(place: int) -> dict[str, Any]:
    about = {SHORT: HOSTILE, "topic": SHORT}
    return {"id": f"c{place}{SHORT}", "turns": _turns(), "system": SHORT, "metadata": about}


def _pair(place: int) -> dict[str, Any]:
    answer = [{"role": "assistant", "text": HOSTILE}]
    return {"id": f"p{place}{SHORT}", "context": _turns()[:2], "a": answer, "b": answer}


def _rating(place: int, who: str) -> dict[str, Any]:
    return {
        "item": f"c{place}{SHORT}", "judge": f"{who}{SHORT}", "question": f"Q{SHORT}",
        "answer": str(1 + place % 3), "explanation": HOSTILE, "kind": "person",
    }  # fmt: skip


def hostile_answer(request: Any) -> str:
    """What the systems say that are talked with."""
    return f"{HOSTILE} [1] see [{SHORT}]"


def _continuation(place: int) -> dict[str, Any]:
    return {
        "id": f"k{place}{SHORT}", "conversation": SHORT, "turn": 2, "context": _turns()[:2],
        "references": [HOSTILE], "candidate": f"{HOSTILE} again", "source": SHORT,
    }  # fmt: skip


SCRIPTS["hostile"] = hostile_answer  # a task file can name no code, so it gets a name


@dataclass
class World:
    """The running project."""

    url: str
    app: FastAPI
    store: Store
    folder: Path
    tokens: dict[str, str] = field(default_factory=dict)
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
            base_url=self.url, follow_redirects=False, timeout=60,
            limits=httpx2.Limits(max_keepalive_connections=0),
        )  # fmt: skip
        if name is not None:
            client.cookies.set(COOKIE, self.token(name, role))
        return client

    def token(self, name: str, role: str = "rater") -> str:
        """Of a session of somebody, who is made where they are new."""
        if name not in self.tokens:
            self.tokens[name] = self.store.write_now(_signed_in, name, role)
        return self.tokens[name]

    def crawled(self, name: str, role: str = "rater") -> Found:
        """All that somebody reaches; what is refused changes nothing, so once is enough."""
        if name not in self.known:
            with self.visitor(name, role) as client:
                self.known[name] = crawl(client, self.app, ("/", *self.reached.get(name, ())))
        return self.known[name]

    def state(self) -> dict[str, Any]:
        """All rows of the database."""
        with self.store.connect() as connection:
            return {
                name: [tuple(row) for row in connection.execute(select(table))]
                for name, table in METADATA.tables.items()
            }


def _signed_in(connection: Connection, name: str, role: str) -> str:
    known = select(people.c.id).where(people.c.name == name)
    now = time.time()
    if connection.scalars(known).first() is None:
        connection.execute(
            insert(people).values(
                name=name, role=role, password=password_hash(), disabled=False, created=now
            )
        )
    return begin_session(connection, connection.scalars(known).one(), now)


@contextmanager
def running(folder: Path, *, open: bool = False, database: str | None = None) -> Iterator[World]:
    """Serves a folder by uvicorn on a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with opened(folder, url=url, open=open, database=database) as app:
            settings = uvicorn.Config(app.asgi, log_level="warning", proxy_headers=False)
            server = uvicorn.Server(settings)
            thread = threading.Thread(target=server.run, args=([listening],))
            thread.start()
            try:
                while not server.started:
                    time.sleep(0.01)
                yield World(url, app.asgi, app.store, folder)
            finally:
                server.should_exit = True
                thread.join()


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


def fill_everything(world: World, name: str, role: str = "rater", rounds: int = 2) -> list[Form]:
    """Sends every form that somebody finds, `HOSTILE` in all text fields, again and again.

    Returns:
        The forms that were sent.
    """
    sent: list[Form] = []
    reached = world.reached.setdefault(name, {})
    with world.visitor(name, role) as client:
        for _ in range(rounds):
            times = Counter[object]()
            for form in crawl(client, world.app, ("/", *reached)).posts:
                times[like := likeness(world.app, form.path, "POST")] += 1
                if SPARED.fullmatch(form.path) or times[like] > LIKE_ONE_ANOTHER:
                    continue
                fresh = [
                    one for one in read_forms(form.page, client.get(form.page).text)
                    if one.path == form.path
                ]  # fmt: skip
                for one in fresh[:1]:
                    answer = send(client, one, one.filled(HOSTILE))
                    assert answer.status_code < 500, (form.path, answer.text[:500])
                    sent.append(one)
                    if answer.headers.get("location", "").startswith("/"):
                        reached[answer.headers["location"]] = None
    return sent
