from __future__ import annotations

import pytest
from tests.web.queue.rounds import Round, assignment, check

from assize.base.errors import ConfigError
from assize.web._queue import Assignment, Gone, withdraw
from assize.web._queue.reassign import assign, reassign, set_state


def test_a_lead_gives_an_item_to_a_person(play: Round) -> None:
    made = assign(play.connection, play.task, "c3", play.people["ann"], play.tick())
    assert (made.key, made.chosen) == ("c3", "assigned")
    assert play.given("ann").id == made.id
    check(play.connection, play.task)


def test_an_item_that_is_full_or_that_they_have_is_not_given(play: Round) -> None:
    for who in ("ann", "bob"):
        assign(play.connection, play.task, "c3", play.people[who], play.tick())
    for who in ("cat", "ann"):
        with pytest.raises(Gone):
            assign(play.connection, play.task, "c3", play.people[who], play.tick())
    with pytest.raises(ConfigError, match="none"):
        assign(play.connection, play.task, "none", play.people["cat"], play.tick())


def test_what_is_taken_back_holds_no_longer_and_is_open_to_others(
    play: Round, done: Assignment
) -> None:
    assert withdraw(play.connection, play.task, done.id, play.tick()).state == "withdrawn"
    assert withdraw(play.connection, play.task, done.id, play.tick()).state == "withdrawn"
    check(play.connection, play.task)
    with pytest.raises(ConfigError):
        withdraw(play.connection, play.task, 10_000, play.tick())


def test_what_is_given_to_another_is_theirs(play: Round, one: Assignment) -> None:
    theirs = reassign(play.connection, play.task, one.id, play.people["bob"], play.tick())
    assert (theirs.key, theirs.person) == (one.key, play.people["bob"])
    assert assignment(play.connection, one.id, play.people["ann"]).state == "withdrawn"
    check(play.connection, play.task)


def test_a_state_that_is_none_is_named(play: Round) -> None:
    with pytest.raises(ConfigError, match=r"'asleep'.*open, paused, closed"):
        set_state(play.connection, play.task, "asleep")
