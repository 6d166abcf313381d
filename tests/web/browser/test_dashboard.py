"""The dashboard in a real browser: charts whose parts are links, by mouse, keys and form."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.web.browser.conftest import Visit
from tests.web.browser.test_access import faults
from tests.web.dashboard import project

HOME = "/dashboards/satisfaction"


def write_project(folder: Path) -> None:
    project.write_project(folder)


def opened(page: Any, query: str = "") -> Any:
    """The dashboard with its charts and bands."""
    page.goto(f"{HOME}?{query}")
    page.locator(".chart svg").first.wait_for(timeout=60_000)
    page.wait_for_selector(".picture[hx-get]", state="detached", timeout=60_000)
    return page


def press(page: Any, across: float, down: float = 0.5) -> str:
    """Clicks into the first chart at a share of its size; returns the heading of the list."""
    box = page.locator(".chart.main svg").bounding_box()
    page.mouse.click(box["x"] + across * box["width"], box["y"] + down * box["height"])
    page.wait_for_selector("#region h2")
    return str(page.locator("#region h2").inner_text())


def test_a_click_in_a_tail_lists_its_conversations_and_one_can_be_read(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"))
    heading = press(page, 0.2)
    count, high = re.match(r"(\d+) conversations? with Q0 from 1 to ([\d.]+)", heading).groups()  # type: ignore[union-attr]
    values = [float(one) for one in page.locator("#region tbody td.number").all_inner_texts()]
    assert len(values) == int(count) > 0
    assert values == sorted(values)
    assert max(values) <= float(high) + 1e-3
    page.locator("#region tbody a").first.click()
    page.get_by_role("heading", name="About the whole").wait_for()


def test_a_strip_is_reached_and_followed_by_keys(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"))
    page.get_by_role("button", name="Show").focus()
    first = page.locator(".chart.main svg a").first
    for _ in range(4):  # what to know about these judgments stands between
        page.keyboard.press("Tab")
        if first.evaluate("one => one === document.activeElement"):
            break
    name = str(first.get_attribute("aria-label"))
    assert page.get_by_role("group", name="How Q0 is spread").get_by_role("link", name=name).count()
    page.keyboard.press("Enter")
    page.wait_for_selector("#region h2")
    assert page.locator("#region h2").inner_text() == name


def test_a_click_on_a_bar_lists_its_curve_alone(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"), "by=system&kind=bars")
    bar = page.locator(".chart.main svg a[href*='curve=old']").first
    name = bar.get_attribute("aria-label")
    bar.click()
    page.wait_for_selector("#region h2")
    assert page.locator("#region h2").inner_text() == name
    assert str(name).endswith(", old")


def test_a_click_on_an_answer_lists_who_has_it(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"), "judges=people&by=system")
    headings = []
    for row in range(6):  # three answers by two groups, from the top, beyond the bars' ends
        middles = page.locator(".chart.main svg a").all()
        box = middles[row // 2 + 3 * (row % 2)].bounding_box()
        page.mouse.click(box["x"] + 0.95 * box["width"], box["y"] + box["height"] / 2)
        page.wait_for_selector("#region h2")
        headings.append(page.locator("#region h2").inner_text())
        page.go_back()
        page.locator(".chart.main svg").wait_for()
    assert [one.partition(" with length ")[2].rpartition(", ")[::2] for one in headings] == [
        (said, group)
        for said in ("short: too short", f"long: {project.ATTACK}", "right")
        for group in ("new", "old")
    ]


def test_an_answer_is_listed_from_the_table(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"), "judges=people")
    page.get_by_role("link", name="list 15 with right").click()
    page.get_by_role("heading", name="15 conversations with length right").wait_for()


def test_pages_of_a_list_follow(visit: Visit) -> None:
    page = visit("lea", role="admin")
    page.goto(f"{HOME}/region?question=Q0&apart=1")
    page.locator("#region").get_by_role("link", name="Next").click()
    page.get_by_text("Page 2 of").wait_for()


def test_an_attack_in_a_text_stays_text(visit: Visit) -> None:
    page = visit("lea", role="admin")
    page.goto(f"{HOME}/conversation?id=c%2F000")
    assert page.locator("main script, main img").count() == 0
    assert page.get_by_text("<script>alert('x')</script>").count() > 3


def test_without_scripts_there_are_the_same_charts_and_links(visit: Visit) -> None:
    opened(visit("lea", role="admin"))
    page = visit("lea", role="admin", scripts=False)
    page.goto(f"{HOME}?by=metadata.topic")
    assert page.locator(".chart svg").count() == 3
    page.locator(".chart.main").get_by_role("link", name="Wait for them").click()
    assert page.get_by_role("link", name="Wait for them").count() == 2
    form = page.locator(".chart.main .stretch")
    form.get_by_label("to").fill("2.5")
    form.get_by_role("button").click()
    assert "with Q0 from 1 to 2.5" in page.locator("#region h2").inner_text()
    page.go_back()
    name = page.locator(".chart.main svg a").last.get_attribute("aria-label")
    page.locator(".chart.main svg a").last.click()
    assert page.locator("#region h2").inner_text() == name


def test_charts_hold_nothing_but_shapes_words_and_links(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"), "judges=people&by=metadata.topic")
    tags = page.evaluate("[...document.querySelectorAll('.chart svg *')].map((one) => one.tagName)")
    assert set(tags) <= {"g", "path", "line", "text", "tspan", "rect", "a", "title"}
    hrefs = page.evaluate(
        "[...document.querySelectorAll('.chart svg a')].map((a) => a.getAttribute('href'))"
    )
    assert hrefs
    assert all(one.startswith(f"{HOME}/region?") for one in hrefs)
    assert not page.evaluate(
        "[...document.querySelectorAll('.chart svg *')].some((one) => one.hasAttribute('style'))"
    )


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize("query", ["by=system", "judges=people&by=system", "kind=bars"])
def test_a_chart_that_is_made_of_links_shuts_nobody_out(
    visit: Visit, query: str, phone: bool
) -> None:
    assert faults(opened(visit("lea", role="admin", phone=phone), query)) == []


@pytest.mark.parametrize(
    "path",
    [
        "",
        "?judges=people&by=system",
        "/time?question=Q0",
        "/versions?by=system&first=old&second=new",
        "/conversation?id=c%2F000",
        "/region?question=Q0",
    ],
)
def test_a_page_fits_a_phone(visit: Visit, path: str) -> None:
    opened(visit("lea", role="admin"))
    page = visit("lea", role="admin", phone=True)
    page.goto(f"{HOME}{path}")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
