from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select
from tests.web.queue.rounds import Round, assignment, check

from assize.web._queue import (
    Assignment,
    Gone,
    NotYours,
    Stale,
    save_draft,
    set_state,
    skip,
    step,
    submit,
    undo,
    withdraw,
)
from assize.web._queue.answer import send_back
from assize.web._storage.schema import answers as history


def skipped(play: Round, one: Assignment, reason: str = "odd") -> Assignment:
    return skip(
        play.connection, play.task, one.id, one.person, one.revision, reason, now=play.tick()
    )


def undone(play: Round, one: Assignment) -> Assignment:
    return undo(play.connection, play.task, one.id, one.person, one.revision, now=play.tick())


def drafted(play: Round, one: Assignment, **more: Any) -> Assignment:
    return save_draft(
        play.connection,
        play.task,
        one.id,
        one.person,
        one.revision,
        {"warm": "2"},
        now=play.tick(),
        **more,
    )


def events(play: Round) -> list[str]:
    return list(play.connection.execute(select(history.c.event).order_by(history.c.id)).scalars())


@pytest.mark.parametrize(
    "act", [lambda play, one: play.answer(one), skipped], ids=["submit", "skip"]
)
def test_the_same_sent_twice_is_taken_once(
    play: Round, act: Callable[[Round, Assignment], Assignment], one: Assignment
) -> None:
    assert act(play, one).id == act(play, one).id
    assert len(events(play)) == 1
    check(play.connection, play.task)


def test_something_else_under_an_old_revision_is_refused(play: Round, one: Assignment) -> None:
    play.answer(one, "1")
    with pytest.raises(Stale, match="answered in the meantime"):
        play.answer(one, "2")
    with pytest.raises(Stale):
        drafted(play, one)


def test_a_step_sent_twice_gives_the_same_next_item(play: Round, one: Assignment) -> None:

    def sent() -> Any:
        return step(
            play.connection, play.task, one.id, one.person, 0, {"warm": "1"}, now=play.tick()
        )

    first, second = sent(), sent()
    assert first.taken == second.taken
    assert first.found.id == second.found.id != one.id
    assert (first.standing.done, second.standing.done) == (1, 1)


def test_undo_opens_the_answer_as_a_draft_and_it_comes_next(play: Round) -> None:
    one = play.answer(play.given("ann"), "2")
    play.given("ann")
    back = undone(play, one)
    assert (back.state, back.draft, back.revision) == ("reserved", {"warm": "2"}, 2)
    assert play.given("ann").id == one.id
    assert events(play) == ["submit", "undo"]


def test_a_skipped_item_goes_to_another_and_then_cannot_be_opened_again(scarce: Round) -> None:
    one = skipped(scarce, scarce.given("ann"))
    assert one.key in {each.key for each in scarce.worked("bob")}
    with pytest.raises(Gone, match="others have this item"):
        undone(scarce, one)
    check(scarce.connection, scarce.task)


def test_a_late_answer_is_taken_while_there_is_room(play: Round, one: Assignment) -> None:
    play.tick(4000)
    play.given("bob")
    assert assignment(play.connection, one.id, one.person).state == "expired"
    assert play.answer(one).state == "done"
    check(play.connection, play.task)


def test_a_draft_is_kept_and_keeps_the_item(play: Round, one: Assignment) -> None:
    play.tick(3000)
    kept = drafted(play, one)
    assert kept.reserved_until is not None
    assert one.reserved_until is not None
    assert kept.reserved_until > one.reserved_until
    assert play.given("ann").draft == {"warm": "2"}


def test_seconds_add_up_and_cannot_be_more_than_have_passed(play: Round, one: Assignment) -> None:
    play.tick(10)
    assert drafted(play, one, seconds=5.0).seconds == 5.0
    play.tick(2)
    done = play.answer(one, seconds=1000.0)
    assert done.seconds == 8.0
    for odd in (math.nan, -4.0, math.inf):
        done = play.answer(done, "2", seconds=odd)
        assert done.seconds == 8.0


def test_nobody_writes_to_anothers_assignment(play: Round) -> None:
    one, bob = play.given("ann"), play.people["bob"]
    for number, person in ((one.id, bob), (one.id + 999, one.person)):
        with pytest.raises(NotYours):
            submit(play.connection, play.task, number, person, 0, {"warm": "1"}, now=play.tick())
    other = replace(play.task, name="other")
    with pytest.raises(NotYours):
        submit(play.connection, other, one.id, one.person, 0, {}, now=play.tick())


def test_what_is_sent_back_is_kept_for_its_writer_without_end(
    play: Round, done: Assignment
) -> None:
    back = send_back(play.connection, play.task, done.id, done.person, 1, now=play.tick())
    assert (back.state, back.draft, back.reserved_until) == ("reserved", {"warm": "1"}, None)
    assert drafted(play, back).reserved_until is None
    check(play.connection, play.task)
    assert events(play) == ["submit", "return"]
    with pytest.raises(Stale, match="nothing to undo"):
        send_back(play.connection, play.task, done.id, done.person, 2, now=play.tick())


def test_nothing_is_taken_after_a_withdrawal_or_when_the_task_is_closed(play: Round) -> None:
    one, two = play.given("ann"), play.given("bob")
    withdraw(play.connection, play.task, one.id, play.tick())
    with pytest.raises(Gone, match="given to someone else"):
        play.answer(one)
    set_state(play.connection, play.task, "paused")
    play.answer(two)
    set_state(play.connection, play.task, "closed")
    with pytest.raises(Gone, match="closed"):
        play.answer(assignment(play.connection, two.id, two.person), "3")


def test_a_skips_reason_is_kept_as_both_databases_hold_it(play: Round, one: Assignment) -> None:
    skipped(play, one, "a\x00b\ud800c")
    skipped(play, one, "a\x00b\ud800c")
    assert play.connection.execute(select(history.c.reason)).scalar_one() == "a\ufffdb\ufffdc"


@pytest.mark.parametrize(("shown", "kept"), [(None, 1), (1, 1), (2, 2), (9, 2), (0, 1)])
def test_an_answer_belongs_to_the_version_whose_form_was_shown(
    play: Round, shown: int | None, kept: int, one: Assignment
) -> None:
    play.sync(replace(play.task, hash="edited"))
    assert play.answer(one, version=shown).version == kept
    assert play.connection.scalars(select(history.c.version)).all() == [kept]
