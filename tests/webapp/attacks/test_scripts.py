"""Nothing that strangers write runs, on any page, in a real Chromium."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from chromium import chromium
from tests.webapp.attacks.crawler import (
    api_routes,
    guards_of,
    is_page,
    likeness,
    methods_of,
    route_of,
)
from tests.webapp.attacks.world import HOSTILE, World

from assize.webapp.accounts.sessions import COOKIE
from assize.webapp.security import POLICY

PEOPLE = [("Ana", "rater"), ("Lea", "admin")]
WATCH = """document.addEventListener("securitypolicyviolation", (event) =>
  assizeViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));"""
PLANTED = """() => [
  ...document.querySelectorAll("[data-planted], script:not([src]), iframe, base, style"),
  ...[...document.querySelectorAll("*")].filter((one) => [...one.attributes].some((at) =>
    at.name.startsWith("on") || /^\\s*javascript:/i.test(at.value) || at.name === "style"
    || (/^(href|src|action)$/.test(at.name) && at.value.includes("evil")))),
].filter((one) => !one.closest("svg, .vega-embed")).map((one) => one.outerHTML.slice(0, 300))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.mark.parametrize(("name", "role"), PEOPLE)
def test_no_page_runs_what_strangers_wrote(
    world: World, browser: Any, name: str, role: str
) -> None:
    """Every page that links lead to, after every form was sent with hostile texts."""
    ran: list[str] = []
    asked: list[str] = []
    context = browser.new_context(base_url=world.url)
    context.add_cookies([{"name": COOKIE, "value": world.token(name, role), "url": world.url}])
    context.expose_binding("assizeRan", lambda _, what: ran.append(f"script {what}"))
    context.expose_binding("assizeViolation", lambda _, what: ran.append(f"policy {what}"))
    context.add_init_script(WATCH)
    context.on("request", lambda one: asked.append(one.url))

    def told(dialog: Any) -> None:
        ran.append(f"dialog {dialog.message}")
        dialog.dismiss()

    context.on("dialog", told)
    page = context.new_page()
    hostile = 0
    pages = one_of_each(world, name, role)
    assert len(pages) > 10
    for path in pages:
        page.goto(path)
        hostile += "assizeRan(1)" in page.content()
        for summary in page.query_selector_all("details:not([open]) > summary"):
            summary.evaluate("one => one.parentElement.open = true")
        assert page.evaluate(PLANTED) == [], path
        assert not ran, (path, ran)
    context.close()
    assert hostile > 5
    assert [one for one in asked if not one.startswith((world.url, "data:"))] == []


def one_of_each(world: World, name: str, role: str) -> list[str]:
    """Two pages of every route."""
    times = Counter[object]()
    found = []
    for path in world.crawled(name, role).html:
        times[like := likeness(world.app, path)] += 1
        if times[like] <= 2:
            found.append(path)
    return found


@pytest.mark.parametrize(("name", "role"), PEOPLE)
def test_every_answer_carries_the_policy(world: World, name: str, role: str) -> None:
    for path, answer in world.crawled(name, role).pages.items():
        assert answer.headers["content-security-policy"] == POLICY, path
        assert answer.headers["x-content-type-options"] == "nosniff", path
        assert is_page(answer) or "html" not in answer.headers.get("content-type", ""), path


@pytest.mark.parametrize(("name", "role"), PEOPLE)
def test_no_page_holds_hostile_text_as_it_was_written(world: World, name: str, role: str) -> None:
    for path in (found := world.crawled(name, role)).html:
        text = found.pages[path].text
        assert "<script>assizeRan" not in text, path
        assert "<img src=x" not in text, path
        assert "\u202e" not in text, path
        assert "49" not in text or "{{7*7}}" in text or HOSTILE not in text, path


def test_every_page_of_the_app_was_looked_at(world: World) -> None:
    """So that a new page is either linked, and attacked here, or named here."""
    seen = {
        (route.path, method)
        for name, role in PEOPLE
        for found in [world.crawled(name, role)]
        for method, paths in (("GET", found.pages), ("POST", [one.path for one in found.posts]))
        for path in paths
        if (route := route_of(world.app, path, method)) is not None
    }
    every = {
        (route.path, method)
        for route in api_routes(world.app)
        for method in methods_of(route)
        if guards_of(route) & {"_rater", "_admin"}
    }
    assert every - seen <= ELSEWHERE, sorted(every - seen - ELSEWHERE)


ELSEWHERE = {
    ("/collect/{task}", "GET"),
    ("/collect/{task}", "POST"),
    ("/collect/{task}/{chat}/again", "POST"),
    ("/collect/{task}/{chat}/end", "POST"),
    ("/collect/{task}/{chat}/messages", "POST"),
    ("/collect/{task}/{chat}/stream", "GET"),
    ("/collect/{task}/{chat}/topic", "POST"),
    ("/discussions/{number}", "GET"),
    ("/discussions/{number}/propose", "POST"),
    ("/discussions/{number}/reopen", "POST"),
    ("/discussions/{number}/say", "POST"),
    ("/discussions/{number}/settle", "POST"),
    ("/monitor/{task}/disputed", "POST"),
    ("/monitor/{task}/order", "POST"),
    ("/rate/{number}/draft", "POST"),
    ("/rate/{number}/undo", "POST"),
    ("/monitor/{task}/counts", "GET"),
    ("/monitor/{task}/tables/{file}", "GET"),
    ("/monitor/{task}/rater", "GET"),
    ("/dashboards/{name}/bands", "GET"),
    ("/dashboards/{name}/chart.svg", "GET"),
    ("/dashboards/{name}/conversation", "GET"),
    ("/dashboards/{name}/region", "GET"),
    ("/dashboards/{name}/time", "GET"),
    ("/dashboards/{name}/versions", "GET"),
    ("/dashboards/{name}/worth", "GET"),
}
"""Routes that no link and no form without scripts leads to: their own tests attack them."""
