from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient
from tests.web.monitor.worked import Worked, two, write_project

from assize.web._queue import Assignment

RATERS = ("ann", "bob", "cy")


def at_random(seed: int) -> Callable[[str, Assignment], dict[str, str]]:
    rng = np.random.default_rng(seed)
    return lambda *_: two(*rng.integers(1, 5, 2).astype(str).tolist())


def near(truth: dict[str, int], seed: int) -> Callable[[str, Assignment], dict[str, str]]:
    rng = np.random.default_rng(seed)

    def said(_: str, one: Assignment) -> dict[str, str]:
        place = truth.setdefault(one.key, len(truth) % 4 + 1)
        return two(*(str(int(np.clip(place + rng.integers(-1, 2) // 2, 1, 4))) for _ in range(2)))

    return said


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Worked:
    folder = tmp_path_factory.mktemp("project")
    write_project(folder, items=36, gold=12)
    found = Worked(folder)
    truth = {f"c{n}": 2 for n in range(12)}
    for place, name in enumerate(("ann", "bob", "eve")):
        found.rate(name, at_random(7) if name == "eve" else near(truth, place))
    return found


@pytest.fixture(scope="module")
def lead(worked: Worked) -> TestClient:
    return worked.client()


@pytest.fixture
def empty(tmp_path: Path) -> TestClient:
    write_project(tmp_path)
    return Worked(tmp_path).client()


def test_the_overview_has_every_task_and_how_far_it_is(lead: TestClient) -> None:
    text = lead.get("/monitor").text
    assert '<a href="/monitor/two">two</a>' in text
    assert "100" in text


def test_a_tasks_page_says_who_stands_out_and_leads_to_them(lead: TestClient) -> None:
    text = lead.get("/monitor/two").text
    assert "agrees with the others" in text
    assert "gold answers: below 70%, and so is its whole interval" in text
    assert 'href="/monitor/two/rater?name=eve"' in text
    assert "<svg" in text


def test_a_raters_page_has_confusion_and_gold(lead: TestClient) -> None:
    text = lead.get("/monitor/two/rater?name=eve&question=kind&other=ann").text
    assert "kind: answers of eve (rows) and of ann" in text
    assert "Gold items" in text


def test_tables_are_sorted_by_links(lead: TestClient) -> None:
    up = lead.get("/monitor/two?sort=progress.0&down=0").text
    down = lead.get("/monitor/two?sort=progress.0&down=1").text
    first = up.partition('id="progress"')[2].partition("</table>")[0]
    last = down.partition('id="progress"')[2].partition("</table>")[0]
    assert first.index("ann") < first.index("eve")
    assert last.index("eve") < last.index("ann")
    assert 'aria-sort="descending"' in last


def test_every_table_can_be_downloaded_both_ways(lead: TestClient) -> None:
    page = lead.get("/monitor/two").text
    names = {
        part.partition(".csv")[0]
        for part in page.split("/monitor/two/tables/")[1:]
        if ".csv" in part[:40]
    }
    assert {"progress", "agreement", "raters", "gold"} <= names
    for name in names:
        rows = list(csv.reader(io.StringIO(lead.get(f"/monitor/two/tables/{name}.csv").text)))
        made = json.loads(lead.get(f"/monitor/two/tables/{name}.json").text)
        assert len(rows) == len(made["rows"]) + 1
        assert len({len(row) for row in rows}) == 1


def test_a_raters_tables_are_theirs_alone(lead: TestClient) -> None:
    text = lead.get("/monitor/two/tables/gold.csv?rater=eve").text
    assert "eve" in text
    assert "ann" not in text


def test_the_counts_are_a_page_of_their_own(lead: TestClient) -> None:
    text = lead.get("/monitor/two/counts").text
    assert "108" in text.partition("Ratings")[2]
    assert "<html" not in text


def test_new_answers_are_in_the_next_page(tmp_path: Path) -> None:
    write_project(tmp_path, items=2)
    worked = Worked(tmp_path)
    lead = worked.client()
    assert "Nobody has begun yet." in lead.get("/monitor/two").text
    worked.rate("ann", lambda *_: two("1", "2"))
    text = lead.get("/monitor/two").text
    assert "Nobody has begun yet." not in text
    assert "ann" in text


def test_an_empty_task_says_what_is_missing(empty: TestClient) -> None:
    text = empty.get("/monitor/two").text
    for said in (
        "Nobody has begun yet.",
        "nobody has answered yet",
        "has no gold items",
    ):
        assert said in text


@pytest.mark.parametrize(
    "path",
    [
        "/monitor",
        "/monitor/two",
        "/monitor/two/counts",
        "/monitor/two/rater?name=ann",
        "/monitor/two/tables/progress.csv",
    ],
)
def test_raters_and_strangers_see_none_of_it(worked: Worked, path: str) -> None:
    assert worked.client("ann", "rater").get(path).status_code == 404
    strange = worked.client(None).get(path, follow_redirects=False)
    assert (strange.status_code, strange.headers["location"][:8]) == (303, "/sign-in")


@pytest.mark.parametrize(
    "path",
    [
        "/monitor/none",
        "/monitor/two/rater?name=nobody",
        "/monitor/two/tables/none.csv",
        "/monitor/two/tables/progress.xlsx",
        "/monitor/two/tables/..%2F..%2Ftwo.yaml",
        "/monitor/none/counts",
        "/monitor/none/tables/progress.csv",
    ],
)
def test_what_is_not_there_is_not_found(lead: TestClient, path: str) -> None:
    assert lead.get(path).status_code == 404


def test_what_stands_in_an_address_is_escaped(lead: TestClient) -> None:
    for path in (
        "/monitor/two?sort=<script>&down='",
        "/monitor/two?sort=raters.999&down=1",
        "/monitor/two/rater?name=eve&question=<script>&other=%00",
    ):
        answer = lead.get(path)
        assert answer.status_code == 200
        assert "<script>" not in answer.text.replace('<script src="', "")


def test_a_rater_whose_name_is_a_script_is_words(tmp_path: Path) -> None:
    write_project(tmp_path, items=4)
    worked = Worked(tmp_path)
    for name in ("<script>alert(1)</script>", "=1+2", "bob"):
        worked.rate(name, lambda *_: two("1", "2"))
    lead = worked.client()
    assert "<script>alert" not in lead.get("/monitor/two").text
    assert "'=1+2" in lead.get("/monitor/two/tables/progress.csv").text
    where = lead.get("/monitor/two/rater", params={"name": "<script>alert(1)</script>"})
    assert where.status_code == 200
    assert "<script>alert" not in where.text
