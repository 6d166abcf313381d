"""What tests do on a page, in the words of a person."""

from __future__ import annotations

from typing import Any


def start(page: Any, task: str) -> None:
    """From the task's page to the first item."""
    page.goto(f"/t/{task}")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("html.scripts #answers")


def choose(page: Any, *answers: str) -> None:
    """Marks answers by their words."""
    for answer in answers:
        page.get_by_role("radio", name=answer, exact=True).check()


def submit(page: Any) -> None:
    """Sends the form and waits for what comes."""
    before = page.locator("#answers").element_handle()
    page.get_by_role("button", name="Submit").click()
    before.wait_for_element_state("hidden")
    page.locator(".told", has_text="Saved").wait_for()


def heading(page: Any) -> str:
    """What the page says it shows."""
    return str(page.locator("#heading").inner_text())


def saved(page: Any) -> None:
    """Waits until the draft is on the server."""
    page.locator("#draft-state", has_text="Draft saved").wait_for()
