"""Numbers in addresses can be guessed; what is another's looks like what is not there."""

from __future__ import annotations

import re

import pytest
from fastapi.routing import APIRoute
from tests.web.attacks.crawler import api_routes, filled_in, guards_of, methods_of, route_of
from tests.web.attacks.test_forgery import every_post
from tests.web.attacks.world import World, csrf, send

STRANGER = "Eve"  # signed in, and nothing is theirs
NOWHERE = "/no/such/page"


def own_paths(world: World, name: str) -> list[str]:
    """Pages that somebody reaches and that have more in their address than a task's name."""
    return [
        path
        for path, one in world.crawled(name).pages.items()
        if one.status_code == 200 and is_own(route_of(world.app, path))
    ]


def is_own(route: APIRoute | None) -> bool:
    """Whether an address of this route belongs to one person."""
    return route is not None and bool(route.param_convertors.keys() - {"task"})


@pytest.mark.parametrize("name", ["Ana", "Ben"])
def test_another_raters_pages_are_not_found(world: World, name: str) -> None:
    """Every page with an id in its address; the answer is the one that no page at all gets.

    A discussion belongs to both.
    """
    paths = own_paths(world, name)
    shared = [path for path in paths if path.startswith("/discussions/")]
    assert 0 < len(shared) < len(paths)
    with world.visitor(STRANGER) as eve, world.visitor("Ben" if name == "Ana" else "Ana") as other:
        for client, hidden in ((eve, paths), (other, set(paths) - set(shared))):
            nothing = client.get(NOWHERE)
            for path in hidden:
                answer = client.get(path)
                assert answer.status_code == 404, path
                assert answer.text == nothing.text, path


def test_another_raters_forms_do_nothing(unchanged: World) -> None:
    """With a right token of one's own."""
    forms = [
        one
        for one in unchanged.crawled("Ana").posts
        if is_own(route_of(unchanged.app, one.path, "POST"))
    ]
    assert len(forms) > 3
    with unchanged.visitor(STRANGER) as client:
        token = csrf(client)
        for form in forms:
            answer = send(client, form, {**form.filled("text"), "csrf": token})
            assert answer.status_code == 404, form.path


def test_ids_in_fields_are_checked_too(world: World) -> None:
    """Ana's forms, sent to Eve's own addresses of the same kind, and the other way round."""
    with world.visitor(STRANGER) as client:
        for form in world.crawled("Ana").posts:
            fields = {**form.filled("text"), "csrf": csrf(client)}
            hidden = [one for one in form.fields if one.type == "hidden" and one.name != "csrf"]
            if hidden and "/me/" not in form.path and "/consent" not in form.path:
                assert send(client, form, fields).status_code in (303, 404, 409), form.path
    rows = world.state()["answers"]
    mine = {row[0] for row in world.state()["assignments"] if row[3] == person(world, STRANGER)}
    assert not [row for row in rows if row[1] in mine]


def person(world: World, name: str) -> int:
    """The number of somebody."""
    return next(int(row[0]) for row in world.state()["people"] if row[1] == name)


@pytest.mark.parametrize("number", ["0", "-1", "999999", "9" * 40, "1e3", "1.5", "01x", "null"])
def test_numbers_that_name_nothing_are_not_found(world: World, number: str) -> None:
    with world.visitor("Lea", "admin") as client:
        for route in api_routes(world.app):
            if "GET" in methods_of(route) and route.param_convertors and "token" not in route.path:
                names = dict.fromkeys(route.param_convertors, number)
                assert client.get(filled_in(route, names)).status_code == 404, route.path


def test_raters_find_no_page_of_leads(unchanged: World) -> None:
    """What leads can open is not there for raters, whatever the method."""
    found = unchanged.crawled("Lea", "admin")
    paths = [path for path in found.pages if is_lead(route_of(unchanged.app, path))]
    posts = [
        one
        for one in every_post(unchanged, "Lea", "admin")
        if is_lead(route_of(unchanged.app, one.path, "POST"))
    ]
    assert len(paths) > 5
    assert len(posts) > 5
    with unchanged.visitor("Ana") as client:
        nothing, token = client.get(NOWHERE), csrf(client)
        for path in paths:
            answer = client.get(path)
            assert (answer.status_code, answer.text) == (404, nothing.text), path
        for form in posts:
            answer = send(client, form, {**form.filled("text"), "csrf": token})
            assert (answer.status_code, answer.text) == (404, nothing.text), form.path


def is_lead(route: APIRoute | None) -> bool:
    """Whether a route is for leads."""
    return route is not None and "_admin" in guards_of(route)


def test_strangers_are_sent_to_sign_in(world: World) -> None:
    forms = [*every_post(world, "Lea", "admin"), *every_post(world, "Ana", "rater")]
    paths = [*world.crawled("Lea", "admin").pages, *world.crawled("Ana").pages]
    before = world.state()
    with world.visitor() as client:
        for path in paths:
            route = route_of(world.app, path)
            if route is not None and guards_of(route) & {"_rater", "_admin"}:
                answer = client.get(path)
                assert answer.status_code == 303, path
                assert answer.headers["location"].startswith("/sign-in?next=%2F"), path
        for form in forms:
            route = route_of(world.app, form.path, "POST")
            if route is not None and guards_of(route) & {"_rater", "_admin"}:
                assert send(client, form, form.filled("text")).status_code == 401, form.path
    assert world.state() == before


OPEN_TO_ALL = {"/sign-in", "/invitation/{token}"}


def test_only_these_pages_are_open_to_everybody(world: World) -> None:
    unguarded = {
        route.path for route in api_routes(world.app) if not guards_of(route) & {"_rater", "_admin"}
    }
    assert unguarded <= OPEN_TO_ALL


def test_pages_of_leads_are_guarded_as_such(world: World) -> None:
    """By their place: nothing below these is a rater's."""
    for route in api_routes(world.app):
        if re.match(r"/(admin|monitor|dashboards)(/|$)", route.path):
            assert "_admin" in guards_of(route), route.path


def test_no_page_of_a_rater_names_another_or_says_which_system_wrote_or_what_is_gold(
    world: World,
) -> None:
    for name, other in (("Ana", "Ben"), ("Ben", "Ana")):
        hidden = rf"hidden-1|hidden-2|<b>hidden|hostile_answer|\b{other}\b"
        for path, answer in world.crawled(name).pages.items():
            assert not re.search(hidden, answer.text), path
