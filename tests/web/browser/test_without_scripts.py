"""Without JavaScript: forms submit, validate, skip, undo and say what comes next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.browser.actions import choose, heading
from tests.web.browser.conftest import Visit
from tests.web.browser.projects import write_talks, write_task
from tests.web.browser.serving import Served


def write_project(folder: Path) -> None:
    write_talks(folder)
    write_task(
        folder,
        "clarity",
        "kind: rate\nitems: talks.jsonl\nraters_per_item: 40\norder: file\n"
        "consent: You agree that we keep this.\nsettings: {rubric: small.yaml}\n",
    )


def begin(page: Any) -> None:
    page.goto("/t/clarity")
    page.get_by_label("I have read this and agree").check()
    page.get_by_role("button", name="Agree and go on").click()
    page.get_by_role("button", name="Start").click()


def test_a_form_is_checked_sent_and_followed_by_the_next(visit: Visit, server: Served) -> None:
    page = visit("plain", scripts=False)
    begin(page)
    choose(page, "easy", "yes")
    page.get_by_role("button", name="Submit").click()
    page.get_by_text("Please answer this question.").wait_for()
    assert page.get_by_role("radio", name="easy", exact=True).is_checked()
    choose(page, "fully")
    page.get_by_role("button", name="Submit").click()
    assert heading(page) == "Item 2"
    assert server.said("plain") == {"chain": {"clear": "3", "kind": "2", "overall": "4"}}


def test_skip_undo_and_comment_need_no_script(visit: Visit, server: Served) -> None:
    page = visit("plainer", scripts=False)
    begin(page)
    page.locator("#comment > summary").click()
    page.get_by_label("Your comment").fill("odd one")
    page.get_by_role("button", name="Add the comment").click()
    page.get_by_text("Your comment is kept.").wait_for()
    page.locator("#skip > summary").click()
    page.get_by_label("Why?").select_option("I cannot judge this")
    page.get_by_role("button", name="Skip this item").click()
    assert heading(page) == "Item 2"
    assert server.said("plainer") == {"chain": "I cannot judge this"}
    page.get_by_role("button", name="Undo the last").click()
    page.get_by_text("Opened again.").wait_for()
    assert server.said("plainer") == {}


def test_nothing_that_needs_a_script_is_offered(visit: Visit) -> None:
    page = visit("plainest", scripts=False)
    begin(page)
    assert not page.get_by_role("button", name="Keys").is_visible()
    assert page.locator("kbd:visible").count() == 0
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Instructions").click()
    assert opened.value.get_by_role("heading", name="Instructions").is_visible()
