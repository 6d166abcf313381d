from __future__ import annotations

from sqlalchemy import select, update
from tests.web.queue.rounds import Round, check

from assize.web._queue.recounting import parts, recount
from assize.web._storage.schema import items, participations, tasks


def test_counts_that_went_wrong_are_right_again(play: Round) -> None:
    play.worked("ann", 4)
    play.given("bob")
    every = play.connection.scalars(select(items.c.id)).all()
    play.connection.execute(update(items).values(taken=1, done=0, skipped=1))
    play.connection.execute(update(participations).values(done=9, skipped=9))
    number = play.connection.scalars(select(tasks.c.id)).one()
    recount(play.connection, number, every)
    check(play.connection, play.task)


def test_long_lists_go_in_pieces() -> None:
    assert [list(one) for one in parts(range(5), 2)] == [[0, 1], [2, 3], [4]]
