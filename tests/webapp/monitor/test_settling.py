from __future__ import annotations

from pathlib import Path

import pytest
from tests.webapp.monitor.worked import Worked, two, write_project

from assize.errors import ConfigError
from assize.judgment import Question
from assize.webapp.monitor.discussion import Discussion, discussion
from assize.webapp.monitor.settling import (
    LONGEST,
    open_discussion,
    propose,
    reopen,
    say,
    settle,
    settling_form,
)


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

    def propose(self, name: str, clear: str) -> bool:
        return self.worked.store.write_now(
            propose, self.by(name), self.worked.person(name), {"clear": clear}, 1.0
        )

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


def test_where_all_propose_the_same_it_is_settled(room: Room) -> None:
    assert not room.propose("ann", "3")
    assert room.by("bob").proposals == {room.by("ann").me: {"clear": "3"}}
    assert not room.propose("bob", "2")
    assert room.propose("bob", "3")
    found = room.by("ann")
    assert (found.state, found.by, found.settled) == (
        "settled",
        "agreement",
        {"clear": "3", "kind": "2"},
    )


def test_a_lead_settles_with_a_reason(room: Room) -> None:
    room.settle(clear="2")
    found = room.by("bob")
    assert (found.by, found.reason, found.closed) == ("lead", "Read twice.", 2.0)
    assert found.settled == {"clear": "2", "kind": "2"}


@pytest.mark.parametrize("said", ["", "5", "yes", "NAN"])
def test_an_answer_that_is_none_of_the_questions_settles_nothing(room: Room, said: str) -> None:
    with pytest.raises(ConfigError, match="choose an answer to Is it clear"):
        room.settle(clear=said)
    assert room.by("lead").is_open


def test_after_it_is_settled_nothing_more_is_said_until_it_is_opened_again(room: Room) -> None:
    room.settle(clear="2")
    for act in (lambda: room.propose("ann", "2"), lambda: room.settle(clear="3")):
        with pytest.raises(ConfigError, match="is settled"):
            act()
    room.worked.store.write_now(reopen, room.by("lead"))
    assert room.by("ann").is_open
    assert room.by("ann").settled == {}


def test_a_lead_proposes_nothing(room: Room) -> None:
    with pytest.raises(ConfigError, match="a lead settles"):
        room.propose("lead", "2")


@pytest.mark.parametrize(("text", "why"), [(" \n", "empty"), ("x" * (LONGEST + 1), "at most")])
def test_a_message_has_words_and_is_not_endless(room: Room, text: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        room.worked.store.write_now(say, room.by("ann"), room.worked.person("ann"), text, 1.0)


def test_the_form_asks_what_is_disputed(room: Room) -> None:
    assert [(one.name, one.widget) for one in settling_form(room.by("ann")).fields] == [
        ("clear", "radio")
    ]


def test_a_disputed_number_is_a_number_within_its_range(room: Room) -> None:
    found = room.by("lead")
    asked = Question("n", kind="number", range=(0, 9))
    made = Discussion(
        found.id,
        found.task,
        found.item,
        found.key,
        "open",
        [asked],
        {"n": {"Rater 1": "2", "Rater 2": "7.5"}},
        (),
        {},
        found.raters,
        "Lead",
    )
    assert [one.widget for one in settling_form(made).fields] == ["number"]
    for said in ("9.5", "much"):
        with pytest.raises(ConfigError, match="choose an answer to n"):
            room.worked.store.write_now(settle, made, room.lead, {"n": said}, "", 1.0)
