"""The dashboard in a real browser: charts without `eval`, regions by click, drag and form."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.webapp.browser.conftest import Visit
from tests.webapp.dashboard import project

HOME = "/dashboards/satisfaction"


def write_project(folder: Path) -> None:
    project.write_project(folder)


def opened(page: Any, query: str = "") -> Any:
    """The dashboard with its charts and bands."""
    page.goto(f"{HOME}?{query}")
    page.wait_for_selector("body[data-bands]", timeout=60_000)
    return page


def press(page: Any, across: float, to: float | None = None) -> str:
    """Clicks into the main chart at a share of its width, or drags; returns the list's heading."""
    chart = page.locator(".chart.main canvas")
    page.evaluate("document.querySelector('.chart.main').scrollIntoView()")
    box = chart.bounding_box()
    y = box["y"] + 0.5 * box["height"]
    page.mouse.move(box["x"] + across * box["width"], y)
    page.mouse.down()
    if to is not None:
        page.mouse.move(box["x"] + to * box["width"], y, steps=6)
    page.mouse.up()
    page.wait_for_selector("#region h2")
    return str(page.locator("#region h2").inner_text())


def test_a_click_in_a_tail_lists_its_conversations_and_one_can_be_read(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"))
    heading = press(page, 0.25)
    count, high = re.match(r"(\d+) conversations? with Q0 from 1 to ([\d.]+)", heading).groups()  # type: ignore[union-attr]
    values = [float(one) for one in page.locator("#region tbody td.number").all_inner_texts()]
    assert len(values) == int(count) > 0
    assert values == sorted(values)
    assert max(values) <= float(high) + 1e-3
    page.locator("#region tbody a").first.click()
    page.get_by_role("heading", name="About the whole").wait_for()


def test_a_drag_lists_what_lies_between(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"))
    heading = press(page, 0.4, 0.7)
    low, high = map(float, re.search(r"from ([\d.]+) to ([\d.]+)", heading).groups())  # type: ignore[union-attr]
    assert 2.0 < low < 2.4 < 2.8 < high < 3.2


def test_a_curve_is_chosen_by_a_click_near_it(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"), "by=system")
    assert press(page, 0.2).endswith(", old")


def test_a_click_on_an_answer_lists_who_has_it(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"), "judges=people&by=system")
    box = page.locator(".chart canvas").bounding_box()
    headings = []
    for row in range(6):  # three answers by two groups, from the top, at the bars' short end
        region = page.locator("#region")
        region.evaluate("one => { one.innerHTML = ''; }")
        page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 12 + 15 * row + 8 * (row // 2))
        page.wait_for_selector("#region h2")
        headings.append(page.locator("#region h2").inner_text())
        page.evaluate("window.scrollTo(0, 0)")
    assert [one.partition(" with length ")[2].rpartition(", ")[::2] for one in headings] == [
        (said, group)
        for said in ("short: too short", f"long: {project.ATTACK}", "right")
        for group in ("new", "old")
    ]


def test_an_answer_is_listed_from_the_table(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"), "judges=people")
    page.get_by_role("link", name="list 15 with right").click()
    page.get_by_role("heading", name="15 conversations with length right").wait_for()
    assert page.locator(".chart canvas").count() == 1  # the charts stay


def test_pages_of_a_list_follow_without_leaving_the_charts(visit: Visit) -> None:
    page = opened(visit("lea", role="admin"), "apart=1")
    press(page, 0.3, 0.9)
    page.locator("#region").get_by_role("link", name="Next").click()
    page.get_by_text("Page 2 of").wait_for()
    assert page.locator(".chart canvas").count() == 3


def test_an_attack_in_a_text_stays_text(visit: Visit) -> None:
    page = visit("lea", role="admin")
    page.goto(f"{HOME}/conversation?id=c%2F000")
    assert page.locator("main script, main img").count() == 0
    assert page.get_by_text("<script>alert('x')</script>").count() > 3


def test_without_scripts_there_are_pictures_and_a_form(visit: Visit) -> None:
    opened(visit("lea", role="admin"))
    page = visit("lea", role="admin", scripts=False)
    page.goto(HOME)
    pictures = page.locator("noscript img")
    assert pictures.count() == 3
    assert pictures.first.evaluate("one => one.decode().then(() => one.naturalWidth)") > 200
    form = page.locator(".chart.main .stretch")
    form.get_by_label("to").fill("2.5")
    form.get_by_role("button").click()
    assert "with Q0 from 1 to 2.5" in page.locator("#region h2").inner_text()


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
