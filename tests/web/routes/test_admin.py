"""Tasks, items and remarks, as leads see them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tests.web.accounts.clients import Site, send, site
from tests.web.test_exchange import project

from assize.web._queue import Assignment, next_assignment, sync_project
from assize.web._storage.schema import assignments, items, tasks


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Site]:
    with site(project(tmp_path / "p")) as found:
        found.store.write_now(sync_project, found.app.state.web.project, found.now)
        found.person("Lea", "admin")
        yield found


@pytest.fixture
def lea(here: Site) -> Any:
    return here.visitor("Lea")


def given(here: Site, name: str) -> Assignment:
    task = here.app.state.web.project.task("t")
    found = here.store.write_now(next_assignment, task, here.person(name), here.now)
    assert isinstance(found, Assignment)
    return found


def test_leads_see_tasks_versions_and_items_and_raters_none_of_it(here: Site, lea: Any) -> None:
    one = given(here, "ann")
    ann = here.visitor("ann")
    pages = ["/admin", "/admin/tasks/t", f"/admin/tasks/t/items/{one.item}", "/admin/comments"]
    for page in pages:
        assert lea.get(page).status_code == 200, page
        assert ann.get(page).status_code == 404, page
    assert one.key in lea.get("/admin/tasks/t").text


def test_a_task_is_paused_and_opened_again(here: Site, lea: Any) -> None:
    for state in ("paused", "open"):
        answer = send(lea, "/admin/tasks/t/state", "/admin/tasks/t", state=state)
        assert answer.status_code in (200, 303)
        assert here.column(select(tasks.c.state)) == [state]


def test_a_task_file_that_became_wrong_changes_nothing_and_is_told(here: Site, lea: Any) -> None:
    folder = here.app.state.web.project.folder
    (folder / "tasks" / "t.yaml").write_text("task: t\nkind: nothing\n")
    assert "nothing" in send(lea, "/admin/read-again", "/admin").text
    assert here.app.state.web.project.task("t").kind == "rate"


def test_files_are_held_against_each_other_before_they_are_taken_in(here: Site, lea: Any) -> None:
    web = here.app.state.web
    file = web.project.folder / "tasks" / "t.yaml"
    before = file.read_text()
    row = '{"item": "%s", "judge": "people", "question": "warm", "answer": "%s"}\n'
    file.write_text(before + "gold: {judgments: [gold.jsonl]}\n")
    known = here.column(select(items.c.key))
    gold = web.project.folder / "gold.jsonl"
    gold.write_text(row % (known[0], "purple"))
    answer = send(lea, "/admin/read-again", "/admin")
    assert answer.status_code == 400
    assert "purple" in answer.text


def test_an_item_is_taken_back(here: Site, lea: Any) -> None:
    one = given(here, "ann")
    item = f"/admin/tasks/t/items/{one.item}"
    assert "ann" in lea.get(item).text
    answer = send(lea, f"{item}/withdraw", item, assignment=str(one.id))
    assert answer.status_code in (200, 303)
    assert here.column(select(assignments.c.state)) == ["withdrawn"]
