from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.web.monitor.worked import Worked, two, write_project

from assize.web._monitor.progress import Progress
from assize.web._monitor.shown import Sort
from assize.web._monitor.views import (
    RaterView,
    TaskView,
    overview_table,
    rater_address,
    rater_tables,
    rater_view,
    task_tables,
    task_view,
)
from assize.web._monitor.watch import Seen, Watch

SAID = {"ann": two("1", "2"), "bob": two("4", "2")}


class Looked:
    """A task that two raters have answered, and what is known of it."""

    def __init__(self, folder: Path) -> None:
        write_project(folder, items=6)
        self.worked = Worked(folder)
        for name in SAID:
            self.worked.rate(name, lambda who, _: SAID[who])
        self.task = self.worked.task
        watch = Watch(self.worked.store)
        self.seen: Seen = asyncio.run(watch.figures(self.task))
        self.progress: Progress = asyncio.run(watch.progress(self.task))

    def page(self, sort: Sort | None = None) -> TaskView:
        return asyncio.run(task_view(self.task, self.seen, self.progress, sort or Sort()))

    def rater(self, name: str, question: str = "", other: str = "") -> RaterView | None:
        return asyncio.run(
            rater_view(self.task, self.seen, self.progress, name, question, other, Sort())
        )


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> Looked:
    return Looked(tmp_path_factory.mktemp("looked"))


def test_a_page_has_its_parts_and_says_what_is_missing(looked: Looked) -> None:
    parts = {one.name: one for one in looked.page().parts}
    assert list(parts) == ["progress", "agreement", "raters", "gold"]
    assert parts["gold"].empty
    assert "name their judgments in its file" in parts["gold"].missing
    assert not parts["agreement"].empty
    assert parts["agreement"].figures


def test_tables_of_a_page_can_all_be_downloaded(looked: Looked) -> None:
    made = task_tables(looked.task, looked.seen, looked.progress)
    for part in looked.page().parts:
        assert {one.name for one in part.tables} <= made.keys()


def test_a_raters_page_shows_the_question_and_the_other_that_are_asked_for(looked: Looked) -> None:
    found = looked.rater("ann", "kind", "bob")
    assert found is not None
    assert (found.question, found.other, found.raters) == ("kind", "bob", ["bob"])
    default = looked.rater("ann", "none", "nobody")
    assert default is not None
    assert (default.question, default.other) == ("clear", "")
    assert looked.rater("nobody") is None


def test_a_raters_tables_hold_nobody_else(looked: Looked) -> None:
    for one in rater_tables(looked.seen, looked.progress, "ann").values():
        assert "bob" not in str(one.rows)


def test_the_overview_has_a_row_a_task(looked: Looked) -> None:
    (row,) = overview_table([(looked.task, looked.progress)]).rows
    assert row[:7] == ("two", "rate", 6, 0, pytest.approx(2 / 3), 12, 6)


def test_an_address_holds_any_name(looked: Looked) -> None:
    assert rater_address(looked.task, "a&b=c/ü") == "/monitor/two/rater?name=a%26b%3Dc%2F%C3%BC"
