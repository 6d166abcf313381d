from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import select
from tests.web.queue.rounds import Round, check

from assize.web._queue import Assignment
from assize.web._queue.assign_item import assign_item, expire_assignments, resume_assignment
from assize.web._queue.choose_item import Choice
from assize.web._queue.participant import read_participant
from assize.web._storage.schema import assignments


def test_what_ran_out_is_taken_up_where_it_was_left(play: Round, one: Assignment) -> None:
    play.answer(one)
    play.connection.execute(assignments.update().values(state="expired", seconds=5.0))
    ann = read_participant(play.connection, play.task, play.people["ann"])
    choice = Choice(one.item, "random")
    again = assign_item(play.connection, play.task, ann, choice, play.now)
    assert (again.id, again.revision, again.seconds) == (one.id, 1, 5.0)


def test_reservations_whose_time_is_over_are_taken_back(play: Round, one: Assignment) -> None:
    assert one.reserved_until is not None
    assert expire_assignments(play.connection, one.task, one.reserved_until) == 0
    assert expire_assignments(play.connection, one.task, one.reserved_until + 1) == 1
    check(play.connection, play.task)


def test_what_is_left_open_is_kept_anew_under_the_present_version(
    play: Round, one: Assignment
) -> None:
    play.sync(replace(play.task, pilot=True, hash="another"))
    ann = read_participant(play.connection, play.task, one.person)
    found: Any = resume_assignment(play.connection, play.task, ann, play.tick(100))
    assert (found.id, found.version) == (one.id, 2)
    row = play.connection.execute(select(assignments.c.pilot, assignments.c.reserved_until)).one()
    assert tuple(row) == (True, found.reserved_until)
