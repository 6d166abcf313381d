"""Past answers."""

from __future__ import annotations

from tests.web.raters.conftest import Place

from assize.web._queue import save_draft, skip, submit
from assize.web._queue.answer import send_back
from assize.web._raters.past import past


def test_past_answers_are_the_persons_own_newest_first(place: Place) -> None:
    ann, ben = place.person("ann"), place.person("ben")
    for now in (100.0, 200.0):
        place.answers(place.given(ann, now - 10), now=now)
    place.answers(place.given(ben, 290.0), now=300.0)
    found, total = past(place.connection, ann)
    assert [one.number for one in found] == [2, 1]
    assert total == 2
    assert found[1].begins == "Question 0 about something"


def test_a_skip_shows_its_reason_and_a_draft_that_it_does_not_count(place: Place) -> None:
    ann = place.person("ann")
    one = place.given(ann)
    skip(place.connection, place.task(), one.id, ann, one.revision, "unclear", now=10.0)
    two = place.given(ann, 20.0)
    save_draft(place.connection, place.task(), two.id, ann, two.revision, {"good": "1"}, now=30.0)
    found, _ = past(place.connection, ann)
    assert [(one.state, one.reason, one.drafted) for one in found] == [
        ("reserved", "", True),
        ("skipped", "unclear", False),
    ]


def test_what_a_proofreader_sent_back_says_so(place: Place) -> None:
    ann = place.person("ann")
    one = place.given(ann)
    place.answers(one)
    send_back(place.connection, place.task(), one.id, ann, 1, now=20.0)
    found, _ = past(place.connection, ann)
    assert [(each.state, each.sent_back) for each in found] == [("reserved", True)]
    submit(place.connection, place.task(), one.id, ann, 2, {"good": "1"}, now=30.0)
    assert not past(place.connection, ann)[0][0].sent_back


def test_an_item_that_was_only_opened_is_no_past_answer(place: Place) -> None:
    ann = place.person("ann")
    place.given(ann)
    assert past(place.connection, ann) == ([], 0)


def test_the_name_of_a_record_is_not_in_what_is_shown(place: Place) -> None:
    ann = place.person("ann")
    place.answers(place.given(ann))
    found, _ = past(place.connection, ann)
    assert "bot-7" not in repr(found)
