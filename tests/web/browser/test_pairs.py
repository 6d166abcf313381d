"""Two sides in a real browser: which is shown first is random, what is meant is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.browser.actions import start, submit
from tests.web.browser.conftest import Visit
from tests.web.browser.projects import write_pairs, write_rows, write_task
from tests.web.browser.serving import Served

RATERS = ("ada", "ben", "cleo", "dora")


def write_project(folder: Path) -> None:
    write_pairs(folder)
    write_task(
        folder,
        "better",
        "kind: compare\nitems: pairs.jsonl\nraters_per_item: 9\n",
    )
    write_rows(
        folder / "next.jsonl",
        [
            {
                "id": f"secret-{number}",
                "conversation": "c",
                "turn": 1,
                "source": "secret-bot-7",
                "context": [{"role": "user", "text": "my bike chain slips"}],
                "references": ["Measure twelve links: more than 307 mm is worn out."],
                "candidate": "As an AI language model, I would measure the chain.",
            }
            for number in range(2)
        ],
    )
    write_task(folder, "turns", "kind: continuation\nitems: next.jsonl\n")


def choose_better(page: Any) -> str:
    """Says that the good reply is better in all; returns the side on which it was shown."""
    first = page.locator(".side").first.inner_text()
    side = "A" if "Good reply." in first else "B"
    for group in page.get_by_role("radiogroup").all():
        group.locator(f"input[value={side}]").check()
    return side


def test_sides_are_mixed_and_mapped_back(visit: Visit, server: Served) -> None:
    shown = []
    for name in RATERS:
        page = visit(name)
        start(page, "better")
        for _ in range(3):
            shown.append(choose_better(page))
            submit(page)
        page.context.close()
    assert set(shown) == {"A", "B"}
    rows = [one for one in server.judgments("better") if one.question == "preference"]
    assert len(rows) == 12
    assert {one.answer for one in rows} == {"A"}
    assert {one.order for one in rows} >= {"BA"}


@pytest.mark.parametrize(("phone", "beside"), [(False, True), (True, False)])
def test_sides_stand_beside_each_other_where_there_is_room(
    visit: Visit, phone: bool, beside: bool
) -> None:
    page = visit("looker", phone=phone)
    page.goto("/t/better")
    page.get_by_role("button", name="Start").or_(page.get_by_role("button", name="Go on")).click()
    page.wait_for_selector("#answers")
    first, second = (one.bounding_box() for one in page.locator(".side").all())
    assert (abs(first["y"] - second["y"]) < 1) is beside
    assert first["x"] + first["width"] <= page.viewport_size["width"]


def test_a_continuation_is_rated_unlabelled_and_with_keys(visit: Visit, server: Served) -> None:
    page = visit("ella")
    start(page, "turns")
    assert "Option A" in page.locator(".item .sides").inner_text()
    for _ in range(3):
        key = page.locator(".question.current [data-key]").first.get_attribute("data-key")
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.locator(".told", has_text="Saved").wait_for()
    assert len({one.question for one in server.judgments("turns")}) == 3
