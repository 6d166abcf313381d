"""Every page of a rater under axe-core: no serious or critical fault, on desktop and phone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.web.browser.actions import choose, start, submit
from tests.web.browser.conftest import DESKTOP, PHONE, Visit
from tests.web.browser.example_project import EXAMPLES
from tests.web.browser.projects import write_pairs, write_talks, write_task
from tests.web.browser.serving import served

GRAVE = {"serious", "critical"}


def write_project(folder: Path) -> None:
    write_talks(folder)
    write_pairs(folder)
    write_task(
        folder,
        "clarity",
        "kind: rate\nitems: talks.jsonl\nraters_per_item: 40\norder: file\n"
        "instructions: Read *all* of it.\nsettings: {rubric: small.yaml}\nexamples:\n"
        "  - {item: tea, answers: {clear: '3', kind: '2', overall: '4'}, why: short and right}\n",
    )
    write_task(folder, "better", "kind: compare\nitems: pairs.jsonl\nraters_per_item: 40\n")
    write_task(
        folder,
        "agreed",
        "kind: rate\nitems: talks.jsonl\nconsent: You agree that *we* keep this.\n"
        "settings: {rubric: small.yaml}\n",
    )


def faults(page: Any) -> list[str]:
    """What axe finds that is serious or worse, a line each."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:200]} {node['failureSummary'][:200]}"
        for one in found
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_no_page_of_a_rater_shuts_anybody_out(visit: Visit, phone: bool) -> None:
    page = visit(f"axe-{phone}", phone=phone)
    page.goto("/t/agreed")
    assert faults(page) == [], "consent"
    start(page, "clarity")
    assert faults(page) == [], "an item"
    page.get_by_role("button", name="Submit").click()
    page.get_by_text("questions need an answer").wait_for()
    assert faults(page) == [], "an item with problems"
    page.locator("#skip > summary").click()
    choose(page, "easy", "yes", "fully")
    submit(page)
    page.goto("/past")
    assert faults(page) == [], "past answers"
    start(page, "better")
    assert faults(page) == [], "a pair"


def test_no_form_of_any_kind_shuts_anybody_out(browser: Any, tmp_path: Path) -> None:
    """Items open by POST, so no link leads to them: each task of the demo is opened."""
    shutil.copytree(EXAMPLES / "web", tmp_path / "web")
    for one in EXAMPLES.glob("*.jsonl"):
        shutil.copy(one, tmp_path)
    with served(tmp_path / "web") as demo:
        tasks = [one.name for one in demo.project.tasks]
        assert len(tasks) > 9
        context = browser.new_context(base_url=demo.url, reduced_motion="reduce")
        context.add_cookies([demo.cookie("axe")])
        page, found = context.new_page(), dict[str, list[str]]()
        for name in tasks:
            page.goto(f"/t/{name}")
            page.locator("main form button.primary").first.click()
            page.wait_for_load_state()
            for size in (DESKTOP, PHONE):
                page.set_viewport_size(size)
                found[f"{name} {size['width']}"] = faults(page)
        context.close()
    assert {where: one for where, one in found.items() if one} == {}


def test_dialogs_and_dark_pages_have_no_fault_either(visit: Visit) -> None:
    page = visit("axe-dark")
    page.emulate_media(color_scheme="dark")
    start(page, "clarity")
    assert faults(page) == []
    for key in ("i", "?"):
        page.keyboard.press(key)
        assert faults(page) == [], key
        page.keyboard.press("Escape")
