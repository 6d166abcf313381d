"""An item before a rater: what stands in the form."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.web.queue.rounds import assignment
from tests.web.raters.conftest import Place

from assize.web._queue import Assignment, save_draft
from assize.web._raters.work import Work, drafted, keep_late, last_of, work_on
from assize.web._storage.schema import assignments
from assize.web._tasks import kind_of


def chosen(work: Work) -> list[str]:
    (section,) = work.view.sections
    return [one.answer for one in section.fields[0].options if one.chosen]


def test_a_draft_stands_in_the_form_before_what_was_submitted(
    place: Place, ann: int, one: Assignment
) -> None:
    assert chosen(work_on(place.connection, place.task(), one)) == []
    assert last_of(place.connection, one.task, ann) is None
    place.answers(one, "3")
    last: Any = last_of(place.connection, one.task, ann)
    assert (last.assignment, last.revision) == (one.id, 1)
    done = assignment(place.connection, one.id, ann)
    work = work_on(place.connection, place.task(), done)
    assert (chosen(work), work.restored) == (["3"], False)
    save_draft(place.connection, place.task(), one.id, ann, done.revision, {"good": "1"}, now=20.0)
    work = work_on(place.connection, place.task(), assignment(place.connection, one.id, ann))
    assert (chosen(work), work.restored) == (["1"], True)


def test_a_proposal_stands_in_an_untouched_form_and_is_marked(place: Place, ann: int) -> None:
    one = replace(place.given(ann), suggestion={"good": "2", "other": "x"})
    work = work_on(place.connection, place.task(), one)
    marked = [one.suggested for one in work.view.sections[0].fields[0].options]
    assert (chosen(work), marked) == (["2"], [False, True, False])
    assert chosen(work_on(place.connection, place.task(), one, {"good": "3"})) == ["3"]


@pytest.mark.parametrize(
    ("posted", "kept"),
    [
        ({"good": ["1", "2"], "csrf": ["t"]}, {"good": "2"}),
        ({"good": ["nonsense"]}, {"good": "nonsense"}),
        ({"page.seconds": ["3"]}, {}),
    ],
)
def test_a_draft_holds_the_fields_of_the_form_unchecked(
    place: Place, posted: Any, kept: Any, one: Assignment
) -> None:
    form = kind_of(place.task()).form(place.task(), one.read())
    assert drafted(form, posted) == kept


def test_only_what_ran_out_keeps_late_answers(place: Place, ann: int, one: Assignment) -> None:
    assert not keep_late(place.connection, one.id, ann, {"good": "1"}, 5.0)
    place.connection.execute(assignments.update().values(state="expired"))
    assert not keep_late(place.connection, one.id, ann + 1, {"good": "1"}, 5.0)
    assert keep_late(place.connection, one.id, ann, {"good": "1"}, 5.0)
    assert assignment(place.connection, one.id, ann).draft == {"good": "1"}
