from __future__ import annotations

from tests.web.queue.office import ANNA, Office
from tests.web.tasks.test_write import TEXTS

from assize.web._queue.written import written


def test_only_what_holds_counts_as_written(office: Office) -> None:
    done = office.write(ANNA, TEXTS)
    ((_, form),) = written(office.connection, office.writing)
    assert (form.person, form.id, form.revision) == (ANNA, done.id, done.revision)
    office.undo(office.writing, done)
    assert list(written(office.connection, office.writing)) == []
