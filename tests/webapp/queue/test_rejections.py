from __future__ import annotations

from sqlalchemy import select
from tests.webapp.queue.office import ANNA, BEN, CARA, NO, YES, Office
from tests.webapp.tasks.test_write import TEXTS

from assize.conversation import Conversation
from assize.webapp.accounts.leaving import leave
from assize.webapp.exporting.ratings import ratings
from assize.webapp.exporting.records import editions_of, made_by
from assize.webapp.queue import Assignment, assignment, save_draft, set_state, skip
from assize.webapp.raters.comments import comments_on
from assize.webapp.storage.schema import assignments
from assize.webapp.tasks import Task

ANEW = {**TEXTS, "turn-0": "where can it be"}


def rejected(office: Office) -> tuple[Assignment, Assignment]:
    """The writer's assignment, gone back, and the proofreader's."""
    wrote = office.write(ANNA, TEXTS)
    office.passed()
    read = office.answer(office.reading, BEN, NO)
    assert office.passed() == 1
    return assignment(office.connection, wrote.id, ANNA), read


def firsts(office: Office, task: Task) -> list[str]:
    """The first turn of each record that leaves a task."""
    found = list(made_by(office.connection, task))
    office.connection.execution_options(stream_results=False, yield_per=None)  # it goes on to write
    return [one.turns[0].text for one in found if isinstance(one, Conversation)]


def states(office: Office, one: Assignment) -> str:
    return assignment(office.connection, one.id, one.person).state


def test_the_writer_gets_it_back_with_their_text_and_what_was_said(office: Office) -> None:
    mine, _ = rejected(office)
    assert (mine.state, mine.draft, mine.reserved_until) == ("reserved", TEXTS, None)
    said = [(one.person, one.text) for one in comments_on(office.connection, mine)]
    assert said == [("The proofreader", "too curt")]
    found = office.given(office.writing, ANNA)
    assert found is not None
    assert found.id == mine.id


def test_what_was_rejected_leaves_neither_task(office: Office) -> None:
    rejected(office)
    assert firsts(office, office.writing) == []
    assert firsts(office, office.reading) == []


def test_passing_on_again_changes_nothing(office: Office) -> None:
    mine, _ = rejected(office)
    assert office.passed() == 0
    assert len(comments_on(office.connection, mine)) == 1


def test_what_is_written_anew_goes_to_its_proofreader_first(office: Office) -> None:
    mine, read = rejected(office)
    office.change(office.writing, mine, ANEW)
    assert office.passed() == 1
    assert office.texts() == ["where can it be"]
    assert office.given(office.reading, ANNA) is None
    again = office.given(office.reading, BEN)
    assert again is not None
    assert (again.id, again.draft) == (read.id, None)
    assert again.record["turns"][0]["text"] == "where can it be"


def test_what_is_written_anew_goes_to_others_when_its_proofreader_takes_long(
    office: Office,
) -> None:
    mine, _ = rejected(office)
    office.change(office.writing, mine, ANEW)
    office.passed()
    office.now += 60 * office.reading.reserve_minutes + 1
    again = office.given(office.reading, CARA)
    assert again is not None
    assert again.record["turns"][0]["text"] == "where can it be"
    office.check()


def test_the_old_text_stays_with_its_rejection_in_the_history(office: Office) -> None:
    mine, _ = rejected(office)
    office.change(office.writing, mine, ANEW)
    office.passed()
    (before,) = editions_of(office.connection, office.reading)
    assert before.record["turns"][0]["text"] == "where is it"
    assert list(ratings(office.connection, office.reading)) == []


def test_what_is_accepted_then_leaves_both_tasks(office: Office) -> None:
    mine, _ = rejected(office)
    office.change(office.writing, mine, ANEW)
    office.passed()
    office.answer(office.reading, BEN, YES)
    assert office.passed() == 1  # to those who read after them
    assert firsts(office, office.writing) == firsts(office, office.reading) == ["where can it be"]


def test_it_may_be_rejected_and_written_anew_more_than_once(office: Office) -> None:
    mine, _ = rejected(office)
    office.change(office.writing, mine, ANEW)
    office.passed()
    office.answer(office.reading, BEN, {**NO, "comment": "still curt"})
    office.passed()
    mine = assignment(office.connection, mine.id, ANNA)
    said = [one.text for one in comments_on(office.connection, mine)]
    assert (mine.draft, said) == (ANEW, ["too curt", "still curt"])
    office.change(office.writing, mine, TEXTS)  # what was rejected first
    office.passed()
    assert office.texts() == ["where is it"]
    assert office.given(office.reading, BEN) is not None


