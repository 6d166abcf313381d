"""A task's ratings are a dashboard, as far as they are first answers to ordinary items."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.monitor.worked import Worked, two, write_project

from assize.web._dashboard.own import own_source, task_in
from assize.web._dashboard.sources import Source


@pytest.fixture
def worked(tmp_path: Path) -> Worked:
    write_project(tmp_path, items=4, gold=2)
    return Worked(tmp_path)


def source(worked: Worked) -> Source:
    with worked.store.connect() as connection:
        return own_source(connection, worked.store, worked.task)


def test_ratings_are_read_with_their_items_and_without_gold(worked: Worked) -> None:
    worked.rate("ann", lambda _, one: two("1", "2"))
    table, items = source(worked).load()
    assert set(table.items) == {"c2", "c3", "c4", "c5"}
    assert {one.id for one in items} >= set(table.items)
    assert set(table.asked) == {"clear", "kind"}


def test_another_rating_is_another_key(worked: Worked) -> None:
    before = source(worked)
    worked.rate("ann", lambda _, one: two("1", "2"))
    assert source(worked).key != before.key
    assert source(worked).key == source(worked).key


def test_the_main_question_of_the_form_comes_first(tmp_path: Path) -> None:
    write_project(tmp_path, items=4, gold=0)
    worked = Worked(tmp_path)
    rubric = tmp_path / "two.yaml"
    rubric.write_text(rubric.read_text().replace("main: clear", "main: kind"))
    assert source(worked).dashboard.main == "kind"


def test_a_name_says_which_task_is_meant() -> None:
    assert (task_in("ratings.two"), task_in("two"), task_in("ratings.a.b")) == ("two", "", "a.b")
