"""A rater's tasks: how far they are, and what waits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import func, insert, select
from tests.web.collect.conftest import SYSTEMS, make_project
from tests.web.raters.conftest import Place

from assize.simulate._topics_file import Topic
from assize.web._collect.ending import end_chat
from assize.web._queue import Assignment, next_assignment, read_participant, skip, sync_task
from assize.web._raters.home import COUNTED, Progress, agree, card, cards
from assize.web._storage.chats import Chat, insert_chat, interrupt, take_message, update_chat
from assize.web._storage.schema import consents, discussions
from assize.web._tasks import Task


def test_progress_counts_what_is_left_for_this_person(place: Place, ann: int, ben: int) -> None:
    place.answers(place.given(ann))
    mine = card(place.connection, place.task(), ann).progress
    assert (mine.done, mine.left, mine.open) == (1, 3, True)
    assert card(place.connection, place.task(), ben).progress.left == 2


@pytest.mark.parametrize("place", ["items_per_rater: 2\n"], indirect=True)
def test_no_more_is_left_than_a_share(place: Place, ann: int, ben: int) -> None:
    place.answers(place.given(ann))
    mine = card(place.connection, place.task(), ann)
    assert (mine.progress.done, mine.progress.left, mine.ended) == (1, 1, None)
    place.answers(place.given(ann))
    mine = card(place.connection, place.task(), ann)
    assert (mine.progress.done, mine.progress.left, mine.ended) == (2, 0, "allowance")
    assert card(place.connection, place.task(), ben).progress.left == 2


def test_who_found_nothing_is_not_thanked(place: Place, ann: int, ben: int) -> None:
    while isinstance(next_assignment(place.connection, place.task(), ann, 0.0), Assignment):
        place.answers(place.given(ann))
    assert card(place.connection, place.task(), ann).waits == ["All done, thank you!"]
    assert card(place.connection, place.task(), ben).waits == ["There is nothing for you here yet."]


def test_many_items_are_not_counted_to_the_end() -> None:
    assert Progress(1, 0, COUNTED).words == "1 of 2,001 or more answered"
    assert Progress(3, 0, 0).words == "3 answered"


@pytest.mark.parametrize("place", ["raters: [ann]\n"], indirect=True)
def test_a_task_is_shown_only_to_those_who_are_invited(place: Place, ann: int, ben: int) -> None:
    assert len(cards(place.connection, place.project.tasks, ann)) == 1
    assert cards(place.connection, place.project.tasks, ben) == []


@pytest.mark.parametrize("place", ["consent: We keep this.\n"], indirect=True)
def test_consent_is_kept_word_for_word_and_once(place: Place, ann: int) -> None:
    task = place.task()
    asked = ["Your consent is asked for first."]
    assert card(place.connection, task, ann).waits == asked
    assert not agree(place.connection, task, ann, "We keep nothing.", 5.0)
    assert agree(place.connection, task, ann, "We keep this.", 5.0)
    assert agree(place.connection, task, ann, "We keep this.", 6.0)
    kept = place.connection.execute(select(consents.c.text, consents.c.at)).all()
    assert [tuple(one) for one in kept] == [("We keep this.", 5.0)]
    assert card(place.connection, task, ann).may_work
    assert card(place.connection, replace(task, consent="We keep more."), ann).waits == asked


def test_only_who_answered_an_item_is_told_of_its_discussion(
    place: Place, ann: int, ben: int
) -> None:
    one = place.given(ann)
    place.answers(one)
    place.connection.execute(
        insert(discussions).values(
            task=one.task, item=one.item, state="open", opened_by=ben, opened=20.0
        )
    )
    number = place.connection.execute(select(func.max(discussions.c.id))).scalar_one()
    assert list(card(place.connection, place.task(), ann).discussions) == [number]
    assert list(card(place.connection, place.task(), ben).discussions) == []


def talking(place: Place, person: int, items_per_rater: int) -> tuple[Task, Chat]:
    """A task that collects, of which the person has rated one conversation, and an open chat."""
    task = replace(make_project(place.project.folder, SYSTEMS), items_per_rater=items_per_rater)
    sync_task(place.connection, task, 0.0)
    number = read_participant(place.connection, task, person).task
    for id in ("first", "second"):
        chat = Chat(id, number, person, Topic("keys", "rotate keys"), ("DS1",), "open", 1.0)
        insert_chat(place.connection, chat)
        if id == "first":
            take_message(place.connection, id, "How?", 1.0)
            interrupt(place.connection, id)
            given = end_chat(place.connection, task, id, 1, 2.0)
            skip(place.connection, task, given, person, 0, "no", now=3.0)
    return task, chat


def test_who_has_done_their_share_is_offered_no_other_conversation(place: Place, ann: int) -> None:
    task, chat = talking(place, ann, 1)
    assert card(place.connection, task, ann).may_work  # one is under way
    update_chat(place.connection, chat.id, state="ended", ended=4.0)
    found = card(place.connection, task, ann)
    assert (found.ended, found.may_work) == ("allowance", False)
    assert card(place.connection, task, ann, "finished").ended == "allowance"
    assert card(place.connection, replace(task, items_per_rater=2), ann).may_work
