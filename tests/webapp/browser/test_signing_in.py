"""From an invitation link to the first answer, and in again with a password."""

from __future__ import annotations

import time
from pathlib import Path

from tests.webapp.browser.actions import choose, start, submit
from tests.webapp.browser.conftest import Visit
from tests.webapp.browser.projects import RUBRIC, write_talks, write_task
from tests.webapp.browser.serving import Served

from assize.webapp.accounts.invitations import invite

PASSWORD = "four plain old words"


def write_project(folder: Path) -> None:
    write_talks(folder)
    (folder / "small.yaml").write_text(RUBRIC, encoding="utf-8")
    write_task(
        folder, "clarity",
        "kind: rate\nitems: talks.jsonl\norder: file\nsettings: {rubric: small.yaml}\n",
    )  # fmt: skip


def test_an_invited_person_makes_an_account_rates_and_signs_in_again(
    visit: Visit, server: Served
) -> None:
    token = server.store.write_now(invite, time.time())
    page = visit(None)
    page.goto(f"/invitation/{token}")
    page.get_by_label("Your name").fill("Zoë")
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    page.get_by_role("button", name="Make my account").click()
    start(page, "clarity")
    choose(page, "easy", "yes", "fully")
    submit(page)
    page.get_by_role("button", name="Sign out").click()
    page.goto("/past")
    page.get_by_label("Name").fill("Zoë")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="my bike chain").wait_for()
    assert server.said("Zoë") == {"chain": {"clear": "3", "kind": "2", "overall": "4"}}
