"""Dashboards are for leads; their pages are escaped, exact, and work without scripts."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.accounts.clients import Site, site
from tests.web.dashboard.project import ATTACK, write_project
from tests.web.monitor import worked

HOME = "/dashboards/satisfaction"
PAGES = (
    "/dashboards",
    HOME,
    f"{HOME}?by=system&every=week",
    f"{HOME}?raters=people&apart=1",
    f"{HOME}?by=system&first=old&every=month&figure=50%25",
    f"{HOME}/region?question=Q0",
    f"{HOME}/region?question=length&answer=long&raters=people",
    f"{HOME}/conversation?id=c/000",
)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder: Path = tmp_path_factory.mktemp("project")
    write_project(folder)
    with site(folder) as found:
        yield found


def come_up(client: Any, path: str) -> Any:
    """The page, asked for until it is there."""
    until = time.monotonic() + 120
    answer = client.get(path)
    while answer.status_code == 202:
        assert 'http-equiv="refresh"' in answer.text
        assert time.monotonic() < until
        time.sleep(0.05)
        answer = client.get(path)
    return answer


@pytest.fixture(scope="module")
def lead(here: Site) -> Any:
    client = here.visitor("Lea", "admin")
    come_up(client, HOME)
    return client


def ids(page: str) -> list[str]:
    """The conversations that a list links to, in order."""
    return re.findall(r'conversation\?id=([^"]+)"', page)


def links(page: str) -> list[str]:
    """Where the parts of charts lead."""
    drawn = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    return [html.unescape(one) for one in re.findall(r'<a href="([^"]+)"', drawn)]


@pytest.mark.parametrize("path", PAGES)
def test_leads_see_it_and_nobody_else(here: Site, lead: Any, path: str) -> None:
    assert here.visitor("Ron").get(path).status_code == 404
    assert here.visitor().get(path).status_code == 303
    found = come_up(lead, path)
    assert found.status_code == 200
    assert ATTACK not in found.text
    assert "<img src=x" not in found.text


def test_a_page_that_waits_is_told_when_the_figures_are_there(lead: Any) -> None:
    answer = lead.get(HOME, headers={"hx-request": "true"})
    assert (answer.status_code, answer.headers["hx-refresh"]) == (204, "true")


def test_a_region_lists_exactly_its_conversations_worst_first(lead: Any) -> None:
    whole: list[tuple[float, str]] = []
    for page in (1, 2, 3):
        found = lead.get(f"{HOME}/region?question=Q0&low=1&high=4&page={page}").text
        values = [float(one) for one in re.findall(r"</th><td>([\d.]+)</td>", found)]
        whole += zip(values, ids(found), strict=True)
    assert len({name for _, name in whole}) == 60
    assert [value for value, _ in whole] == sorted(value for value, _ in whole)


def test_the_parts_of_a_chart_share_out_its_conversations_and_keep_the_filter(lead: Any) -> None:
    where = "metadata.topic:fees"
    page = come_up(lead, f"{HOME}?where={where}&by=system").text
    assert f'<option value="{where}" selected>' in page
    strips = [one for one in links(page) if "question=Q0" in one]
    assert len(strips) > 2
    listed = [name for address in strips for name in ids(lead.get(address).text)]
    assert sorted(listed) == [f"c%2F{at:03d}" for at in range(60) if at % 3 == 1]


def test_an_answer_lists_its_conversations_and_pages_keep_it(lead: Any) -> None:
    page = come_up(lead, f"{HOME}?raters=people&apart=1").text
    address = next(one for one in links(page) if "answer=long" in one)
    first = lead.get(address).text
    assert "40 answers, worst first" in first
    following = re.findall(r'rel="next" href="([^"]+)"', first)[0]
    second = lead.get(html.unescape(following)).text
    assert len(ids(first)) + len(ids(second)) == 40


@pytest.mark.parametrize(
    "query", ["by=nothing", "where=x:y", "raters=nobody", "figure=80%25", "every=fortnight"]
)
def test_what_there_is_not_is_told(lead: Any, query: str) -> None:
    assert come_up(lead, f"{HOME}?{query}").status_code == 400
    for path in ("region?question=none", "region?question=Q0&low=x", "region?question=Q0&page=0x1"):
        assert lead.get(f"{HOME}/{path}").status_code == 400
    assert lead.get(f"{HOME}/conversation?id=none").status_code == 404
    assert lead.get("/dashboards/none").status_code == 404


def test_a_conversation_shows_its_turns_and_every_judgment(lead: Any) -> None:
    page = lead.get(f"{HOME}/conversation?id=c/000").text
    assert page.count('<li class="turn') == 4
    for said in ("calibration:rater 5", "unscored: refused it would not", "It only points."):
        assert said in page


def test_a_task_has_a_dashboard_of_its_ratings(tmp_path: Path) -> None:
    worked.write_project(tmp_path, items=4)
    made = worked.Worked(tmp_path)
    assert come_up(made.client(), "/dashboards/ratings.two").status_code == 400
    made.rate("ann", lambda *_: worked.two("2", "3"))
    page = come_up(made.client(), "/dashboards/ratings.two")
    assert page.status_code == 200
    assert "Was" not in page.text
    assert "Is it clear?" in page.text
