"""The first lines of every route: who looks, and whether the form is theirs."""

from __future__ import annotations

import pytest
from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse
from tests.web.accounts.clients import Site, csrf

from assize.web._routes.viewer import Admin, Anyone, Posted, Rater, posted

router = APIRouter()


@router.get("/_anyone")
async def _anyone(viewer: Anyone) -> PlainTextResponse:
    return PlainTextResponse("nobody" if viewer is None else viewer.name)


@router.get("/_admin")
async def _admin(viewer: Admin) -> PlainTextResponse:
    return PlainTextResponse(viewer.name)


@router.post("/_say")
async def _say(request: Request, viewer: Rater) -> PlainTextResponse:
    form = await posted(request, viewer)
    return PlainTextResponse(f"{form.one('a')} {sorted(form.values)} {viewer.csrf}")


@pytest.fixture
def found(here: Site) -> Site:
    here.app.include_router(router)
    return here


def test_a_stranger_is_nobody_and_is_asked_to_sign_in(found: Site) -> None:
    stranger = found.visitor()
    assert stranger.get("/_anyone").text == "nobody"
    answer = stranger.get("/_admin?x=1")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/sign-in?next=%2F_admin%3Fx%3D1"


def test_a_form_needs_the_token_of_its_session(found: Site) -> None:
    ann, bob = found.visitor("ann"), found.visitor("bob")
    own, other = csrf(ann.get("/me").text), csrf(bob.get("/me").text)
    assert own != other
    assert ann.post("/_say", data={"a": "hi", "csrf": own}).text.startswith("hi ['a']")
    for wrong in ({"a": "hi"}, {"a": "hi", "csrf": other}, {"a": "hi", "csrf": ""}):
        answer = ann.post("/_say", data=wrong)
        assert answer.status_code == 400
        assert "earlier session" in answer.text


def test_a_script_sends_the_token_as_a_header(found: Site) -> None:
    ann = found.visitor("ann")
    answer = ann.post(
        "/_say", data={"a": "hi"}, headers={"x-csrf-token": csrf(ann.get("/me").text)}
    )
    assert answer.text.startswith("hi ")


def test_the_last_value_of_a_name_counts() -> None:
    assert Posted({"a": ["1", "2"]}).one("a") == "2"
    assert Posted({}).one("a", "none") == "none"
