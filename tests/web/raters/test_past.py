"""Past answers."""

from __future__ import annotations

from tests.web.raters.conftest import Place

from assize.web._queue import Assignment, save_draft, skip, submit
from assize.web._queue.answer import send_back
from assize.web._raters.past import past


def test_past_answers_are_the_persons_own_newest_first(place: Place, ann: int, ben: int) -> None:
    for now in (100.0, 200.0):
        place.answers(place.given(ann, now - 10), now=now)
    place.answers(place.given(ben, 290.0), now=300.0)
    place.given(ann, 310.0)  # only opened
    found, total = past(place.connection, ann)
    assert [row.draw for row in found] == [1, 0]
    assert total == 2
    assert found[1].record["turns"][0]["text"] == "Question 0\nabout something"


def test_a_skip_shows_its_reason_and_a_draft_that_it_does_not_count(
    place: Place, ann: int, one: Assignment
) -> None:
    skip(place.connection, place.task(), one.id, ann, one.revision, "unclear", now=10.0)
    two = place.given(ann, 20.0)
    save_draft(place.connection, place.task(), two.id, ann, two.revision, {"good": "1"}, now=30.0)
    found, _ = past(place.connection, ann)
    assert [(row.state, row.reason, row.draft) for row in found] == [
        ("reserved", None, {"good": "1"}),
        ("skipped", "unclear", None),
    ]


def test_what_a_proofreader_sent_back_says_so(place: Place, ann: int, one: Assignment) -> None:
    place.answers(one)
    send_back(place.connection, place.task(), one.id, ann, 1, now=20.0)
    found, _ = past(place.connection, ann)
    assert [(row.state, row.event) for row in found] == [("reserved", "return")]
    submit(place.connection, place.task(), one.id, ann, 2, {"good": "1"}, now=30.0)
    assert past(place.connection, ann)[0][0].event == "submit"
