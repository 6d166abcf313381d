from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.monitor.worked import Worked, two, write_project

from assize.base.errors import ConfigError
from assize.web._monitor.discussion import Discussion, discussion
from assize.web._monitor.settling import LONGEST, open_discussion, reopen, say, settle


class Room:
    """A discussion of an item that two raters answered."""

    def __init__(self, folder: Path) -> None:
        write_project(folder, items=1)
        self.worked = Worked(folder)
        self.worked.rate("ann", lambda *_: two("1", "2"))
        self.worked.rate("bob", lambda *_: two("4", "2"))
        self.lead = self.worked.person("lead", "admin")
        self.number = self.open()

    def open(self, key: str = "c0") -> int:
        return self.worked.store.write_now(
            open_discussion, self.worked.task, key, self.lead, self.worked.now
        )

    def by(self, name: str) -> Discussion:
        with self.worked.store.connect() as connection:
            found = discussion(
                connection,
                self.worked.project.tasks,
                self.number,
                self.worked.person(name),
                lead=name == "lead",
            )
        assert found is not None
        return found

    def say(self, name: str, text: str) -> None:
        self.worked.store.write_now(say, self.by(name), self.worked.person(name), text, 1.0)

    def settle(self, **answers: str) -> None:
        self.worked.store.write_now(
            settle, self.by("lead"), self.lead, answers, " Read twice. ", 2.0
        )


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_an_item_has_one_discussion(room: Room) -> None:
    assert room.open() == room.number


def test_an_item_that_one_rater_answered_has_nothing_to_settle(tmp_path: Path) -> None:
    write_project(tmp_path, items=1)
    worked = Worked(tmp_path)
    worked.rate("ann", lambda *_: two("1", "2"))
    for key, why in (("c0", "fewer than two raters"), ("none", "no item 'none'")):
        with pytest.raises(ConfigError, match=why):
            worked.store.write_now(open_discussion, worked.task, key, worked.person("ann"), 1.0)


def test_a_lead_settles_with_a_reason(room: Room) -> None:
    room.settle(clear="2", kind="3")
    found = room.by("bob")
    assert (found.state, found.reason, found.closed) == ("settled", "Read twice.", 2.0)
    assert found.settled == {"clear": "2", "kind": "3"}


def test_after_it_is_settled_nothing_more_is_said_until_it_is_opened_again(room: Room) -> None:
    room.settle(clear="2", kind="2")
    with pytest.raises(ConfigError, match="is settled"):
        room.say("ann", "But")
    with pytest.raises(ConfigError, match="is settled"):
        room.settle(clear="3", kind="2")
    room.worked.store.write_now(reopen, room.by("lead"))
    assert room.by("ann").is_open
    assert room.by("ann").settled == {}


@pytest.mark.parametrize(("text", "why"), [(" \n", "empty"), ("x" * (LONGEST + 1), "at most")])
def test_a_message_has_words_and_is_not_endless(room: Room, text: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        room.say("ann", text)
