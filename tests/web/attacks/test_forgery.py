"""No other site makes anybody's browser do anything, and no session is another's."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.attacks.crawler import Form, api_routes, examples, filled_in, methods_of
from tests.web.attacks.detector import other_site
from tests.web.attacks.world import World, csrf, send

from assize.web._accounts.sessions import COOKIE

PEOPLE = [("Ana", "rater"), ("Lea", "admin")]
CROSS = [
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:1"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
]


def every_post(world: World, name: str, role: str) -> list[Form]:
    """A form of every route that changes something, those that nobody links to among them."""
    found = world.crawled(name, role)
    known = examples(
        world.app,
        [*(("GET", path) for path in found.pages), *(("POST", one.path) for one in found.posts)],
    )
    rest = [
        Form(filled_in(route, known), "post")
        for route in api_routes(world.app)
        if "POST" in methods_of(route)
    ]
    paths = {one.path for one in found.posts}
    return [*found.posts, *(one for one in rest if one.path not in paths)]


@pytest.mark.parametrize(("name", "role"), PEOPLE)
def test_no_form_is_taken_without_its_token(unchanged: World, name: str, role: str) -> None:
    """None, an empty one, another person's, one of another session of the same person."""
    with unchanged.visitor("Ben") as other:
        bens = csrf(other)
    forms = every_post(unchanged, name, role)
    with unchanged.visitor(name, role) as client:
        for form in forms:
            if form.path in ("/sign-in",):
                continue
            for token in (None, "", "x", bens):
                fields = {**form.filled("text"), "csrf": token or ""}
                if token is None:
                    del fields["csrf"]
                answer = send(client, form, fields)
                assert answer.status_code in (400, 404), (form.path, token, answer.status_code)


@pytest.mark.parametrize(("name", "role"), PEOPLE)
def test_no_form_is_taken_from_another_site(unchanged: World, name: str, role: str) -> None:
    """Not even with the right token."""
    forms = every_post(unchanged, name, role)
    with unchanged.visitor(name, role) as client:
        token = csrf(client)
        for form in forms:
            for headers in CROSS:
                fields = {**form.filled("text"), "csrf": token}
                answer = client.post(form.path, data=fields, headers=headers)
                assert answer.status_code == 403, (form.path, headers)


def test_a_stranger_signs_nobody_in_from_another_site(world: World) -> None:
    """Login forgery: a visitor would go on under the attacker's name."""
    with world.visitor() as client:
        for headers in CROSS:
            fields = {"name": "Ben", "password": "four plain old words"}
            answer = client.post("/sign-in", data=fields, headers=headers)
            assert answer.status_code == 403
            assert "set-cookie" not in answer.headers


def test_a_page_of_another_origin_changes_nothing_in_a_browser(
    unchanged: World, browser: Any
) -> None:
    """Chromium sends the cookie along here: ports do not matter to SameSite."""
    with unchanged.visitor("Lea", "admin") as client:
        token = csrf(client)
    page = f"""<form method=post action="{unchanged.url}/admin/people/invite">
      <input name=csrf value="{token}"><input name=names><input name=count value=1>
      <input name=role value=admin><input name=days value=7><input name=task></form>
      <script>document.forms[0].submit()</script>"""
    with other_site(page) as evil:
        context = browser.new_context()
        context.add_cookies(
            [
                {
                    "name": COOKIE,
                    "value": unchanged.token("Lea", "admin"),
                    "url": unchanged.url,
                    "sameSite": "Lax",
                }
            ]
        )
        opened = context.new_page()
        with opened.expect_navigation(url=f"{unchanged.url}/**"):
            opened.goto(evil)
        assert "came from another site" in opened.content()
        context.close()


def test_no_page_can_be_framed_by_another(world: World, browser: Any) -> None:
    with other_site(f'<iframe src="{world.url}/sign-in"></iframe>') as evil:
        context = browser.new_context()
        opened = context.new_page()
        opened.goto(evil)
        assert "Sign in" not in opened.frames[1].content()
        context.close()


def test_no_page_can_be_read_by_another_origin(world: World, browser: Any) -> None:
    with other_site("<p>evil</p>") as evil:
        context = browser.new_context()
        context.add_cookies([{"name": COOKIE, "value": world.token("Ana"), "url": world.url}])
        opened = context.new_page()
        opened.goto(evil)
        read = """async (url) => {
          try { return await (await fetch(url, {credentials: "include"})).text() }
          catch (error) { return "refused" } }"""
        assert opened.evaluate(read, f"{world.url}/me/data.json") == "refused"
        context.close()
