"""`assize web invite`: links made beside the running app."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.accounts.clients import PASSWORD, Site, post
from typer.testing import CliRunner

import assize
from assize.base.errors import ConfigError
from assize.cli import app

NEW = "five other plain old words"


def test_a_lead_who_lost_the_password_gets_a_new_one(here: Site, tmp_path: Path) -> None:
    here.person("Lea", "admin")
    link = assize.web.invite(tmp_path, name="lea", url="http://testserver/").link
    assert link.startswith("http://testserver/invitation/")
    path = link.removeprefix("http://testserver")
    assert post(here.visitor(), path, password=NEW, again=NEW).status_code == 303
    assert post(here.visitor(), "/sign-in", name="Lea", password=NEW).status_code == 303


def test_the_command_makes_another_admin(here: Site, tmp_path: Path) -> None:
    words = ["web", "invite", "--project", str(tmp_path), "--admin", "--url", here.url]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    path = done.stdout.strip().removeprefix(here.url)
    client = here.visitor()
    post(client, path, name="Max", password=PASSWORD, again=PASSWORD)
    assert client.get("/admin/people").status_code == 200


def test_a_second_link_of_one_name_takes_the_place_of_the_first(here: Site, tmp_path: Path) -> None:
    first, second = (
        assize.web.invite(tmp_path, name=name, url="http://testserver").link
        for name in ("Max", "max")
    )
    answers = [
        post(here.visitor(), link.removeprefix("http://testserver"), password=NEW, again=NEW)
        for link in (first, second)
    ]
    assert [answer.status_code == 303 for answer in answers] == [False, True]


def test_a_path_in_the_address_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not served under a path"):
        assize.web.invite(tmp_path, url="https://example.org/rate")
