from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.web.queue.rounds import Round

from assize.web._leading.overview import (
    held,
    item_line,
    item_lines,
    item_record,
    task_line,
    task_lines,
    versions,
)
from assize.web._queue import assign
from assize.web._raters.comments import add_comment


def test_a_task_stands_with_its_counts(play: Round) -> None:
    play.worked("ann", 3)
    add_comment(play.connection, play.given("bob"), "flag", "odd", 1.0)
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
    (one,) = play.worked("ann", 1)
    found = versions(play.connection, one.task)
    assert [(one.number, one.answers) for one in found] == [(2, 1), (1, 2)]


def test_items_are_found_by_what_was_done_and_by_part_of_their_id(play: Round) -> None:
    (one,) = play.worked("ann", 1)
    assign(play.connection, play.task, one.key, play.people["bob"], play.tick())
    counts = [item_lines(play.connection, one.task, state)[1] for state in ("begun", "complete")]
    assert counts == [1, 0]
    play.answer(play.given("bob"))
    play.worked("cat", 1)
    counts = [item_lines(play.connection, one.task, state)[1] for state in ("begun", "complete")]
    assert counts == [1, 1]
    rows, count = item_lines(play.connection, one.task, search="c3")
    assert (count, rows[0].key) == (1, "c3")
    assert item_lines(play.connection, one.task, search="%")[1] == 0


def test_an_item_has_its_text_and_who_holds_it(play: Round) -> None:
    one = play.answer(play.given("ann"))
    line: Any = item_line(play.connection, one.task, one.item)
    assert (line.key, line.done) == (one.key, 1)
    assert item_line(play.connection, one.task + 1, one.item) is None
    assert one.key in str(item_record(play.connection, one.item))
    (who,) = held(play.connection, one.item)
    assert (who.person, who.state) == ("ann", "done")
