from __future__ import annotations

from dataclasses import replace

from tests.web.queue.rounds import Round, assignment, check, conversations

from assize.web._queue import Assignment, Nothing


def test_a_second_time_changes_nothing(play: Round, done: Assignment) -> None:
    again = play.sync()
    assert (again.new_version, again.added, again.changed, again.removed) == (False, 0, 0, 0)
    assert assignment(play.connection, done.id, done.person).key == done.key


def test_items_come_and_go_and_what_was_answered_stays(play: Round, done: Assignment) -> None:
    conversations(play.task.folder, ["c10", "c11"])
    found = play.sync()
    assert (found.added, found.removed) == (2, 10)
    assert assignment(play.connection, done.id, done.person).state == "done"
    assert {one.key for one in play.worked("bob")} == {"c10", "c11"}
    assert play.next("bob") == Nothing("finished")
    check(play.connection, play.task)


def test_an_item_that_comes_back_is_open_again(play: Round) -> None:
    conversations(play.task.folder, ["c1"])
    play.sync()
    conversations(play.task.folder, [f"c{n}" for n in range(10)])
    play.sync()
    assert len(play.worked("ann")) == 10
    check(play.connection, play.task)


def test_more_raters_open_items_that_were_full(play: Round) -> None:
    for who in ("ann", "bob"):
        play.worked(who)
    assert play.next("cat") == Nothing("finished")
    play.sync(replace(play.task, raters_per_item=3, hash="three"))
    assert len(play.worked("cat")) == 10
    check(play.connection, play.task)
