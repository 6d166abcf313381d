from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine
from tests.web.queue.rounds import Round, conversations, known, round_about
from tests.web.tasks.making import lines, make_task
from tests.web.tasks.test_check_labels import task_of as acts_task
from tests.web.tasks.test_write import BRIEF, TEXTS

from assize.base.errors import DataError
from assize.web._queue import Assignment, Nothing, read_participant, submit
from assize.web._queue.next_item import next_for
from assize.web._queue.qualifying import Grade, grade, rightly
from assize.web._tasks.definition import Qualification


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
    found = read_participant(entry.connection, entry.task, entry.people["ann"])
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


def test_an_answer_may_be_off_by_the_places_allowed(play: Round) -> None:
    given = {"items": "i", "judgments": "j", "within": 1}
    near = replace(play.task, qualification=Qualification.model_validate(given))
    assert [rightly(task, {"warm": "1"}, {"warm": "2"}) for task in (near, play.task)] == [1, 0]
    assert rightly(near, {"warm": "1"}, {}) == 0


def test_scores_count_as_answers(sqlite_engine: Engine, tmp_path: Path) -> None:
    lines(tmp_path / "entry.jsonl", [{"id": "b0", "text": "A key is lost."}])
    right = {"item": "b0", "judge": "g", "question": "written", "score": 3}
    lines(tmp_path / "pass.jsonl", [right])
    entry = {"items": ["entry.jsonl"], "judgments": ["pass.jsonl"]}
    task = make_task(tmp_path, "write", [BRIEF], settings={"least": 2}, qualification=entry)
    with round_about(sqlite_engine, task) as play:
        one = play.given("ann")
        submit(play.connection, task, one.id, one.person, 0, TEXTS, now=play.tick())
        found = read_participant(play.connection, task, one.person)
        assert (one.key, grade(play.connection, task, found)) == ("b0", Grade(1, 1))


def test_each_turn_counts_by_itself(tmp_path: Path) -> None:
    task = acts_task(tmp_path)
    expected = {"act_check@0": "right", "act_check@1": "missing"}
    assert rightly(task, expected, {"act_check@0": "right", "act_check@1": "wrong"}) == 1


def test_of_nothing_asked_there_is_no_share() -> None:
    assert math.isnan(Grade(0, 0).share)


def test_a_round_without_items_lets_nobody_through(play: Round) -> None:
    given = Qualification.model_validate({"items": "none.jsonl", "judgments": "pass.jsonl"})
    task = replace(play.task, qualification=given)
    found = read_participant(play.connection, task, play.people["ann"])
    with pytest.raises(DataError, match="no items"):
        next_for(play.connection, task, found, play.tick())
