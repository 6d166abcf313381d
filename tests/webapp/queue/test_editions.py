from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine, select
from tests.webapp.queue.rounds import Round, conversations, round_of

from assize.webapp.queue import skip, undo, withdraw
from assize.webapp.queue.editions import changed_since, stamp
from assize.webapp.storage.schema import answers, item_editions

IDS = [f"c{n}" for n in range(10)]


def reword(play: Round, text: str = "hello") -> None:
    """Changes what all items say."""
    conversations(play.task.folder, IDS, text=text)
    play.sync()


def answered(play: Round) -> list[str]:
    """What stood there when each thing was done, by the numbers of its edition."""
    asked = select(item_editions.c.number).select_from(answers).outerjoin(item_editions)
    found = play.connection.scalars(asked.order_by(answers.c.id)).all()
    return ["now" if number is None else str(number) for number in found]


def test_answers_belong_to_what_stood_there_when_they_were_given(
    either: Engine, tmp_path: Path
) -> None:
    with round_of(either, tmp_path) as play:
        one = play.answer(play.given("ann"))
        reword(play)
        assert answered(play) == ["1"]
        play.answer(one)
        assert answered(play) == ["1", "now"]
        reword(play, "good day")
        assert answered(play) == ["1", "2"]
        kept = select(item_editions.c.record).order_by(item_editions.c.number)
        texts = [row["turns"][0]["text"] for row in play.connection.scalars(kept)]
        assert texts == [f"hi {one.key}", f"hello {one.key}"]


def test_skips_and_answers_that_were_taken_back_keep_theirs(play: Round) -> None:
    one, two = play.given("ann"), play.given("bob")
    skip(play.connection, play.task, one.id, one.person, 0, "odd", now=play.tick())
    two = play.answer(two)
    undo(play.connection, play.task, two.id, two.person, 1, now=play.tick())
    withdraw(play.connection, play.task, two.id, play.tick())
    reword(play)
    assert answered(play) == ["1", "1", "1"]


def test_an_item_that_says_again_what_it_said_has_its_answers_back(play: Round) -> None:
    one = play.answer(play.given("ann"))
    reword(play)
    two = play.answer(one)
    reword(play, "hi")
    assert answered(play) == ["now", "2"]
    assert changed_since(play.connection, two)
    reword(play)
    assert answered(play) == ["1", "now"]
    assert not changed_since(play.connection, two)


def test_what_was_undone_is_of_what_stood_there_before_too(play: Round) -> None:
    one = play.answer(play.given("ann"))
    reword(play)
    open_again = undo(play.connection, play.task, one.id, one.person, 1, now=play.tick())
    assert changed_since(play.connection, open_again)
    assert not changed_since(play.connection, play.answer(open_again))


def test_only_what_was_answered_can_have_changed_since(play: Round) -> None:
    one = play.given("ann")
    reword(play)
    assert not changed_since(play.connection, one)


def test_a_stamp_is_that_of_what_is_shown(play: Round) -> None:
    one = play.given("ann")
    before = stamp(one.record)
    reword(play)
    assert stamp(play.given("ann").record) != before