def test_a_writer_may_stand_by_what_was_rejected(office: Office) -> None:
    mine, read = rejected(office)
    office.change(office.writing, mine, TEXTS)
    assert office.passed() == 0
    assert (states(office, mine), states(office, read)) == ("done", "done")
    assert firsts(office, office.writing) == ["where is it"]
    assert firsts(office, office.reading) == []


def test_a_rejection_that_is_undone_lets_the_text_hold_again(office: Office) -> None:
    mine, read = rejected(office)
    opened = office.undo(office.reading, read)
    assert office.passed() == 1
    assert firsts(office, office.writing) == ["where is it"]
    office.change(office.reading, opened, NO)
    assert office.passed() == 1
    assert states(office, mine) == "reserved"


def test_a_rejection_that_becomes_an_acceptance_lets_the_text_hold_again(office: Office) -> None:
    _, read = rejected(office)
    office.change(office.reading, read, YES)
    office.passed()
    assert firsts(office, office.writing) == firsts(office, office.reading) == ["where is it"]


def test_a_rejection_that_is_skipped_instead_leaves_the_text_to_others(office: Office) -> None:
    _, read = rejected(office)
    skip(
        office.connection, office.reading, read.id, BEN, read.revision, "cannot", now=office.now + 1
    )
    office.passed()
    assert firsts(office, office.writing) == ["where is it"]
    assert office.given(office.reading, CARA) is not None


def test_what_the_writer_began_to_change_stays_theirs(office: Office) -> None:
    mine, read = rejected(office)
    save_draft(
        office.connection, office.writing, mine.id, ANNA, mine.revision, ANEW, now=office.now + 1
    )
    office.undo(office.reading, read)
    assert office.passed() == 0
    assert assignment(office.connection, mine.id, ANNA).draft == ANEW


def test_what_was_changed_while_it_was_read_is_read_again(office: Office) -> None:
    wrote = office.write(ANNA, TEXTS)
    office.passed()
    one = office.given(office.reading, BEN)
    assert one is not None
    office.change(office.writing, wrote, ANEW)
    office.passed()
    office.change(office.reading, one, NO)
    assert office.passed() == 1
    assert office.texts() == ["where can it be"]
    assert states(office, wrote) == "done"


def test_what_its_writer_took_back_stays_with_them(office: Office) -> None:
    wrote = office.write(ANNA, TEXTS)
    office.passed()
    one = office.given(office.reading, BEN)
    assert one is not None
    office.undo(office.writing, wrote)
    done = office.change(office.reading, one, NO)
    office.passed()
    office.undo(office.reading, done)
    office.passed()
    assert states(office, wrote) == "reserved"


def test_a_closed_task_takes_nothing_back(office: Office) -> None:
    wrote = office.write(ANNA, TEXTS)
    office.passed()
    office.answer(office.reading, BEN, NO)
    set_state(office.connection, office.writing, "closed")
    assert office.passed() == 0
    assert states(office, wrote) == "done"
    set_state(office.connection, office.writing, "open")
    assert office.passed() == 1


def test_a_closed_task_reads_nothing_anew(office: Office) -> None:
    mine, _ = rejected(office)
    set_state(office.connection, office.reading, "closed")
    office.change(office.writing, mine, ANEW)
    assert (office.passed(), office.texts()) == (0, ["where is it"])
    set_state(office.connection, office.reading, "open")
    assert (office.passed(), office.texts()) == (1, ["where can it be"])


def test_others_get_the_brief_of_a_writer_who_left(office: Office) -> None:
    office.write(ANNA, TEXTS)
    office.write(CARA, {**TEXTS, "turn-0": "parcel?"})
    office.passed()
    both = [office.writing, office.reading, office.second]
    leave(office.connection, ANNA, office.now, "keep", both)
    office.answer(office.reading, BEN, NO)
    office.answer(office.reading, BEN, NO)
    assert office.passed() == 2
    assert office.given(office.writing, BEN) is not None


def test_what_the_second_reader_rejects_goes_back_step_by_step(office: Office) -> None:
    wrote = office.write(ANNA, TEXTS)
    office.passed()
    first = office.answer(office.reading, BEN, YES)
    office.passed()
    second = office.answer(office.second, CARA, {**NO, "comment": "unlikely"})
    office.passed()
    assert (states(office, first), states(office, wrote)) == ("reserved", "done")
    office.answer(office.reading, BEN, NO)
    office.passed()
    mine = assignment(office.connection, wrote.id, ANNA)
    office.change(office.writing, mine, ANEW)
    office.passed()
    office.answer(office.reading, BEN, YES)
    office.passed()
    again = office.given(office.second, CARA)
    assert again is not None
    assert (again.id, again.record["turns"][0]["text"]) == (second.id, "where can it be")
    assert not set(office.connection.scalars(select(assignments.c.state))) & {"expired"}
