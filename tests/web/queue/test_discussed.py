from __future__ import annotations

import pytest
from sqlalchemy import insert
from tests.web.queue.rounds import Round, assignment, conversations
from tests.web.queue.test_answer import drafted, skipped, undone

from assize.web._queue import Assignment, Gone
from assize.web._queue.answer import open_discussion_of
from assize.web._storage.schema import discussions


def discuss(play: Round, one: Assignment, state: str = "open") -> int:
    """Opens a discussion of an item; its id."""
    made = insert(discussions).values(
        task=one.task, item=one.item, state=state, opened_by=one.person, opened=play.tick()
    )
    return int(play.connection.execute(made.returning(discussions.c.id)).scalar_one())


def now(play: Round, one: Assignment) -> Assignment:
    return assignment(play.connection, one.id, one.person)


@pytest.mark.parametrize("state", ["open", "settled"])
def test_who_may_have_read_what_others_answered_changes_nothing(
    play: Round, state: str, done: Assignment
) -> None:
    discuss(play, done, state)
    for change in (Round.answer, skipped, drafted, undone):
        with pytest.raises(Gone, match="your answer stays as it is"):
            change(play, done)
    assert now(play, done) == done


def test_an_answer_that_is_sent_again_was_taken(play: Round) -> None:
    given = play.given("ann")
    one = play.answer(given)
    discuss(play, one)
    assert play.answer(given).revision == one.revision


def test_who_has_not_answered_reads_nothing_and_answers(play: Round, done: Assignment) -> None:
    discuss(play, done)
    assert open_discussion_of(play.connection, now(play, done)) is not None
    assert done.item in {each.item for each in play.worked("bob")}


def test_what_is_said_of_an_old_item_does_not_bind_the_new_one(
    play: Round, done: Assignment
) -> None:
    discuss(play, done)
    conversations(play.task.folder, [f"c{n}" for n in range(10)], text="hello")
    play.sync()
    with pytest.raises(Gone):
        play.answer(now(play, done), "3")
    again = next(each for each in play.worked("ann") if each.key == done.key)
    assert play.answer(now(play, again), "3").revision == 2
