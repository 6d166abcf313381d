from __future__ import annotations

from tests.web.exporting.conftest import IDS
from tests.web.queue.rounds import Round, conversations

from assize.web._exporting.history import history
from assize.web._queue import undo, withdraw


def test_everything_that_was_done_stands_in_its_order_and_nothing_else(play: Round) -> None:
    one = play.answer(play.answer(play.given("ann"), "1", seconds=1.0), "2")
    undo(play.connection, play.task, one.id, one.person, 2, now=play.tick())
    two = play.answer(play.given("bob"))
    withdraw(play.connection, play.task, two.id, play.tick())
    play.given("bob")
    first, second = history(play.connection, play.task)
    assert (first["item"], first["rater"], first["chosen"]) == (one.key, "ann", "random")
    assert [each["event"] for each in first["events"]] == ["submit", "submit", "undo"]
    assert [each["answers"] for each in first["events"]] == [{"warm": "1"}, {"warm": "2"}, None]
    assert [each["event"] for each in second["events"]] == ["submit", "withdraw"]


def test_what_was_done_with_an_item_that_was_changed_is_all_of_the_old_one(play: Round) -> None:
    one = play.answer(play.given("ann"))
    conversations(play.task.folder, IDS, text="hello")
    play.sync()
    play.answer(one)
    (found,) = history(play.connection, play.task)
    assert (found["item"], len(found["events"])) == (f"{one.key}~1", 2)
