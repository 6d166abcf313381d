from __future__ import annotations

from tests.webapp.queue.office import ANNA, BEN, NO, YES, Office
from tests.webapp.tasks.test_write import TEXTS

from assize.webapp.queue import undo
from assize.webapp.queue.written import sent_back, written


def test_only_what_holds_counts_as_written(office: Office) -> None:
    done = office.write(ANNA, TEXTS)
    assert [one.writer for one in written(office.connection, office.writing)] == [ANNA]
    undo(office.connection, office.writing, done.id, ANNA, done.revision, now=office.now + 1)
    assert written(office.connection, office.writing) == []


def test_what_a_proofreader_let_through_names_all_who_had_a_hand_in_it(office: Office) -> None:
    office.write(ANNA, TEXTS)
    office.passed()
    done = office.answer(office.reading, BEN, YES)
    (one,) = written(office.connection, office.reading)
    assert (one.writer, one.before, one.assignment) == (BEN, frozenset({ANNA}), done.id)


def test_what_was_rejected_is_not_written_until_it_is_submitted_again(office: Office) -> None:
    done = office.write(ANNA, TEXTS)
    office.passed()
    office.answer(office.reading, BEN, NO)
    office.passed()
    assert written(office.connection, office.writing) == []
    (one,) = sent_back(office.connection, office.writing)
    assert (one.assignment, one.answers, one.draft) == (done.id, TEXTS, TEXTS)


def test_what_a_writer_undid_was_not_sent_back(office: Office) -> None:
    office.undo(office.writing, office.write(ANNA, TEXTS))
    assert sent_back(office.connection, office.writing) == []
