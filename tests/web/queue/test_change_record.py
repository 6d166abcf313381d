from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select
from tests.web.queue.rounds import Round, assignment, check, conversations, round_of

from assize.web._queue import Assignment, Gone, Nothing, skip, undo, withdraw
from assize.web._queue.change_record import was_given
from assize.web._queue.syncing import Synced
from assize.web._raters.work import keep_late
from assize.web._storage import Store
from assize.web._storage.schema import items

IDS = [f"c{n}" for n in range(10)]


def reword(play: Round, text: str = "hello", ids: list[str] = IDS) -> Synced:
    """Changes what all items say."""
    conversations(play.task.folder, ids, text=text)
    found: Synced = play.sync()
    check(play.connection, play.task)
    return found


def texts(play: Round) -> dict[str, str]:
    """What each item says, by its id, those that are closed among them."""
    rows = play.connection.execute(select(items.c.key, items.c.record)).all()
    assert all(row.key == row.record["id"] for row in rows)
    return {row.key: row.record["turns"][0]["text"] for row in rows}


def test_what_somebody_was_given_is_an_item_of_its_own(either_store: Store, tmp_path: Path) -> None:
    with round_of(either_store.engine, tmp_path) as play:
        one = play.given("ann")
        found = reword(play)
        assert (found.added, found.changed, found.removed, found.replaced) == (0, 10, 0, 1)
        assert len(texts(play)) == 11
        assert texts(play)[f"{one.key}~1"] == f"hi {one.key}"
        assert texts(play)[one.key] == f"hello {one.key}"
        numbers = play.connection.scalars(select(items.c.id)).all()
        assert sum(was_given(play.connection, number) for number in numbers) == 1


def test_who_has_the_old_item_open_finishes_it_and_gets_the_new_one_too(
    play: Round, one: Assignment
) -> None:
    reword(play)
    again = play.given("ann")
    assert (again.id, again.record["turns"][0]["text"]) == (one.id, f"hi {one.key}")
    play.answer(again)
    assert sorted(each.key for each in play.worked("ann")) == sorted(IDS)
    check(play.connection, play.task)


def test_what_ran_out_of_the_old_item_is_taken_no_more_and_stays_a_draft(
    play: Round, one: Assignment
) -> None:
    reword(play)
    play.tick(60 * play.task.reserve_minutes + 1)
    assert play.given("bob").key
    with pytest.raises(Gone, match="or it is closed"):
        play.answer(one)
    assert keep_late(play.connection, one.id, one.person, {"warm": "3"}, play.tick())
    assert assignment(play.connection, one.id, one.person).draft == {"warm": "3"}
    check(play.connection, play.task)


def test_nobody_else_gets_the_old_item(play: Round, done: Assignment) -> None:
    reword(play)
    for who in ("bob", "cat"):
        assert sorted(each.key for each in play.worked(who)) == sorted(IDS)
    assert play.next("bob") == Nothing("finished")
    assert assignment(play.connection, done.id, done.person).state == "done"


def test_each_change_closes_the_item_of_before(play: Round, done: Assignment) -> None:
    reword(play)
    again = next(each for each in play.worked("ann") if each.key == done.key)
    reword(play, "good day")
    assert assignment(play.connection, again.id, again.person).key == f"{done.key}~2"
    assert texts(play)[f"{done.key}~1"] == f"hi {done.key}"


def test_a_skip_an_undone_answer_and_one_that_was_taken_back_close_it_too(play: Round) -> None:
    one, two, three = play.given("ann"), play.given("bob"), play.given("cat")
    skip(play.connection, play.task, one.id, one.person, 0, "odd", now=play.tick())
    two = play.answer(two)
    undo(play.connection, play.task, two.id, two.person, 1, now=play.tick())
    withdraw(play.connection, play.task, three.id, play.tick())
    reword(play)
    for each in (one, two, three):
        assert assignment(play.connection, each.id, each.person).key == f"{each.key}~1"


def test_a_new_item_may_have_the_id_of_a_closed_one(play: Round, done: Assignment) -> None:
    reword(play)
    taken = f"{done.key}~1"
    reword(play, ids=[*IDS, taken])
    assert assignment(play.connection, done.id, done.person).key == f"{taken}~1"
    assert texts(play)[taken] == f"hello {taken}"
