"""Discussions: who takes part, what was said, how they end, and what leads' answers become."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.web.monitor.worked import Worked, reword, two, write_project
from tests.web.tasks import test_check_labels as test_labels
from tests.web.tasks import test_maxims, test_write

from assize.base.conversation import Conversation
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment
from assize.web._discussions import (
    _ROWS,
    LONGEST,
    Discussion,
    adjudicated,
    discussion,
    discussions_of,
    label_raters,
    open_discussion,
    open_questions,
    reopen,
    say,
    settle,
)
from assize.web._queue import withdraw
from assize.web._queue.assignment import select_assignments, to_assignment
from assize.web._storage.schema import discussions
from assize.web._tasks import Task, kind_of

SAID = {"ann": two("1", "2"), "bob": two("4", "2"), "cy": two("1", "2")}


class Room:
    """A discussion of an item that Ann and Bob answered, who disagree about one question."""

    def __init__(self, folder: Path, items: int = 1) -> None:
        write_project(folder, items=items)
        self.worked = Worked(folder)
        self.store, self.task = self.worked.store, self.worked.task
        for name in ("ann", "bob"):
            self.rate(name)
        self.lead = self.worked.person("lead", "admin")
        self.number = self.open()

    def rate(self, name: str) -> None:
        self.worked.rate(name, lambda who, _: SAID[who])

    def open(self, key: str = "c0") -> int:
        return self.store.write_now(open_discussion, self.task, key, self.lead, self.worked.now)

    def seen(self, name: str, number: int | None = None) -> Discussion | None:
        """The discussion as somebody sees it; None where they do not."""
        number = self.number if number is None else number
        person, known = self.worked.person(name), self.worked.project.tasks
        return self.store.read_now(discussion, known, number, person, lead=name == "lead")

    def by(self, name: str) -> Discussion:
        found = self.seen(name)
        assert found is not None
        return found

    def say(self, name: str, text: str) -> None:
        self.store.write_now(say, self.by(name), self.worked.person(name), text, 1.0)

    def settle(self, **answers: str) -> None:
        self.store.write_now(settle, self.by("lead"), self.lead, answers, " Read twice. ", 2.0)

    def adjudicated(self) -> list[Judgment]:
        return self.store.read_now(adjudicated, self.task)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_raters_see_answers_under_labels_and_no_name(room: Room) -> None:
    found = room.by("ann")
    assert sorted(found.answers["clear"].values()) == ["1", "4"]
    assert found.answers["clear"][found.me] == "1"
    assert found.raters == ["Rater 1", "Rater 2"]
    assert {found.me, room.by("bob").me} == {"Rater 1", "Rater 2"}
    assert [one.id for one in found.disputed] == ["clear"]
    for name in ("ann", "bob"):
        assert name not in str(found)


def test_who_has_not_answered_sees_nothing_until_they_have(room: Room) -> None:
    assert room.seen("cy") is room.seen("ann", 99) is None
    room.rate("cy")
    assert room.by("cy").me == "Rater 3"


def test_whose_answer_is_taken_back_is_out_and_labels_stay(room: Room) -> None:
    before, bob = room.by("ann").me, room.worked.person("bob")
    with room.store.connect() as connection:
        rows = [to_assignment(row) for row in connection.execute(select_assignments())]
    (one,) = [row for row in rows if row.person == bob]
    room.store.write_now(withdraw, room.task, one.id, room.worked.now)
    assert room.seen("bob") is None
    found = room.by("ann")
    assert (found.me, found.raters) == (before, [before])
    room.rate("cy")
    assert room.by("cy").me == "Rater 3"


def test_labels_tell_nothing_about_who_was_first(tmp_path: Path) -> None:
    room = Room(tmp_path, items=30)
    ann, labels = room.worked.person("ann"), []
    for place in range(30):
        number = room.open(f"c{place}")
        with room.store.connect() as connection:
            row = connection.execute(_ROWS.where(discussions.c.id == number)).one()
            labels.append(label_raters(connection, row)[ann])
    assert 6 <= labels.count("Rater 1") <= 24  # of 30; outside the chance is below 1 in 500


@pytest.mark.parametrize(("name", "me"), [("lead", "Lead"), ("ann", None)])
def test_what_is_said_stands_under_a_label_or_as_of_a_lead(
    room: Room, name: str, me: str | None
) -> None:
    room.say(name, " Half of it.\n")
    (mine,), (theirs,) = room.by(name).messages, room.by("bob").messages
    assert (mine["author"], mine["text"]) == (me or room.by(name).me, "Half of it.")
    assert (mine["mine"], theirs["mine"]) == (True, False)


def test_lists_hold_what_a_person_may_see(tmp_path: Path) -> None:
    room = Room(tmp_path, items=2)
    numbers = {room.number, room.open("c1")}
    every, mine, none = (
        room.store.read_now(discussions_of, **about)
        for about in (
            {},
            {"task": room.task.name, "person": room.worked.person("ann")},
            {"person": room.worked.person("cy")},
        )
    )
    assert {one.id for one in every} == {one.id for one in mine} == numbers
    assert none == []
    assert {(one.key, one.messages) for one in every} == {("c0", 0), ("c1", 0)}


@pytest.mark.parametrize("make", [test_labels.task_of, test_maxims.task_of, test_write.task_of])
def test_what_is_only_counted_is_not_disputed(tmp_path: Path, make: Callable[[Path], Task]) -> None:
    task = make(tmp_path)
    asked = [one.id for one in kind_of(task).questions(task)]
    counts = [name for name in kind_of(task).counts if name in asked]
    assert counts
    assert [*counts, *(one.id for one in open_questions(task))] == asked


def test_what_was_settled_of_a_question_that_is_gone_is_not_shown(room: Room) -> None:
    room.settle(clear="2", gone="3")
    page = room.worked.client().get(f"/discussions/{room.number}").text
    assert "What the lead answered" in page
    assert 'name="gone"' not in page


def test_the_discussion_of_what_was_changed_goes_on_about_the_old_item(room: Room) -> None:
    before = room.by("ann")
    room.settle(clear="2", kind="3")
    reword(room.worked)
    after = room.by("ann")
    assert (after.key, after.answers) == ("c0~1", before.answers)
    assert isinstance(after.record, Conversation)
    assert after.record.turns[1].text == "Answer 0."
    assert {one.item for one in room.adjudicated()} == {"c0~1"}


def test_an_item_has_one_discussion(room: Room) -> None:
    assert room.open() == room.number


def test_an_item_that_one_rater_answered_has_nothing_to_settle(tmp_path: Path) -> None:
    write_project(tmp_path, items=1)
    worked = Worked(tmp_path)
    worked.rate("ann", lambda *_: two("1", "2"))
    for key, why in (("c0", "fewer than two raters"), ("none", "no item 'none'")):
        with pytest.raises(ConfigError, match=why):
            worked.store.write_now(open_discussion, worked.task, key, worked.person("ann"), 1.0)


def test_after_it_is_settled_nothing_more_is_said_until_it_is_opened_again(room: Room) -> None:
    assert room.adjudicated() == []
    room.settle(clear="2", kind="3")
    found = room.by("bob")
    assert (found.is_open, found.reason, found.closed) == (False, "Read twice.", 2.0)
    assert found.settled == {"clear": "2", "kind": "3"}
    check_settled(room.adjudicated())
    with pytest.raises(ConfigError, match="is settled"):
        room.say("ann", "But")
    with pytest.raises(ConfigError, match="is settled"):
        room.settle(clear="3", kind="2")
    room.store.write_now(reopen, room.by("lead"))
    assert (room.by("ann").is_open, room.by("ann").settled) == (True, {})
    assert room.adjudicated() == []


@pytest.mark.parametrize(
    ("text", "why"), [(" \n", "this has 0"), ("x" * (LONGEST + 1), "1 to 5,000")]
)
def test_a_message_has_words_and_is_not_endless(room: Room, text: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        room.say("ann", text)


def check_settled(rows: list[Judgment]) -> None:
    """What was settled is judgments with the answers and no name."""
    clear, kind = rows
    about = (clear.item, clear.judge, clear.question, clear.answer)
    assert about == ("c0", "adjudicated", "clear", "2")
    assert (kind.question, kind.answer, kind.at) == ("kind", "3", "1970-01-01T00:00:02+00:00")
    assert clear.details is not None
    assert clear.details.keys() == {"answers", "reason"}
    assert clear.details["reason"] == "Read twice."
    assert sorted(clear.details["answers"]) == ["Rater 1", "Rater 2"]
    assert "ann" not in str(clear)
