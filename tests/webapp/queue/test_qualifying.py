from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Engine
from tests.webapp.queue.rounds import Round, conversations, known, round_of

from assize.webapp.queue import Assignment, Nothing, standing
from assize.webapp.queue.qualifying import Grade, grade, rightly
from assize.webapp.tasks.definition import Qualification


@pytest.fixture
def entry(play: Round) -> Round:
    ids = [f"q{n}" for n in range(4)]
    conversations(play.task.folder, ids, "entry.jsonl")
    known(play.task.folder, ids, "pass.jsonl", "2")
    given = {"items": "entry.jsonl", "judgments": "pass.jsonl", "least": 0.75, "attempts": 2}
    play.sync(replace(play.task, qualification=Qualification.model_validate(given), hash="entry"))
    return play


def answered(play: Round, who: str, *said: str) -> None:
    for one in said:
        given = play.given(who)
        assert given.chosen == "qualify"
        play.answer(given, one)


def test_who_gets_enough_right_goes_on_to_the_task(entry: Round) -> None:
    answered(entry, "ann", "2", "2", "2", "1")
    assert entry.given("ann").chosen == "random"
    found = standing(entry.connection, entry.task, entry.people["ann"])
    assert found.qualified == "passed"
    assert grade(entry.connection, entry.task, found) == Grade(3, 4)


def test_who_does_not_has_another_attempt_and_then_no_more(entry: Round) -> None:
    answered(entry, "bob", "1", "1", "2", "2")
    answered(entry, "bob", "1", "1", "1", "1")
    assert entry.next("bob") == Nothing("failed")


def test_the_second_attempt_counts_alone(entry: Round) -> None:
    answered(entry, "cat", "1", "1", "1", "1")
    answered(entry, "cat", "2", "2", "2", "2")
    assert isinstance(entry.next("cat"), Assignment)


def test_an_answer_may_be_off_by_the_places_allowed(
    sqlite_engine: Engine, tmp_path_factory: pytest.TempPathFactory
) -> None:
    given = {"items": "i", "judgments": "j", "within": 1}
    with round_of(sqlite_engine, tmp_path_factory.mktemp("near")) as play:
        near = replace(play.task, qualification=Qualification.model_validate(given))
        said: list[str | None] = ["1", "2", "3", None]
        assert [rightly(near, {"warm": "1"}, {"warm": one}) for one in said] == [1, 1, 0, 0]
        assert rightly(play.task, {"warm": "1"}, {"warm": "2"}) == 0
        assert rightly(near, {"warm": "1"}, {}) == 0


def test_nothing_asked_is_all_right() -> None:
    assert Grade(0, 0).share == 1.0
