"""The monitor and a discussion in a real browser: nothing inline, nothing outside, no fault."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.web.browser.conftest import Visit
from tests.web.browser.test_access import faults
from tests.web.monitor import worked

PAGES = (
    "/monitor",
    "/monitor/two",
    "/monitor/two/rater?name=eve",
    "/monitor/two/disputed",
    "/discussions",
)


def write_project(folder: Path) -> None:
    worked.write_project(folder, items=30, gold=6)
    made = worked.Worked(folder)
    rng = np.random.default_rng(0)
    for name in ("ann", "bob", "eve"):
        made.rate(name, lambda *_: worked.two(*rng.integers(1, 5, 2).astype(str).tolist()))
    made.store.close()


def test_dark_pages_have_no_fault_either(visit: Visit) -> None:
    page = visit("lead", role="admin")
    page.emulate_media(color_scheme="dark")
    for address in PAGES:
        page.goto(address)
        assert faults(page) == [], address


def test_a_dispute_is_opened_talked_about_and_settled(visit: Visit) -> None:
    lead = visit("lead", role="admin")
    lead.goto("/monitor/two/disputed")
    lead.get_by_role("button", name="Open").first.click()
    lead.get_by_role("heading", name="What was said").wait_for()
    where = lead.url
    for name in ("ann", "bob", "eve"):
        rater = visit(name)
        rater.goto(where)
        rater.get_by_label("Your message").fill(f"<script>{name[0]}</script> I read it again.")
        rater.get_by_role("button", name="Send").click()
        rater.locator(".thread").get_by_text(f"<script>{name[0]}</script>").wait_for()
    lead.reload()
    for group in lead.locator("#answers fieldset").all():
        group.get_by_role("radio", name="mostly").check()
    lead.get_by_role("button", name="Settle").click()
    lead.get_by_text("Settled by a lead").wait_for()
    assert "<script>a</script> I read it again." in lead.locator(".thread").inner_text()
    assert faults(lead) == []
