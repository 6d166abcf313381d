"""Who leaves is not named any more, and their work goes or stays as was chosen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, inspect, select
from tests.web.accounts.conftest import NOW, AddPerson
from tests.web.accounts.projects import answered, consent, counts, given, write_project

from assize.web._accounts.invitations import invite
from assize.web._accounts.leaving import leave
from assize.web._accounts.people import NotPossible, person_of
from assize.web._queue import save_draft
from assize.web._raters.comments import add_comment
from assize.web._storage.schema import (
    METADATA,
    answers,
    assignments,
    chats,
    comments,
    items,
    messages,
    people,
)


def everything(connection: Connection) -> str:
    """The whole database as text."""
    return str(
        {name: connection.execute(select(table)).all() for name, table in METADATA.tables.items()}
    )


@pytest.fixture
def at_work(connection: Connection, add: AddPerson, tmp_path: Path) -> dict[str, Any]:
    """Annabel answered one item and has begun another; Ben answered the first too."""
    add("Lea", "admin")
    ana, ben, project = add("Annabel"), add("Ben"), write_project(tmp_path)
    done = answered(connection, project, ana, NOW)
    answered(connection, project, ben, NOW)
    begun = given(connection, project, ana, NOW + 10)
    save_draft(connection, project.tasks[0], begun.id, ana, 0, {"Q0": "1"}, now=NOW + 11)
    consent(connection, ana, "I agree.", NOW)
    for person in (ana, ben):
        add_comment(connection, replace(done, person=person), "comment", f"said by {person}", NOW)
    return {"ana": ana, "ben": ben, "project": project, "done": done}


def test_kept_answers_stand_under_a_pseudonym_and_others_get_what_was_begun(
    connection: Connection, at_work: dict[str, Any]
) -> None:
    assert counts(connection) == [("c0", 2, 2), ("c1", 1, 0), ("c2", 0, 0)]
    pseudonym = leave(connection, at_work["ana"], NOW + 20, "keep")
    assert "Annabel" not in everything(connection)
    found = connection.execute(
        select(people.c.name, answers.c.answers)
        .join(assignments, assignments.c.person == people.c.id)
        .join(answers, answers.c.assignment == assignments.c.id)
        .order_by(answers.c.id)
    ).all()
    assert found == [(pseudonym, {"Q0": "3"}), ("Ben", {"Q0": "3"})]
    assert counts(connection) == [("c0", 2, 2), ("c1", 0, 0), ("c2", 0, 0)]
    assert connection.scalars(select(assignments.c.draft)).all() == [None] * 3


def test_removed_answers_are_gone_and_no_row_points_at_who_left(
    connection: Connection, at_work: dict[str, Any]
) -> None:
    leave(connection, at_work["ana"], NOW + 20, "remove")
    said = everything(connection)
    assert "Annabel" not in said
    assert "I agree" not in said
    assert counts(connection) == [("c0", 1, 1), ("c1", 0, 0), ("c2", 0, 0)]
    assert set(connection.scalars(select(assignments.c.person))) == {at_work["ben"]}
    assert connection.scalars(select(comments.c.text)).all() == [f"said by {at_work['ben']}"]
    pointing: list[int | None] = []
    for table in inspect(connection).get_table_names():
        for key in inspect(connection).get_foreign_keys(table):
            if key["referred_table"] == "people":
                (column,) = key["constrained_columns"]
                found = select(METADATA.tables[table].c[column])
                pointing += connection.scalars(found).all()
    assert at_work["ana"] not in pointing


def chat(connection: Connection, at_work: dict[str, Any]) -> int:
    """A conversation that Annabel collected, which is an item now."""
    done = at_work["done"]
    record = {"id": "k", "turns": [], "metadata": {"rater": "Annabel", "topic": "bees"}}
    row = insert(items).values(
        task=done.task, key="k", origin="collected", rank=0.5, place=9, hash="", record=record
    )
    item = int(connection.execute(row.returning(items.c.id)).scalar_one())
    given = insert(assignments).values(
        task=done.task,
        item=item,
        person=at_work["ana"],
        draw=9,
        state="withdrawn",
        chosen="collected",
        version=1,
        created=NOW,
        touched=NOW,
    )
    number = connection.execute(given.returning(assignments.c.id)).scalar_one()
    connection.execute(
        insert(chats).values(
            id="k",
            task=done.task,
            person=at_work["ana"],
            assignment=number,
            topic={},
            systems=["bot"],
            state="ended",
            created=NOW,
        )
    )
    connection.execute(
        insert(messages).values(chat="k", place=0, role="user", text="hi", state="whole", at=NOW)
    )
    return item


def test_a_collected_conversation_goes_with_its_words(
    connection: Connection, at_work: dict[str, Any]
) -> None:
    item = chat(connection, at_work)
    leave(connection, at_work["ana"], NOW + 20, "remove")
    assert connection.execute(select(chats)).all() == []
    assert connection.execute(select(messages)).all() == []
    assert connection.execute(select(items).where(items.c.id == item)).first() is None


def test_a_collected_conversation_that_is_kept_names_the_pseudonym(
    connection: Connection, at_work: dict[str, Any]
) -> None:
    item = chat(connection, at_work)
    pseudonym = leave(connection, at_work["ana"], NOW + 20, "keep")
    (record,) = connection.scalars(select(items.c.record).where(items.c.id == item)).all()
    assert record["metadata"] == {"rater": pseudonym, "topic": "bees"}


def test_a_name_that_was_promised_to_another_stays_promised(
    connection: Connection, add: AddPerson, at_work: dict[str, Any]
) -> None:
    cleo = add("Cleo")
    invite(connection, NOW, name="Cleopatra")
    leave(connection, cleo, NOW, "keep")
    assert "Cleopatra" in everything(connection)


def test_nobody_leaves_twice(connection: Connection, at_work: dict[str, Any]) -> None:
    leave(connection, at_work["ana"], NOW, "keep")
    with pytest.raises(NotPossible):
        leave(connection, at_work["ana"], NOW, "remove")
    found: Any = person_of(connection, at_work["ana"])
    assert found.deleted == NOW
