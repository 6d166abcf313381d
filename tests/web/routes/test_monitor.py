"""The monitor is for leads: progress, agreement, who stands out; names are words."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from tests.web.monitor.worked import Worked, two, write_project


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Worked:
    folder = tmp_path_factory.mktemp("project")
    write_project(folder, items=30, gold=12)
    made, rng = Worked(folder), np.random.default_rng(0)
    for name in ("ann", "bob"):
        made.rate(name, lambda *_: two("2", "2"))
    made.rate("eve", lambda *_: two(*rng.choice(["1", "3"], 2).tolist()))
    return made


def test_a_task_shows_progress_agreement_and_who_stands_out(worked: Worked) -> None:
    lead = worked.client()
    assert 'href="/monitor/two"' in lead.get("/monitor").text
    page = lead.get("/monitor/two").text
    for title in ("What to look at", "Raters over all questions", "Progress by rater"):
        assert title in page
    marks = page.partition("What to look at")[2].partition("All raters together")[0]
    assert "is right on" in marks
    assert "eve" in marks
    assert "ann" not in marks
    assert page.count("<svg") == 2


def test_hours_of_each_rater_come_as_a_csv_file(worked: Worked) -> None:
    done = worked.client().get("/monitor/two/hours.csv")
    assert done.headers["content-type"].startswith("text/csv")
    head, *rows = csv.reader(done.text.splitlines())
    assert head == ["rater", "done", "skipped", "hours"]
    assert [row[0] for row in rows] == ["ann", "bob", "eve"]
    assert all(float(row[3]) == pytest.approx(int(row[1]) * 30 / 3600, abs=0.001) for row in rows)


def test_a_task_that_nobody_has_begun_has_a_page(tmp_path: Path) -> None:
    write_project(tmp_path, items=2)
    page = Worked(tmp_path).client().get("/monitor/two")
    assert page.status_code == 200
    assert "0 <span" in page.text


def test_a_rater_whose_name_is_a_script_is_words(tmp_path: Path) -> None:
    write_project(tmp_path, items=4)
    worked = Worked(tmp_path)
    for name in ("<script>alert(1)</script>", "bob", "cy"):
        worked.rate(name, lambda *_: two("1", "2"))
    text = worked.client().get("/monitor/two").text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
