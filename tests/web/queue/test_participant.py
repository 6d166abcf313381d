from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import update
from tests.web.queue.rounds import Round

from assize.base.errors import ConfigError
from assize.web._queue import Assignment, read_participant
from assize.web._queue.participant import (
    allowance_left,
    exclusion_reason,
    others_have_items,
)
from assize.web._storage.schema import assignments, people


def test_who_has_an_item_open_stands_before_it(play: Round, one: Assignment) -> None:
    found = read_participant(play.connection, play.task, play.people["ann"])
    assert (found.opened, found.draws) == (one.id, 1)


def test_nobody_and_no_task_are_named(play: Round) -> None:
    with pytest.raises(ConfigError, match="no task"):
        read_participant(play.connection, replace(play.task, name="other"), play.people["ann"])
    with pytest.raises(ConfigError):
        read_participant(play.connection, play.task, 10_000)


def test_who_is_disabled_is_not_invited(play: Round) -> None:
    ann = play.people["ann"]
    play.connection.execute(update(people).where(people.c.id == ann).values(disabled=True))
    found = read_participant(play.connection, play.task, ann)
    assert exclusion_reason(play.connection, play.task, found) == "not_invited"


def test_what_others_have_in_hand_may_come_back(play: Round) -> None:
    def held(by: str) -> bool:
        return others_have_items(
            play.connection, read_participant(play.connection, play.task, play.people[by])
        )

    assert not held("bob")
    one = play.given("ann")
    assert held("bob")
    assert not held("ann")
    play.answer(one)
    assert not held("bob")
    play.given("ann")
    play.connection.execute(update(assignments).values(state="expired"))
    assert not held("bob")


def test_a_share_is_used_up_by_answers_and_by_what_is_held_where_that_counts(play: Round) -> None:
    task = replace(play.task, items_per_rater=2)

    def left(*, held: bool) -> int | None:
        found = read_participant(play.connection, task, play.people["ann"])
        return allowance_left(play.connection, task, found, count_open=held)

    play.answer(play.given("ann"))
    assert (left(held=False), left(held=True)) == (1, 1)
    play.given("ann")
    assert (left(held=False), left(held=True)) == (1, 0)
