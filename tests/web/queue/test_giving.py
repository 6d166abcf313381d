from __future__ import annotations

from dataclasses import replace

from sqlalchemy import select
from tests.web.queue.rounds import Round, check

from assize.web._queue.giving import SWEPT, expire, give, left_open
from assize.web._queue.standing import joined, standing
from assize.web._storage.schema import assignments


def test_a_full_item_is_given_to_nobody(play: Round) -> None:
    play.sync(replace(play.task, raters_per_item=1, hash="one"))
    held = play.given("ann")
    bob = joined(play.connection, standing(play.connection, play.task, play.people["bob"]))
    assert give(play.connection, play.task, bob, held.item, "random", play.now) is None


def test_what_ran_out_is_taken_up_where_it_was_left(play: Round) -> None:
    one = play.given("ann")
    play.answer(one)
    play.connection.execute(assignments.update().values(state="expired", seconds=5.0))
    ann = standing(play.connection, play.task, play.people["ann"])
    again = give(play.connection, play.task, ann, one.item, "random", play.now)
    assert again is not None
    assert (again.id, again.revision, again.seconds) == (one.id, 1, 5.0)


def test_reservations_whose_time_is_over_are_taken_back(play: Round) -> None:
    one = play.given("ann")
    assert one.reserved_until is not None
    assert expire(play.connection, play.task, one.task, one.reserved_until) == 0
    assert expire(play.connection, play.task, one.task, one.reserved_until + 1) == 1
    assert SWEPT > 1
    check(play.connection, play.task)


def test_what_is_left_open_is_kept_anew_under_the_present_version(play: Round) -> None:
    one = play.given("ann")
    play.sync(replace(play.task, pilot=True, hash="another"))
    ann = standing(play.connection, play.task, one.person)
    found = left_open(play.connection, play.task, ann, play.tick(100))
    assert found is not None
    assert (found.id, found.version) == (one.id, 2)
    row = play.connection.execute(select(assignments.c.pilot, assignments.c.reserved_until)).one()
    assert tuple(row) == (True, found.reserved_until)
