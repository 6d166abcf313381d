from __future__ import annotations

import pytest
from tests.web.queue.rounds import Round

from assize.base.conversation import Conversation
from assize.web._queue import NotYours, assignment


def test_an_assignment_holds_its_item(play: Round) -> None:
    one = play.given("ann")
    item = one.read()
    assert isinstance(item, Conversation)
    assert item.id == one.key


def test_it_is_found_by_its_person_alone(play: Round) -> None:
    one = play.given("ann")
    assert assignment(play.connection, one.id, play.people["ann"]).key == one.key
    with pytest.raises(NotYours) as theirs:
        assignment(play.connection, one.id, play.people["bob"])
    with pytest.raises(NotYours) as none:
        assignment(play.connection, 10_000, play.people["bob"])
    assert str(theirs.value).replace(str(one.id), "N") == str(none.value).replace("10000", "N")
