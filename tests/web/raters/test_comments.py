"""What raters say about an item: their own thread, and what leads reply."""

from __future__ import annotations

import pytest
from sqlalchemy import insert
from tests.web.raters.conftest import Place

from assize.base.errors import DataError
from assize.web._queue import submit, undo
from assize.web._queue.answer import send_back
from assize.web._raters.comments import LONGEST, add_comment, comments_on, why_sent_back
from assize.web._storage.schema import comments


def test_the_same_words_sent_twice_are_kept_once(place: Place) -> None:
    one = place.given(place.person("ann"))
    assert add_comment(place.connection, one, "comment", " odd ", 1.0)
    assert not add_comment(place.connection, one, "comment", "odd", 2.0)
    assert [said.text for said in comments_on(place.connection, one)] == ["odd"]


@pytest.mark.parametrize("place", ["raters_per_item: 2\n"], indirect=True)
def test_other_raters_words_about_the_item_are_not_in_the_thread(place: Place) -> None:
    ann, ben, lead = place.person("ann"), place.person("ben"), place.person("lea", "admin")
    mine, theirs = place.given(ann), place.given(ben)
    assert mine.item == theirs.item
    add_comment(place.connection, mine, "flag", "names a person", 1.0)
    add_comment(place.connection, theirs, "comment", "bad reply", 2.0)
    place.connection.execute(
        insert(comments).values(
            task=mine.task,
            item=mine.item,
            assignment=mine.id,
            person=lead,
            kind="comment",
            text="thank you",
            at=3.0,
        )
    )
    found = [(one.person, one.kind, one.text) for one in comments_on(place.connection, mine)]
    assert found == [("ann", "flag", "names a person"), ("lea", "comment", "thank you")]


@pytest.mark.parametrize("text", ["  ", "x" * (LONGEST + 1)])
def test_nothing_and_too_much_are_refused(place: Place, text: str) -> None:
    one = place.given(place.person("ann"))
    with pytest.raises(DataError):
        add_comment(place.connection, one, "comment", text, 1.0)


def test_what_was_sent_back_says_why_until_it_is_submitted_again(place: Place) -> None:
    ann, ben = place.person("ann"), place.person("ben")
    one, task = place.given(ann), place.task()
    about = (place.connection, task, one.id, ann)
    assert why_sent_back(place.connection, one) is None
    submit(*about, 0, {"good": "3"}, now=1.0)
    back = send_back(*about, 1, now=2.0)
    assert why_sent_back(place.connection, back) == ""
    place.connection.execute(
        insert(comments).values(
            task=one.task,
            item=one.item,
            assignment=one.id,
            person=ben,
            kind="comment",
            text="too curt",
            at=2.0,
        )
    )
    assert why_sent_back(place.connection, back) == "too curt"
    (said,) = comments_on(place.connection, back)
    assert (said.person, said.text) == ("The proofreader", "too curt")
    assert why_sent_back(place.connection, submit(*about, 2, {"good": "2"}, now=3.0)) is None
    assert why_sent_back(place.connection, undo(*about, 3, now=4.0)) is None
