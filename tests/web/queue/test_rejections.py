from __future__ import annotations

import pytest
from tests.web.queue.office import ANNA, BEN, CARA, NO, YES, Office
from tests.web.queue.rounds import assignment
from tests.web.tasks.test_write import TEXTS

from assize.base.conversation import Conversation
from assize.base.errors import ConfigError
from assize.web._accounts.leaving import leave
from assize.web._exporting.ratings import ratings
from assize.web._exporting.records import made_by
from assize.web._queue import Assignment, Gone, set_state, skip
from assize.web._raters.comments import comments_on
from assize.web._tasks import Task

ANEW = {**TEXTS, "turn-0": "where can it be"}


@pytest.fixture
def read(office: Office, written: Assignment) -> Assignment:
    """What Ben rejected of Anna's."""
    rejected = office.answer(office.reading, BEN, NO)
    assert office.passed() == 0
    return rejected


@pytest.fixture
def mine(office: Office, written: Assignment, read: Assignment) -> Assignment:
    """What Anna wrote, once the lead has sent it back."""
    office.send_back(read.item)
    assert office.passed() == 0
    return assignment(office.connection, written.id, ANNA)


def firsts(office: Office, task: Task) -> list[str]:
    """The first turn of each record that leaves a task."""
    found = list(made_by(office.connection, task))
    office.connection.execution_options(stream_results=False, yield_per=None)  # it goes on to write
    return [one.turns[0].text for one in found if isinstance(one, Conversation)]


def states(office: Office, one: Assignment) -> str:
    return assignment(office.connection, one.id, one.person).state


def test_nothing_goes_back_by_itself(office: Office, written: Assignment, read: Assignment) -> None:
    assert states(office, written) == "done"
    assert firsts(office, office.writing) == ["where is it"]
    assert firsts(office, office.reading) == []
    (one,) = office.rejected()
    assert (one.item, one.name, one.answers["comment"]) == (read.item, "ben", "too curt")


def test_the_writer_gets_it_back_with_their_text_and_what_was_said(
    office: Office, mine: Assignment
) -> None:
    assert (mine.state, mine.draft, mine.reserved_until) == ("reserved", TEXTS, None)
    said = [(one.person, one.text) for one in comments_on(office.connection, mine)]
    assert said == [("The proofreader", "too curt")]
    assert office.given(office.writing, ANNA).id == mine.id
    assert firsts(office, office.writing) == []


def test_what_is_written_anew_is_an_item_of_its_own(
    office: Office, read: Assignment, mine: Assignment
) -> None:
    office.change(office.writing, mine, ANEW)
    assert office.passed() == 1
    assert office.texts() == ["where can it be"]
    assert office.rejected() == []
    assert office.given(office.reading, ANNA) is None
    again = office.given(office.reading, BEN)
    assert (again.key, again.record["turns"][0]["text"]) == (read.key, "where can it be")
    assert again.id != read.id


def test_the_old_text_keeps_its_rejection(
    office: Office, read: Assignment, mine: Assignment
) -> None:
    office.change(office.writing, mine, ANEW)
    office.passed()
    office.answer(office.reading, CARA, YES)
    found = [
        (one.item, one.judge, one.answer) for one in ratings(office.connection, office.reading)
    ]
    assert sorted(found) == [(read.key, "cara", "accepted"), (f"{read.key}~1", "ben", "rejected")]
    assert firsts(office, office.writing) == firsts(office, office.reading) == ["where can it be"]


def test_it_may_be_rejected_and_written_anew_more_than_once(
    office: Office, mine: Assignment
) -> None:
    office.change(office.writing, mine, ANEW)
    office.passed()
    second = office.answer(office.reading, BEN, {**NO, "comment": "still curt"})
    office.send_back(second.item)
    again = assignment(office.connection, mine.id, ANNA)
    said = [one.text for one in comments_on(office.connection, again)]
    assert (again.draft, said) == (ANEW, ["too curt", "still curt"])
    office.change(office.writing, again, TEXTS)  # what was rejected first
    office.passed()
    assert office.texts() == ["where is it"]
    assert office.given(office.reading, BEN) is not None


def test_a_writer_may_stand_by_what_was_rejected(
    office: Office, read: Assignment, mine: Assignment
) -> None:
    office.change(office.writing, mine, TEXTS)
    assert office.passed() == 0
    assert (states(office, mine), states(office, read)) == ("done", "done")
    assert firsts(office, office.writing) == ["where is it"]
    assert firsts(office, office.reading) == []
    assert len(office.rejected()) == 1


def test_a_rejection_that_is_undone_is_none(office: Office, read: Assignment) -> None:
    opened = office.undo(office.reading, read)
    assert office.rejected() == []
    office.change(office.reading, opened, NO)
    assert len(office.rejected()) == 1


def test_a_rejection_that_becomes_an_acceptance_lets_the_text_leave(
    office: Office, read: Assignment
) -> None:
    office.change(office.reading, read, YES)
    office.passed()
    assert firsts(office, office.writing) == firsts(office, office.reading) == ["where is it"]


def test_a_rejection_that_is_skipped_instead_leaves_the_text_to_others(
    office: Office, read: Assignment
) -> None:
    skip(
        office.connection, office.reading, read.id, BEN, read.revision, "cannot", now=office.now + 1
    )
    office.passed()
    assert office.given(office.reading, CARA) is not None


def test_what_its_writer_took_back_is_not_sent_back(
    office: Office, written: Assignment, read: Assignment
) -> None:
    office.undo(office.writing, written)
    office.passed()
    assert office.rejected() == []
    with pytest.raises(ConfigError, match="its writer has not taken back"):
        office.send_back(read.item)


def test_nothing_goes_back_to_a_closed_task(
    office: Office, written: Assignment, read: Assignment
) -> None:
    set_state(office.connection, office.writing, "closed")
    with pytest.raises(Gone, match="closed"):
        office.send_back(read.item)
    assert states(office, written) == "done"


def test_others_get_the_brief_of_a_writer_who_left(office: Office) -> None:
    office.write(ANNA, TEXTS)
    office.write(CARA, {**TEXTS, "turn-0": "parcel?"})
    office.passed()
    leave(office.connection, ANNA, office.now, "keep")
    for _ in range(2):
        office.answer(office.reading, BEN, NO)
    for one in office.rejected():
        office.send_back(one.item)
    assert office.given(office.writing, BEN) is not None
