from __future__ import annotations

import pytest
from sqlalchemy import select, update
from tests.web.queue.rounds import Round, check

from assize.web._queue import Gone, assign
from assize.web._queue.counts import has_room, recount, update_assignment
from assize.web._storage.schema import items


def test_counts_that_went_wrong_are_right_again(play: Round) -> None:
    play.worked("ann", 4)
    play.given("bob")
    every = play.connection.scalars(select(items.c.id)).all()
    play.connection.execute(update(items).values(taken=1, done=0, skipped=1))
    recount(play.connection, every)
    check(play.connection, play.task)


def test_going_back_to_a_full_item_is_refused(play: Round) -> None:
    one = update_assignment(play.connection, play.given("ann"), state="expired")
    for who in ("bob", "cat"):
        assign(play.connection, play.task, one.key, play.people[who], play.tick())
    assert not has_room(play.connection, one.item)
    with pytest.raises(Gone):
        update_assignment(play.connection, one, state="done")


def test_an_item_that_too_many_skipped_goes_to_nobody_else(scarce: Round) -> None:
    first = scarce.given("ann")
    for who in ("ann", "bob"):
        key = (scarce.connection, scarce.task, first.key, scarce.people[who], scarce.tick())
        mine = first if who == "ann" else assign(*key)
        update_assignment(scarce.connection, mine, state="skipped")
    is_open = select(items.c.open).where(items.c.id == first.item)
    assert not scarce.connection.scalar(is_open)
    assert first.key not in {one.key for one in scarce.worked("cat")}
