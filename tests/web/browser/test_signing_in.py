"""From an invitation to the first answer, in again with a password, and out as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.browser.actions import choose, start, submit
from tests.web.browser.conftest import Visit
from tests.web.browser.projects import write_talks, write_task
from tests.web.browser.serving import Served
from tests.web.browser.test_access import faults

from assize import web
from assize.formats import read_judgments

PASSWORD = "four plain old words"


def write_project(folder: Path) -> None:
    write_talks(folder)
    write_task(
        folder,
        "clarity",
        "kind: rate\nitems: talks.jsonl\norder: file\nsettings: {rubric: small.yaml}\n",
    )


def test_an_invited_person_makes_an_account_rates_and_signs_in_again(
    visit: Visit, server: Served, tmp_path: Path
) -> None:
    page = visit(None)
    page.goto(invitation(visit("lead", role="admin"), "Zoë"))
    assert page.get_by_label("Your name").input_value() == "Zoë"
    assert faults(page) == []
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    page.get_by_role("button", name="Make my account").click()
    start(page, "clarity")
    choose(page, "easy", "yes", "fully")
    submit(page)
    page.goto("/me")
    assert faults(page) == []
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.goto("/past")
    assert faults(page) == []
    page.get_by_label("Name").fill("Zoë")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="my bike chain").wait_for()
    web.export(server.project.folder, out=tmp_path / "out")
    rows = read_judgments(tmp_path / "out" / "clarity" / "judgments.jsonl")
    assert [(one.item, one.judge, one.question, one.answer) for one in rows] == [
        ("chain", "Zoë", "clear", "3"),
        ("chain", "Zoë", "kind", "2"),
        ("chain", "Zoë", "why", "NA"),
        ("chain", "Zoë", "overall", "4"),
    ]


def invitation(lead: Any, name: str) -> str:
    """The link that a lead makes for somebody."""
    lead.goto("/admin/people")
    lead.get_by_label("Names, one a line").fill(name)
    lead.get_by_role("button", name="Make links", exact=True).click()
    assert faults(lead) == []
    return str(lead.locator("input.link").input_value())
