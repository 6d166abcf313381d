"""Whatever stands in an address or a form is data: no database reads it as SQL."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import pytest
from tests.web.attacks.crawler import (
    api_routes,
    changed_one_by_one,
    examples,
    filled_in,
    likeness,
    parameters_of,
)
from tests.web.attacks.test_forgery import every_post
from tests.web.attacks.world import SPARED, World, csrf, send

INJECTED = (
    "' OR '1'='1",
    "1); DROP TABLE people; --",
    "1 UNION SELECT password FROM people",
    "x' UNION SELECT 1,password,3,4,5,6,7,8,9,10 FROM people --",
    "\\'; UPDATE people SET role='admin' --",
    "%' ESCAPE 'x",
    "\x00",
    "\U0001f600 \u202e",
)
LEAKS = re.compile(r"argon2|sqlite|psycopg|Traceback|OperationalError|ProgrammingError|near \"")
PEOPLE = [("Ana", "rater"), ("Lea", "admin")]


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("postgres", marks=pytest.mark.nightly("each attack again on PostgreSQL")),
    ]
)
def either(request: pytest.FixtureRequest) -> World:
    """On each kind of database."""
    name = {"sqlite": "world", "postgres": "postgres_world"}[request.param]
    found: World = request.getfixturevalue(name)
    return found


def harmless(world: World, before: list[str]) -> None:
    """The tables stand, and nobody's role, password or name changed."""
    assert [f"{row[1]} {row[2]} {row[3]}" for row in world.state()["people"]][
        : len(before)
    ] == before


def roles(world: World) -> list[str]:
    """Names, roles and passwords of everybody."""
    return [f"{row[1]} {row[2]} {row[3]}" for row in world.state()["people"]]


@pytest.mark.parametrize(("name", "role"), PEOPLE)
def test_in_addresses(either: World, name: str, role: str) -> None:
    """In every part of a path that is a parameter, and every value of a query."""
    before, paths = roles(either), dict[str, tuple[int, ...]]()
    seen: set[tuple[object, ...]] = set()
    with either.visitor(name, role) as client:
        for path in either.crawled(name, role).pages:
            query = dict(parse_qsl(urlsplit(path).query, keep_blank_values=True))
            like = likeness(either.app, path)
            if like in seen:
                continue
            seen.add(like)
            for injected in INJECTED:
                for changed in changed_one_by_one(query, injected):
                    paths[f"{urlsplit(path).path}?{urlencode(changed)}"] = (200, 202, 303, 400, 404)
        known = examples(either.app, (("GET", one) for one in either.crawled(name, role).pages))
        for route in api_routes(either.app):
            for injected in INJECTED:
                values = {one: known.get(one, "1") for one in route.param_convertors}
                for changed in changed_one_by_one(values, quote(injected, safe="")):
                    paths[filled_in(route, changed)] = (303, 404, 405)
        for path, statuses in paths.items():
            answer = client.get(path)
            assert answer.status_code in statuses, path
            assert not LEAKS.search(answer.text), path
    assert len(paths) > 50
    harmless(either, before)


@pytest.mark.parametrize(("name", "role"), PEOPLE)
def test_in_forms(either: World, name: str, role: str) -> None:
    """In every field of every form, one after the other; what all pages to rate have, once."""
    before, seen, shared = roles(either), set[object](), set[object]()
    with either.visitor(name, role) as client:
        token = csrf(client)
        for form in every_post(either, name, role):
            like = (*likeness(either.app, form.path, "POST"), *sorted(form.filled()))
            if like in seen or SPARED.fullmatch(form.path):
                continue
            seen.add(like)
            filled, route = form.filled("text"), likeness(either.app, form.path, "POST")
            tried = {one for one in filled if (route, one) in shared}
            shared |= {(route, one) for one in filled if one.startswith("page.")}
            for injected in INJECTED[::2]:
                for changed in changed_one_by_one(filled, injected, tried):
                    answer = send(client, form, {**changed, "csrf": token})
                    assert answer.status_code < 500, (form.path, changed)
                    assert not LEAKS.search(answer.text.replace(injected, "")), form.path
    harmless(either, before)


def test_at_the_door(either: World) -> None:
    before = roles(either)
    with either.visitor() as client:
        for injected in INJECTED:
            for fields in (
                {"name": injected, "password": "x" * 12},
                {"name": "Lea", "password": injected},
            ):
                answer = client.post("/sign-in", data={**fields, "next": injected})
                assert answer.status_code in (403, 429)
            assert client.get(f"/invitation/{quote(injected, safe='')}").status_code == 404
            client.cookies.set("assize", quote(injected))
            assert client.get("/me").status_code == 303
            client.cookies.clear()
    harmless(either, before)


def test_parameters_are_found_in_addresses(either: World) -> None:
    """The attack above is as good as what it knows of addresses."""
    assert parameters_of(either.app, "/rate/17") == {"number": "17"}
    assert dict(parameters_of(either.app, "/no/such/page")) == {}
