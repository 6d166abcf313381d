from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from sqlalchemy import select
from tests.web.queue.rounds import Round, check

from assize.web._queue import Gone
from assize.web._queue.assignment import State
from assize.web._queue.counters import COUNTS, counted, take
from assize.web._storage.schema import items, participations, tasks


def test_every_state_says_what_it_counts() -> None:
    assert set(COUNTS) == set(get_args(State))


def test_a_full_item_is_taken_no_more(play: Round) -> None:
    number = play.given("ann").item
    assert take(play.connection, play.task, number) is not None
    assert take(play.connection, play.task, number) is None


def test_going_back_to_a_full_item_is_refused(play: Round) -> None:
    one = play.answer(play.given("ann"))
    counted(play.connection, play.task, one, "expired")
    for _ in range(2):
        take(play.connection, play.task, one.item)
    with pytest.raises(Gone):
        counted(play.connection, play.task, replace(one, state="expired"), "done")


def test_complete_items_are_counted(play: Round) -> None:
    for who in ("ann", "bob"):
        play.worked(who)
    row = play.connection.execute(select(tasks.c.size, tasks.c.complete)).one()
    assert tuple(row) == (10, 10)
    check(play.connection, play.task)


def test_an_item_that_becomes_free_is_seen_by_everybody_again(play: Round) -> None:
    held = play.given("ann")
    play.connection.execute(participations.update().values(front=2.0))
    counted(play.connection, play.task, held, "expired")
    rank = play.connection.execute(select(items.c.rank).where(items.c.id == held.item)).scalar()
    assert play.connection.execute(select(participations.c.front)).scalars().all() == [rank]
