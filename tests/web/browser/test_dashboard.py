"""The dashboard in a real browser: charts whose parts are links, by mouse, keys and form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.browser.conftest import Visit
from tests.web.dashboard import project

HOME = "/dashboards/satisfaction"
SVG = "main .drawing svg"


def write_project(folder: Path) -> None:
    project.write_project(folder)


def opened(page: Any, query: str = "") -> Any:
    """The dashboard with its charts."""
    page.goto(f"{HOME}?{query}")
    page.locator(SVG).first.wait_for(timeout=60_000)
    return page


def test_a_click_in_a_tail_lists_its_conversations_and_one_can_be_read(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"))
    box = page.locator(SVG).first.bounding_box()
    page.mouse.click(box["x"] + 0.25 * box["width"], box["y"] + 0.4 * box["height"])
    page.get_by_role("heading", name="Q0 from 1 to").wait_for()
    values = [float(one) for one in page.locator("tbody td:nth-child(2)").all_inner_texts()]
    assert values
    assert values == sorted(values)
    page.locator("tbody a").first.click()
    page.get_by_role("heading", name="Judgments").wait_for()


def test_a_strip_is_reached_and_followed_by_keys(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"))
    page.get_by_role("button", name="Show").focus()
    first = page.locator(f"{SVG} a").first
    for _ in range(4):  # what to know about these judgments stands between
        page.keyboard.press("Tab")
        if first.evaluate("one => one === document.activeElement"):
            break
    assert str(first.get_attribute("aria-label")).startswith("Conversations with Q0 from 1 to")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Q0 from 1 to").wait_for()


def test_a_click_on_an_answer_lists_who_has_it_without_scripts_too(visit: Visit) -> None:
    for scripts in (True, False):
        page = opened(visit("lea", role="admin", scripts=scripts), "raters=people&by=system")
        link = page.locator(f"{SVG} a[href*='answer=right']").last
        assert str(link.get_attribute("aria-label")) == "Conversations with length right old"
        link.click()
        page.get_by_role("heading", name="length right, old").wait_for()


def test_charts_hold_nothing_but_shapes_words_and_links(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"), "by=metadata.topic&every=week")
    tags = page.evaluate("[...document.querySelectorAll('main svg *')].map((one) => one.tagName)")
    assert set(tags) <= {"g", "path", "line", "text", "tspan", "rect", "a", "title"}
    hrefs = page.evaluate(
        "[...document.querySelectorAll('main svg a')].map((a) => a.getAttribute('href'))"
    )
    assert hrefs
    assert all(one.startswith(f"{HOME}/region?") for one in hrefs)
    assert not page.evaluate(
        "[...document.querySelectorAll('main svg *')].some((one) => one.hasAttribute('style'))"
    )
