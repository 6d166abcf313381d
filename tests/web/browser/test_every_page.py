"""Every page that a link leads to, of leads, raters and strangers, under axe-core."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.web.browser.conftest import Visit
from tests.web.browser.example_project import write_project
from tests.web.browser.serving import Served, served
from tests.web.browser.test_access import faults

MOST = 60
START = {"rater": ("/",), "admin": ("/", "/admin", "/monitor", "/dashboards", "/admin/people")}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("examples")
    write_project(folder)
    with served(folder / "web") as found:
        yield found


def shape(address: str) -> str:
    """The address without numbers, names and query: pages of one shape are looked at once."""
    path = re.sub(r"/\d+", "/N", urlsplit(address).path)
    return re.sub(r"^/(t|monitor|collect|dashboards|admin/tasks)/[^/]+", r"/\1/X", path)


def crawled(page: Any, starts: tuple[str, ...]) -> Iterator[str]:
    """Opens each shape of page that links lead to, and says which."""
    waiting = list(starts)
    seen: set[str] = set()
    while waiting and len(seen) < MOST:
        address = waiting.pop(0)
        if shape(address) in seen or re.search(r"\.(csv|json|js|svg)$", urlsplit(address).path):
            continue
        seen.add(shape(address))
        page.goto(address)
        yield address
        found = page.locator("a[href^='/']:not([download])")
        waiting += [one.get_attribute("href") for one in found.all()]


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize("role", ["rater", "admin"])
def test_no_page_that_a_link_leads_to_shuts_anybody_out(
    visit: Visit, role: str, phone: bool
) -> None:
    page = visit(f"{role}-{phone}", role=role, phone=phone)
    found = {}
    for address in crawled(page, START[role]):
        found[address] = faults(page)
        if address.startswith(("/monitor", "/dashboards")):
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
            assert page.locator("[style]").count() == 0, address
    assert {address: one for address, one in found.items() if one} == {}
    assert len(found) >= (5 if role == "rater" else 12), sorted(found)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_page_to_sign_in_shuts_nobody_out(visit: Visit, phone: bool) -> None:
    page = visit(None, phone=phone)
    page.goto("/sign-in")
    assert faults(page) == []
