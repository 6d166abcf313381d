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
HTMX = {"hx-request": "true"}
PAGES = (
    "/dashboards",
    HOME,
    f"{HOME}/bands?question=Q0",
    f"{HOME}/region?question=Q0",
    f"{HOME}/conversation?id=c/000",
    f"{HOME}/time?question=Q0",
    f"{HOME}/versions",
    f"{HOME}?judges=people",
    f"{HOME}/bands?question=length&judges=people",
    f"{HOME}/region?question=length&judges=people&answer=long",
    f"{HOME}/worth",
)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder: Path = tmp_path_factory.mktemp("project")
    write_project(folder)
    with site(folder) as found:
        yield found


@pytest.fixture(scope="module")
def lead(here: Site) -> Any:
    client = here.visitor("Lea", "admin")
    until = time.monotonic() + 60
    while client.get(HOME).status_code == 202:
        assert time.monotonic() < until
        time.sleep(0.05)
    return client


def text(page: str) -> str:
    """What a page says, without its markup."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def ids(page: str) -> list[str]:
    """The conversations that a list links to, in order."""
    return re.findall(r'conversation\?id=([^"]+)"', page)


def strip_addresses(page: str) -> list[str]:
    """Where the parts of the first chart lead."""
    picture = re.findall(r"<svg.*?</svg>", page, re.DOTALL)[0]
    return [html.unescape(one) for one in re.findall(r'<a href="([^"]+)"', picture)]


@pytest.mark.parametrize("path", PAGES)
def test_raters_and_strangers_see_none_of_it(here: Site, lead: Any, path: str) -> None:
    assert here.visitor("Ron").get(path).status_code == 404
    assert here.visitor().get(path).status_code == 303


@pytest.mark.parametrize("path", PAGES[:-1])
def test_a_lead_sees_it(lead: Any, path: str) -> None:
    found = lead.get(path, headers=HTMX if "/bands" in path else {})
    assert found.status_code == 200
    assert ATTACK not in found.text
    assert "<img src=x" not in found.text


def test_importance_is_hidden_without_networks(lead: Any) -> None:
    assert lead.get(f"{HOME}/worth").status_code == 404
    assert "What improving a question is worth" not in lead.get(HOME).text


def test_a_view_that_is_being_prepared_says_so_and_comes_up_by_itself(tmp_path: Path) -> None:
    write_project(tmp_path)
    with site(tmp_path) as found:
        client = found.visitor("Lea", "admin")
        first = client.get(HOME)
        assert first.status_code == 202
        assert 'http-equiv="refresh"' in first.text
        until = time.monotonic() + 60
        waiting = client.get(HOME, headers={"hx-request": "true"})
        while "hx-refresh" not in waiting.headers:
            assert waiting.status_code == 204
            assert time.monotonic() < until
            time.sleep(0.05)
            waiting = client.get(HOME, headers={"hx-request": "true"})
        assert client.get(HOME).status_code == 200


def test_what_prevents_a_view_is_told(tmp_path: Path) -> None:
    write_project(tmp_path)
    (tmp_path / "judgments.jsonl").write_text("{}\n", encoding="utf-8")
    with site(tmp_path) as found:
        client = found.visitor("Lea", "admin")
        until = time.monotonic() + 60
        answer = client.get(HOME)
        while answer.status_code == 202:
            assert time.monotonic() < until
            time.sleep(0.05)
            answer = client.get(HOME)
        assert answer.status_code == 400
        assert "judgments.jsonl" in text(answer.text)


def test_other_pages_wait_for_the_first(tmp_path: Path) -> None:
    write_project(tmp_path)
    with site(tmp_path) as found:
        client = found.visitor("Lea", "admin")
        assert "Open its first page" in client.get(f"{HOME}/region?question=Q0").text


def test_a_region_lists_exactly_its_conversations_worst_first(lead: Any) -> None:
    whole: list[tuple[float, str]] = []
    for page in (1, 2, 3):
        found = lead.get(f"{HOME}/region?question=Q0&low=1&high=4&page={page}").text
        values = [float(one) for one in re.findall(r'<td class="number">([\d.]+)</td>', found)]
        whole += zip(values, ids(found), strict=True)
    assert len({name for _, name in whole}) == 60
    assert [value for value, _ in whole] == sorted(value for value, _ in whole)
    low, high = whole[10][0], whole[20][0]
    part = ids(lead.get(f"{HOME}/region?question=Q0&low={low - 5e-4}&high={high + 5e-4}").text)
    assert part == [name for value, name in whole if low <= value <= high]


def test_every_cell_of_a_nominal_question_lists_as_many_as_it_says(lead: Any) -> None:
    for apart in ("", "1"):
        page = lead.get(f"{HOME}?judges=people&by=system&apart={apart}").text
        cells = re.findall(r'<a href="([^"]+answer[^"]+)"[^>]*>list ([\d,]+)<', page)
        assert len(cells) == (6 if apart else 7)  # of `new` nobody is split
        total = 0
        for address, count in cells:
            found = lead.get(html.unescape(address)).text
            heading = text(re.findall(r"<h2>(.*?)</h2>", found)[0])
            assert int(heading.split()[0]) == int(count)
            total += int(count)
        assert total == (120 if apart else 60)


def test_a_filter_is_kept_across_tabs_clicks_and_pages(lead: Any) -> None:
    where = "metadata.topic:fees"
    page = lead.get(HOME, params={"where": where, "by": "system"}).text
    assert "of which the charts hold those with metadata.topic:fees" in page
    tabs = re.findall(r'<a href="([^"]+)"', page.partition('class="tabs"')[2])[:3]
    for address in tabs:
        told = lead.get(html.unescape(address))
        assert told.status_code == 200
        assert f'<option value="{where}" selected>' in told.text
    strips = strip_addresses(page)
    assert strips
    listed = {name for address in strips for name in ids(lead.get(address).text)}
    assert listed == {f"c%2F{at:03d}" for at in range(60) if at % 3 == 1}
    region = re.sub("&(low|high)=[^&]*", "", strips[0])
    found = lead.get(region + "&low=1&high=4").text
    assert set(ids(found)) == {f"c%2F{at:03d}" for at in range(60) if at % 3 == 1}
    apart = lead.get(region + "&low=1&high=4&apart=1").text
    following = lead.get(html.unescape(re.findall(r'rel="next" href="([^"]+)"', apart)[0])).text
    assert set(ids(following)) <= set(ids(found))
    bands = html.unescape(re.findall(r'hx-get="([^"]+bands[^"]+)"', page)[0])
    table = lead.get(bands, headers=HTMX).text
    counts = re.findall(r'<td class="number">(\d+)</td><td class="number">0</td>', table)
    assert counts == ["10", "10"]  # n of both systems, none without a number
    assert '<input type="hidden" name="where" value="metadata.topic:fees">' in page


def test_a_filter_by_a_hostile_value_stays_text(lead: Any) -> None:
    found = lead.get(HOME, params={"where": f"metadata.topic:{ATTACK}"})
    assert found.status_code == 200
    assert ATTACK not in found.text
    assert lead.get(HOME, params={"where": f"x:{ATTACK}"}).status_code == 400


def test_an_answer_lists_its_conversations_and_pages_keep_it(lead: Any) -> None:
    first = lead.get(f"{HOME}/region?question=length&judges=people&answer=long&apart=1").text
    assert "40 answers about 25 conversations with length long: " in text(first)
    following = re.findall(r'rel="next" href="([^"]+)"', first)[0]
    second = lead.get(html.unescape(following)).text
    assert len(ids(first)) + len(ids(second)) == 40
    assert set(ids(first) + ids(second)) == {
        f"c%2F{at:03d}" for at in range(60) if at % 3 == 1 or (at % 4 == 0 and at % 3 == 0)
    }


def test_pairs_of_conversation_and_rater_are_listed_where_raters_are_apart(lead: Any) -> None:
    found = text(lead.get(f"{HOME}/region?question=Q0&low=1&high=4&apart=1").text)
    assert "360 answers about 60 conversations" in found
    assert "calibration:rater 0" in found


@pytest.mark.parametrize("query", ["by=system", "kind=bars&by=system", "apart=1", "judges=people"])
def test_every_part_of_a_chart_lists_as_many_as_its_name_says(lead: Any, query: str) -> None:
    page = lead.get(f"{HOME}?{query}").text
    picture = re.findall(r"<svg.*?</svg>", page, re.DOTALL)[0]
    links = re.findall(r'<a href="([^"]+)" aria-label="([^"]+)"', picture)
    assert len(links) > 2
    for address, name in links:
        found = lead.get(html.unescape(address)).text
        heading = re.findall(r"<h2>(.*?)</h2>", found)[0]
        count = int(re.findall(r"\d+", text(heading))[0])
        assert count == int(html.unescape(name).split()[0]) > 0


def test_a_list_can_be_narrowed_to_one_curve(lead: Any) -> None:
    page = lead.get(f"{HOME}/region?question=Q0&by=system&low=1&high=4").text
    links = re.findall(r'<a href="([^"]+)"', page.partition('class="curves"')[2])[:3]
    headings = [
        text(re.findall(r"<h2>(.*?)</h2>", lead.get(html.unescape(one)).text)[0]) for one in links
    ]
    assert headings == [
        "60 conversations with Q0 from 1 to 4",
        "30 conversations with Q0 from 1 to 4, new",
        "30 conversations with Q0 from 1 to 4, old",
    ]
    assert 'class="curves"' not in lead.get(f"{HOME}/region?question=Q0").text


def test_bands_come_with_figures(lead: Any) -> None:
    found = lead.get(f"{HOME}/bands?question=Q0&by=system", headers=HTMX).text
    assert "difference to new" in found
    assert found.count('opacity="0.22"') == 2  # a band a curve
    assert "hx-get" not in found


def test_without_scripts_a_link_leads_to_the_page_with_bands(lead: Any) -> None:
    page = lead.get(f"{HOME}?by=metadata.topic").text
    asked = html.unescape(re.findall(r'<a href="([^"]+bands[^"]+)">Wait for them', page)[0])
    answer = lead.get(asked, follow_redirects=False)
    assert answer.status_code == 303
    there = lead.get(answer.headers["location"]).text
    assert there.count("Wait for them") == page.count("Wait for them") - 1
    assert "<option selected>metadata.topic</option>" in there


def test_bands_can_do_without_drawn_answers(lead: Any) -> None:
    found = lead.get(f"{HOME}/bands?question=Q0&draw=expected", headers=HTMX).text
    assert "stroke-dasharray" not in found  # the middle of what drawn answers give
    assert "draw raters and conversations anew" in text(found)
    assert "draw=expected" in lead.get(f"{HOME}?draw=expected").text


def test_a_conversation_has_everything_beside_its_turns(lead: Any) -> None:
    found = text(lead.get(f"{HOME}/conversation?id=c%2F000").text)
    for said in (
        "Task: Set Question",
        "It only points.",
        "io@m names this turn for D1",
        "unscored",
        "Short answer.",
        "calibration:rater 5",
    ):
        assert said in found


def test_versions_are_compared(lead: Any) -> None:
    found = text(lead.get(f"{HOME}/versions?by=system&first=old&second=new").text)
    assert "29 pairs, paired by first prompt" in found
    assert "better" in found
    assert "draw raters, conversations and the answers of 6 predicted raters anew" in found


def test_time_has_a_picture_and_a_table(lead: Any) -> None:
    found = lead.get(f"{HOME}/time?question=Q0&by=system&every=week&figure=25%25").text
    assert "<svg" in found
    assert "n = " in found
    assert "replicates that draw raters and conversations anew" in text(found)


def test_a_nominal_question_has_its_shares_over_time(lead: Any) -> None:
    where = f"{HOME}/time?question=length&judges=people&every=month"
    each = lead.get(where).text
    assert "too short" in each
    said = text(each)
    assert "month from short long right 2026-03 33.3% [" in said
    assert "Intervals are Wilson's with the standard error of 40 replicates" in said
    groups = lead.get(f"{where}&by=system&answer=long&figure=5%25").text
    assert '<option value="long" selected>' in groups
    assert "month from new old 2026-03" in text(groups)
    assert lead.get(f"{where}&answer=never").status_code == 200  # of the question shown before
    numbers = lead.get(f"{HOME}/time?question=Q0&judges=people&answer=long")
    assert numbers.status_code == 200


def test_the_dashboards_own_span_and_that_of_the_address_can_be_chosen(
    lead: Any, tmp_path: Path
) -> None:
    found = lead.get(f"{HOME}/time?question=Q0&every=20").text
    assert '<option value="20" selected>20 conversations</option>' in found
    assert "20 conversations from" in found
    assert '<option value="week">week</option>' in found
    write_project(tmp_path)
    file = tmp_path / "dashboards" / "satisfaction.yaml"
    file.write_text(file.read_text(encoding="utf-8") + "every: '30'\n", encoding="utf-8")
    with site(tmp_path) as other:
        client = other.visitor("Lea", "admin")
        until = time.monotonic() + 60
        while client.get(HOME).status_code == 202:
            assert time.monotonic() < until
            time.sleep(0.05)
        own = client.get(f"{HOME}/time").text
        assert '<option value="30" selected>30 conversations</option>' in own
        day = client.get(f"{HOME}/time?every=day").text
        assert '<option value="30">30 conversations</option>' in day


def test_a_panel_without_answers_has_an_empty_picture(lead: Any) -> None:
    for every in ("week", "20"):
        for question in ("length", "Q0"):
            judges = "people" if question == "Q0" else "calibrated+raters"
            where = f"{HOME}/time?question={question}&judges={judges}&every={every}"
            assert lead.get(where).status_code == 200, where


def test_versions_say_where_answers_without_an_order_stand(lead: Any) -> None:
    found = text(lead.get(f"{HOME}/versions?by=system&first=old&second=new").text)
    assert "length: answers without an order have no mean. Their shares" in found


def test_every_tab_opens_where_it_leads(lead: Any) -> None:
    tabs = re.findall(r'<a href="([^"]+)"', lead.get(HOME).text.partition('class="tabs"')[2])
    assert {f"{HOME}/time", f"{HOME}/versions"} <= {one.partition("?")[0] for one in tabs}
    for address in (HOME, f"{HOME}/time", f"{HOME}/versions"):
        assert lead.get(address).status_code == 200
    assert "<option selected>Q0</option>" in lead.get(f"{HOME}/time").text


@pytest.mark.parametrize(
    "query",
    [
        "region?question=Q9",
        "region?question=Q0&low=x",
        "region?question=Q0&low=3&high=2",
        "region?question=Q0&page=-1",
        "region?question=Q0&page=9999999999",
        "region?question=Q0&low=nan",
        "region?question=Q0&by=nothing",
        "region?question=Q0&judges=eve",
        "bands?question=",
        "bands?question=Q0&kind=pie",
        "time?question=Q0&every=hour",
        "time?question=Q0&figure=sum",
        "region?question=Q0&where=system",
        "time?where=system:older",
        "versions?by=system&first=old&second=new&where=mood:bad",
        "region?question=length&answer=never",
        "region?question=Q0&answer=1",
        "time?question=length&every=hour",
        "versions?by=system&first=old&second=old",
        "region?question=Q0'%20OR%201=1--",
    ],
)
def test_what_cannot_be_is_refused_in_words(lead: Any, query: str) -> None:
    found = lead.get(f"{HOME}/{query}")
    assert found.status_code == 400
    assert "Traceback" not in found.text


@pytest.mark.parametrize(
    "path",
    [
        "/dashboards/..%2f..%2fetc",
        "/dashboards/other",
        f"{HOME}/conversation?id=../../assize.db",
        f"{HOME}/conversation?id=",
    ],
)
def test_what_is_not_there_is_not_found(lead: Any, path: str) -> None:
    assert lead.get(path).status_code == 404


def test_the_ratings_of_a_task_are_a_dashboard(tmp_path: Path) -> None:
    worked.write_project(tmp_path, items=6)
    people = worked.Worked(tmp_path)
    for name in ("ann", "bob"):
        people.rate(name, lambda who, one: worked.two("1" if who == "ann" else "3", "4"))
    people.store.close()
    with site(tmp_path) as found:
        lea = found.visitor("Lea", "admin")
        assert "/dashboards/ratings.two" in lea.get("/dashboards").text
        until = time.monotonic() + 60
        while lea.get("/dashboards/ratings.two").status_code == 202:
            assert time.monotonic() < until
            time.sleep(0.05)
        page = text(lea.get("/dashboards/ratings.two").text)
        assert "Ratings: Clear and kind" in page
        assert "Is it clear?" in page
        listed = lea.get("/dashboards/ratings.two/region?question=clear&apart=1&low=1&high=1")
        assert "6 answers about 6 conversations" in text(listed.text)
        assert found.visitor("Ron").get("/dashboards/ratings.two").status_code == 404
