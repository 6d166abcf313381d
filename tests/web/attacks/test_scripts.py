"""Nothing that strangers write runs, on any page, in a real Chromium."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from tests.web.attacks.crawler import (
    api_routes,
    is_page,
    likeness,
    methods_of,
    read_forms,
    route_of,
)
from tests.web.attacks.detector import detecting
from tests.web.attacks.world import HOSTILE, World

from assize.web._security import POLICY
from assize.web._storage.schema import answers, assignments, tasks
from assize.web._tasks.kinds import KINDS

PEOPLE = [("Ana", "rater"), ("Lea", "admin"), ("", "")]


@pytest.mark.parametrize(("name", "role"), PEOPLE)
def test_no_page_runs_what_strangers_wrote(
    world: World, browser: Any, name: str, role: str
) -> None:
    """Every page that links lead to, after every form was sent with hostile texts."""
    pages = one_of_each(world, name, role)
    assert len(pages) > (10 if name else 1)
    hostile = 0
    with detecting(browser, world.url, world.token(name, role) if name else None) as detector:
        for path in pages:
            assert detector.open(path) == [], path
            hostile += "assizeRan(" in detector.page.content()
    assert hostile > len(pages) / 2


def one_of_each(world: World, name: str, role: str) -> list[str]:
    """Two pages of every route, and one for every other form that its pages have."""
    found, times = [], Counter[object]()
    pages = world.crawled(name, role).pages
    for path in [one for one, answer in pages.items() if is_drawn(answer)]:
        like, forms = likeness(world.app, path), read_forms(path, pages[path].text)
        other = (like, frozenset(field.name for form in forms for field in form.fields))
        times.update([like, other])
        if times[like] <= 2 or times[other] == 1:
            found.append(path)
    return found


def is_drawn(answer: Any) -> bool:
    """Whether a browser draws it: a page or a picture."""
    return is_page(answer) or answer.headers.get("content-type", "").startswith("image/svg")


@pytest.mark.parametrize(("name", "role"), PEOPLE)
def test_every_answer_carries_the_policy(world: World, name: str, role: str) -> None:
    for path, answer in world.crawled(name, role).pages.items():
        assert answer.headers["content-security-policy"] == POLICY, path
        assert answer.headers["x-content-type-options"] == "nosniff", path
        assert is_page(answer) or "html" not in answer.headers.get("content-type", ""), path


@pytest.mark.parametrize(("name", "role"), PEOPLE)
def test_no_page_holds_hostile_text_as_it_was_written(world: World, name: str, role: str) -> None:
    for path, answer in world.crawled(name, role).pages.items():
        if is_drawn(answer):
            assert_escaped(answer.text, path)


@pytest.mark.parametrize("name", ["Ana", "Ben", "Lea"])
def test_no_answer_to_a_form_holds_hostile_text_as_it_was_written(world: World, name: str) -> None:
    """Among them those that show again what was sent, with what is wrong about it."""
    pages = [one for one in world.sent[name] if is_page(one.answer)]
    assert any("assizeRan(1)" in one.answer.text for one in pages)
    for one in pages:
        assert_escaped(one.answer.text, one.form.path)


def assert_escaped(text: str, path: str) -> None:
    """No element stands there, no character that turns writing round, no template worked out."""
    assert "<script>assizeRan" not in text, path
    assert "<img src=x" not in text, path
    assert "\u202e" not in text, path
    assert "49" not in text or "{{7*7}}" in text or HOSTILE not in text, path


def test_people_worked_in_every_kind_of_task(world: World) -> None:
    """So that pages of all kinds are attacked, with their answers."""
    worked = tasks.join(assignments, assignments.c.task == tasks.c.id).join(answers)
    asked = select(tasks.c.kind).select_from(worked).where(answers.c.event == "submit")
    with world.store.connect() as connection:
        found = set(connection.scalars(asked))
    assert found == KINDS.keys()


@pytest.mark.parametrize(
    "path",
    [
        "/rate/{number}/flag",
        "/rate/{number}/comment",
        "/rate/{number}/draft",
        "/rate/{number}",
        "/collect/{task}/{chat}/messages",
        "/discussions/{number}/say",
        "/discussions/{number}/settle",
        "/admin/comments/{number}/reply",
    ],
)
def test_hostile_texts_are_taken(world: World, path: str) -> None:
    """They come in by these forms: what was refused could be shown on no page."""
    taken = [
        one.form.path
        for sent in world.sent.values()
        for one in sent
        if one.answer.status_code in (204, 303)
    ]
    assert path in {named(world.app, one, "POST") for one in taken}


def test_every_page_of_the_app_was_looked_at(world: World) -> None:
    """So that a new page is either reached, and attacked here, or named here with the reason."""
    seen = set()
    for name, role in PEOPLE:
        found = world.crawled(name, role)
        forms = [*found.posts, *(one.form for one in world.sent.get(name, ()))]
        looked = [path for path, answer in found.pages.items() if answer.status_code < 400]
        seen |= {(named(world.app, path, "GET"), "GET") for path in looked}
        seen |= {(named(world.app, one.path, "POST"), "POST") for one in forms}
    every = {(route.path, one) for route in api_routes(world.app) for one in methods_of(route)}
    assert every - seen == ELSEWHERE.keys()


def named(app: FastAPI, path: str, method: str) -> str:
    """The route that serves a path; "" for none."""
    found = route_of(app, path, method)
    return "" if found is None else found.path


ELSEWHERE = {
    ("/collect/{task}/{chat}/again", "POST"): "offered where an answer broke off, none does here",
}
"""Routes that nobody reaches in this world, and why: their own tests attack them."""
