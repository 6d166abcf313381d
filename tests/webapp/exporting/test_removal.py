from __future__ import annotations

from tests.webapp.queue.rounds import Round, check

from assize.webapp.exporting import Removed, history, remove_answers


def test_what_was_removed_has_no_history_and_others_get_the_items(play: Round) -> None:
    play.worked("ann")
    play.worked("bob")
    assert remove_answers(play.connection, play.people["ann"]) == Removed(4, 0, 0)
    assert {one.rater for one in history(play.connection, play.task)} == {"bob"}
    check(play.connection, play.task)
