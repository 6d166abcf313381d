from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import insert
from tests.web.queue.rounds import Round, emptied, round_of

from assize.web._leading.overview import (
    held,
    item_line,
    item_lines,
    item_record,
    task_line,
    task_lines,
    versions,
)
from assize.web._storage.engine import make_engine
from assize.web._storage.migrating import upgrade
from assize.web._storage.schema import comments


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Round]:
    engine = make_engine(f"sqlite:///{tmp_path / 'x.db'}")
    upgrade(engine)
    emptied(engine)
    with round_of(engine, tmp_path) as found:
        yield found
    engine.dispose()


def test_a_task_stands_with_its_counts(play: Round) -> None:
    play.worked("ann", 3)
    one = play.given("bob")
    flag = insert(comments).values(
        task=one.task, item=one.item, person=one.person, kind="flag", text="odd", at=1.0
    )
    play.connection.execute(flag)
    (line,) = task_lines(play.connection)
    assert (line.name, line.size, line.reserved, line.done, line.skipped, line.flags) == (
        "warmth",
        10,
        1,
        3,
        0,
        1,
    )
    assert task_line(play.connection, "warmth") == line
    assert task_line(play.connection, "none") is None


def test_versions_say_how_many_answers_each_has(play: Round) -> None:
    play.worked("ann", 2)
    play.sync(replace(play.task, hash="edited"))
    play.worked("ann", 1)
    line = task_line(play.connection, "warmth")
    assert line is not None
    found = versions(play.connection, line.id)
    assert [(one.number, one.answers) for one in found] == [(2, 1), (1, 2)]


def test_items_are_found_by_what_was_done_and_by_part_of_their_id(play: Round) -> None:
    for who in ("ann", "bob"):
        play.worked(who, 1)
    line = task_line(play.connection, "warmth")
    assert line is not None
    assert item_lines(play.connection, line.id)[1] == 10
    begun = item_lines(play.connection, line.id, "begun")[1]
    complete = item_lines(play.connection, line.id, "complete")[1]
    assert begun + 2 * complete == 2
    rows, count = item_lines(play.connection, line.id, search="c3")
    assert (count, rows[0].key) == (1, "c3")
    assert item_lines(play.connection, line.id, search="%")[1] == 0


def test_an_item_has_its_text_and_who_holds_it(play: Round) -> None:
    one = play.answer(play.given("ann"))
    line = item_line(play.connection, one.task, one.item)
    assert line is not None
    assert (line.key, line.done) == (one.key, 1)
    assert item_line(play.connection, one.task + 1, one.item) is None
    record = item_record(play.connection, one.item)
    assert one.key in str(record)
    (who,) = held(play.connection, one.item)
    assert (who.person, who.state) == ("ann", "done")
