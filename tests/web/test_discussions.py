"""Discussions: who takes part, what was said, how they end, and what leads' answers become."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import update
from tests.web.monitor.worked import Worked, reword, two, write_project
from tests.web.tasks import test_check_labels as test_labels
from tests.web.tasks import test_maxims, test_write

from assize.base.conversation import Conversation
from assize.base.errors import ConfigError
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
from assize.web._queue import Assignment, withdraw
from assize.web._queue.assignment import select_assignments, to_assignment
from assize.web._storage.schema import discussions
from assize.web._tasks import Task, kind_of

SAID = {"ann": two("1", "2"), "bob": two("4", "2"), "cy": two("1", "2")}


@pytest.fixture
def worked(tmp_path: Path) -> Worked:
    write_project(tmp_path, items=2)
    found = Worked(tmp_path)
    for name in ("ann", "bob"):
        found.rate(name, lambda who, _: SAID[who])
    return found


def opened(worked: Worked, key: str = "c0") -> int:
    lead = worked.person("lead", "admin")
    return worked.store.write_now(open_discussion, worked.task, key, lead, worked.now)


def seen(worked: Worked, number: int, name: str, *, lead: bool = False) -> Discussion | None:
    with worked.store.connect() as connection:
        return discussion(connection, worked.project.tasks, number, worked.person(name), lead=lead)


def whole(worked: Worked, number: int, name: str, *, lead: bool = False) -> Discussion:
    found = seen(worked, number, name, lead=lead)
    assert found is not None
    return found


def test_raters_see_answers_under_labels_and_no_name(worked: Worked) -> None:
    number = opened(worked)
    found = whole(worked, number, "ann")
    assert sorted(found.answers["clear"].values()) == ["1", "4"]
    assert found.answers["clear"][found.me] == "1"
    assert found.raters == ["Rater 1", "Rater 2"]
    assert {found.me, whole(worked, number, "bob").me} == {"Rater 1", "Rater 2"}
    assert [one.id for one in found.disputed] == ["clear"]
    for name in ("ann", "bob"):
        assert name not in str(found)


def test_who_has_not_answered_sees_nothing_until_they_have(worked: Worked) -> None:
    number = opened(worked)
    assert seen(worked, number, "cy") is None
    worked.rate("cy", lambda who, _: SAID[who])
    assert whole(worked, number, "cy").me == "Rater 3"


def test_whose_answer_is_taken_back_is_out_and_labels_stay(worked: Worked) -> None:
    number = opened(worked)
    before = whole(worked, number, "ann").me
    one = _of(worked, "bob", "c0")
    worked.store.write_now(withdraw, worked.task, one.id, worked.now)
    assert seen(worked, number, "bob") is None
    found = whole(worked, number, "ann")
    assert (found.me, found.raters) == (before, [before])
    worked.rate("cy", lambda who, _: SAID[who])
    assert whole(worked, number, "cy").me == "Rater 3"


def test_labels_tell_nothing_about_who_was_first(tmp_path: Path) -> None:
    write_project(tmp_path, items=30)
    worked = Worked(tmp_path)
    for name in ("ann", "bob"):
        worked.rate(name, lambda who, _: SAID[who])
    ann = worked.person("ann")
    labels = []
    for place in range(30):
        number = opened(worked, f"c{place}")
        with worked.store.connect() as connection:
            row = connection.execute(_ROWS.where(discussions.c.id == number)).one()
            labels.append(label_raters(connection, row)[ann])
    assert 6 <= labels.count("Rater 1") <= 24  # of 30; outside the chance is below 1 in 500


def test_leads_see_every_discussion_and_are_called_so(worked: Worked) -> None:
    number = opened(worked)
    lead = worked.person("lead", "admin")
    found = whole(worked, number, "lead", lead=True)
    worked.store.write_now(say, found, lead, "Look again.", worked.now)
    message = whole(worked, number, "ann").messages[0]
    assert [message[name] for name in ("author", "text", "mine")] == ["Lead", "Look again.", False]


def test_what_a_rater_said_stands_under_their_label(worked: Worked) -> None:
    number = opened(worked)
    found = whole(worked, number, "ann")
    worked.store.write_now(say, found, worked.person("ann"), " Half of it.\n", worked.now)
    (mine,) = whole(worked, number, "ann").messages
    (theirs,) = whole(worked, number, "bob").messages
    assert [mine[name] for name in ("author", "text", "mine")] == [found.me, "Half of it.", True]
    assert not theirs["mine"]


def test_there_is_no_discussion_where_the_number_is_none(worked: Worked) -> None:
    assert seen(worked, 99, "ann") is None


def test_lists_hold_what_a_person_may_see(worked: Worked) -> None:
    first, second = opened(worked), opened(worked, "c1")
    with worked.store.connect() as connection:
        every = discussions_of(connection)
        mine = discussions_of(connection, task=worked.task.name, person=worked.person("ann"))
        none = discussions_of(connection, person=worked.person("cy"))
    assert {one.id for one in every} == {one.id for one in mine} == {first, second}
    assert none == []
    assert [(one.key, one.messages) for one in every if one.id == first] == [("c0", 0)]


@pytest.mark.parametrize("make", [test_labels.task_of, test_maxims.task_of, test_write.task_of])
def test_what_is_only_counted_is_not_disputed(tmp_path: Path, make: Callable[[Path], Task]) -> None:
    task = make(tmp_path)
    asked = [one.id for one in kind_of(task).questions(task)]
    counts = [name for name in kind_of(task).counts if name in asked]
    open_ones = [one.id for one in open_questions(task)]
    assert counts
    assert [*counts, *open_ones] == asked


def test_what_was_settled_of_a_question_that_is_gone_is_not_shown(worked: Worked) -> None:
    number = opened(worked)
    gone = update(discussions).values(
        state="settled", answers={"clear": "2", "gone": "3"}, settled=worked.now
    )
    worked.store.write_now(lambda connection: connection.execute(gone))
    page = worked.client().get(f"/discussions/{number}").text
    assert "What the lead answered" in page
    assert 'name="gone"' not in page


def _of(worked: Worked, name: str, key: str) -> Assignment:
    person = worked.person(name)
    with worked.store.connect() as connection:
        rows = [to_assignment(row) for row in connection.execute(select_assignments())]
    return next(one for one in rows if (one.person, one.key) == (person, key))


def test_the_discussion_of_what_was_changed_goes_on_about_the_old_item(worked: Worked) -> None:
    number = opened(worked)
    before = whole(worked, number, "ann")
    reword(worked)
    after = whole(worked, number, "ann")
    assert (after.key, after.answers) == ("c0~1", before.answers)
    assert isinstance(after.record, Conversation)
    assert after.record.turns[1].text == "Answer 0."


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
    assert (found.is_open, found.reason, found.closed) == (False, "Read twice.", 2.0)
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


@pytest.mark.parametrize(
    ("text", "why"), [(" \n", "this has 0"), ("x" * (LONGEST + 1), "1 to 5,000")]
)
def test_a_message_has_words_and_is_not_endless(room: Room, text: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        room.say("ann", text)


def test_what_was_settled_is_judgments_with_the_answers_and_no_name(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.settle(clear="2", kind="3")
    with room.worked.store.connect() as connection:
        clear, kind = adjudicated(connection, room.worked.task)
    assert (clear.item, clear.judge, clear.question, clear.answer) == (
        "c0",
        "adjudicated",
        "clear",
        "2",
    )
    assert (kind.question, kind.answer, kind.at) == ("kind", "3", "1970-01-01T00:00:02+00:00")
    assert clear.details is not None
    assert clear.details.keys() == {"answers", "reason"}
    assert clear.details["reason"] == "Read twice."
    assert sorted(clear.details["answers"]) == ["Rater 1", "Rater 2"]
    assert "ann" not in str(clear)


def test_what_is_open_makes_no_judgment(tmp_path: Path) -> None:
    room = Room(tmp_path)
    with room.worked.store.connect() as connection:
        assert adjudicated(connection, room.worked.task) == []
    room.settle(clear="2", kind="3")
    room.worked.store.write_now(reopen, room.by("lead"))
    with room.worked.store.connect() as connection:
        assert adjudicated(connection, room.worked.task) == []


def test_what_was_settled_before_the_item_was_changed_stays_with_the_old_one(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path)
    room.settle(clear="2", kind="3")
    reword(room.worked)
    with room.worked.store.connect() as connection:
        found = adjudicated(connection, room.worked.task)
    assert {one.item for one in found} == {"c0~1"}
