"""What raters say about an item: their own thread, and what leads reply."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.web.raters.conftest import Place

from assize.base.errors import DataError
from assize.web._queue import Assignment, submit, undo
from assize.web._queue.answer import send_back
from assize.web._raters.comments import LONGEST, add_comment, comments_on, why_sent_back


def test_the_same_words_sent_twice_are_kept_once(place: Place, one: Assignment) -> None:
    assert add_comment(place.connection, one, "comment", " odd ", 1.0)
    assert not add_comment(place.connection, one, "comment", "odd", 2.0)
    assert [said.text for said in comments_on(place.connection, one)] == ["odd"]


@pytest.mark.parametrize("place", ["raters_per_item: 2\n"], indirect=True)
def test_other_raters_words_about_the_item_are_not_in_the_thread(
    place: Place, ben: int, one: Assignment
) -> None:
    lead, theirs = place.person("lea", "admin"), place.given(ben)
    assert one.item == theirs.item
    add_comment(place.connection, one, "flag", "names a person", 1.0)
    add_comment(place.connection, theirs, "comment", "bad reply", 2.0)
    add_comment(place.connection, replace(one, person=lead), "comment", "thank you", 3.0)
    found = [(said.person, said.kind, said.text) for said in comments_on(place.connection, one)]
    assert found == [("ann", "flag", "names a person"), ("lea", "comment", "thank you")]


@pytest.mark.parametrize("text", ["  ", "x" * (LONGEST + 1)])
def test_nothing_and_too_much_are_refused(place: Place, text: str, one: Assignment) -> None:
    with pytest.raises(DataError):
        add_comment(place.connection, one, "comment", text, 1.0)


def test_what_was_sent_back_says_why_until_it_is_submitted_again(
    place: Place, ann: int, ben: int, one: Assignment
) -> None:
    about = (place.connection, place.task(), one.id, ann)
    assert why_sent_back(place.connection, one) is None
    submit(*about, 0, {"good": "3"}, now=1.0)
    back = send_back(*about, 1, now=2.0)
    assert why_sent_back(place.connection, back) == ""
    add_comment(place.connection, replace(one, person=ben), "comment", "too curt", 2.0)
    assert why_sent_back(place.connection, back) == "too curt"
    (said,) = comments_on(place.connection, back)
    assert (said.person, said.text) == ("The proofreader", "too curt")
    assert why_sent_back(place.connection, submit(*about, 2, {"good": "2"}, now=3.0)) is None
    assert why_sent_back(place.connection, undo(*about, 3, now=4.0)) is None
