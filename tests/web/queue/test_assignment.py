from __future__ import annotations

from tests.web.queue.rounds import Round, assignment

from assize.web._queue import Assignment, held


def test_it_is_found_by_its_person_alone(play: Round, one: Assignment) -> None:
    assert assignment(play.connection, one.id, play.people["ann"]).key == one.key
    assert held(play.connection, one.id, play.people["bob"]) is None
    assert held(play.connection, 10_000, play.people["bob"]) is None
