from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import update
from tests.web.monitor.worked import Worked, reword, two, write_project

from assize.web._monitor.reading import (
    collected,
    judged_forms,
    read_judgments,
    read_work,
    task_items,
)
from assize.web._queue import Assignment, next_assignment, submit, undo
from assize.web._storage.schema import people


@pytest.fixture
def worked(tmp_path: Path) -> Worked:
    write_project(tmp_path, items=4, gold=2)
    return Worked(tmp_path)


def test_what_raters_submit_is_read_with_their_work(worked: Worked) -> None:
    worked.rate("ann", lambda _, one: two("1", "2") if one.key != "c3" else None)
    with worked.store.connect() as connection:
        reading = read_judgments(connection, worked.task)
        work = read_work(connection, worked.task)
        known = task_items(connection, worked.task)
    found = collected(reading, work.work, known.expected)
    assert len(known.to_rate) == 4
    assert known.expected["c0"] == {"clear": "2", "kind": "2"}
    assert {one.item: one.reason for one in found.work if one.state == "skipped"} == {
        "c3": "no idea"
    }
    assert len(found.answered("clear")) == 3
    assert set(found.table.judges) == {"ann"}
    assert {one.purpose for one in found.work} == {"rate", "gold"}


def test_only_what_is_new_is_read_again(worked: Worked) -> None:
    worked.rate("ann", lambda *_: two("1", "2"), most=2)
    with worked.store.connect() as connection:
        before = read_judgments(connection, worked.task)
        work = read_work(connection, worked.task)
    worked.rate("ann", lambda *_: two("3", "3"), most=1)
    with worked.store.connect() as connection:
        after = read_judgments(connection, worked.task, before)
        again = read_work(connection, worked.task, work)
        assert len(after.table) == 6
        assert read_work(connection, worked.task).work == again.work
        anew = read_judgments(connection, worked.task)
    assert sorted(map(str, after.table)) == sorted(map(str, anew.table))
    assert after.count == 3


def test_what_is_changed_or_undone_counts_no_more(worked: Worked) -> None:
    person = worked.person("ann")
    given = worked.store.write_now(next_assignment, worked.task, person, worked.now)
    assert isinstance(given, Assignment)
    about = (worked.task, given.id, person)
    one = worked.store.write_now(submit, *about, 0, two("1", "1"), now=worked.now + 9)
    with worked.store.connect() as connection:
        first = read_judgments(connection, worked.task)
    two_ = worked.store.write_now(submit, *about, one.revision, two("4", "4"), now=worked.now + 20)
    with worked.store.connect() as connection:
        second = read_judgments(connection, worked.task, first)
    worked.store.write_now(undo, *about, two_.revision, now=worked.now + 30)
    with worked.store.connect() as connection:
        third = read_judgments(connection, worked.task, second)
    assert [[row.answer for row in one.table] for one in (first, second, third)] == [
        ["1", "1"],
        ["4", "4"],
        [],
    ]


def test_who_gets_another_name_has_it_everywhere(worked: Worked) -> None:
    worked.rate("ann", lambda *_: two("1", "2"), most=2)
    with worked.store.connect() as connection:
        before, work = read_judgments(connection, worked.task), read_work(connection, worked.task)
    worked.store.write_now(
        lambda one: one.execute(update(people).where(people.c.name == "ann").values(name="gone"))
    )
    with worked.store.connect() as connection:
        after = read_judgments(connection, worked.task, before)
        again = read_work(connection, worked.task, work)
    assert set(after.table.judges) == {"gone"}
    assert {one.rater for one in again.work.values()} == {"gone"}


def test_an_item_and_what_was_said_of_it_are_found(worked: Worked) -> None:
    worked.rate("ann", lambda *_: two("1", "2"))
    worked.rate("bob", lambda *_: two("3", "2"))
    with worked.store.connect() as connection:
        numbers = {one.key: one.item for one in _assignments(worked)}
        said = judged_forms(connection, worked.task, numbers["c3"])
    assert [[row.answer for row in rows] for _, rows in said] == [["1", "2"], ["3", "2"]]


def _assignments(worked: Worked) -> list[Assignment]:
    from assize.web._queue.assignment import assignment_of, selected

    with worked.store.connect() as connection:
        return [assignment_of(row) for row in connection.execute(selected())]


def test_an_answer_is_read_against_what_was_shown(worked: Worked) -> None:
    worked.rate("ann", lambda *_: two("1", "2"))
    with worked.store.connect() as connection:
        before = read_judgments(connection, worked.task)
    reword(worked)
    with worked.store.connect() as connection:
        found = read_judgments(connection, worked.task, before)
    assert {row.item for row in before.table} - {row.item for row in found.table} == {"c0"}
    assert {row.item for row in found.table} - {row.item for row in before.table} == {"c0~1"}


def test_work_on_what_was_changed_counts_as_work_on_the_old_item(worked: Worked) -> None:
    worked.rate("ann", lambda *_: two("1", "2"))
    with worked.store.connect() as connection:
        before = read_work(connection, worked.task)
    reword(worked)
    with worked.store.connect() as connection:
        found = read_work(connection, worked.task, before)
    assert "c0" not in {one.item for one in found.work.values()}
