"""What a person can take along: all of theirs, nothing of others, nothing that is hidden."""

from __future__ import annotations

import json
from pathlib import Path

from sqlalchemy import Connection, insert
from tests.web.accounts.conftest import NOW, AddPerson
from tests.web.accounts.projects import answered, consent, write_project

from assize.web._accounts.own_data import given_consents, own_data
from assize.web._storage.schema import chats, comments, messages


def test_all_that_a_person_wrote_is_there(
    connection: Connection, add: AddPerson, tmp_path: Path
) -> None:
    ana, project = add("Ana"), write_project(tmp_path)
    one = answered(connection, project, ana, NOW)
    consent(connection, ana, "I agree.", NOW)
    connection.execute(
        insert(comments).values(
            task=one.task,
            item=one.item,
            assignment=one.id,
            person=ana,
            kind="flag",
            text="odd",
            at=NOW,
        )
    )
    connection.execute(
        insert(chats).values(
            id="k",
            task=one.task,
            person=ana,
            topic={},
            systems=["secret-bot"],
            state="open",
            created=NOW,
        )
    )
    connection.execute(
        insert(messages).values(
            chat="k", place=0, side="", role="user", text="my words", state="whole", at=NOW
        )
    )
    found = own_data(connection, ana)
    assert (found["name"], found["role"], found["created"]) == ("Ana", "rater", NOW)
    assert found["consents"] == [{"task": "chats", "text": "I agree.", "at": NOW}]
    (answer,) = found["answers"]
    assert (answer["event"], answer["answers"], answer["at"]) == ("submit", {"Q0": "3"}, NOW + 5)
    assert [one["text"] for one in found["comments"]] == ["odd"]
    assert [one["text"] for one in found["chats"]] == ["my words"]
    assert json.loads(json.dumps(found)) == found


def test_what_raters_must_not_know_is_not_in_it(
    connection: Connection, add: AddPerson, tmp_path: Path
) -> None:
    ana, project = add("Ana"), write_project(tmp_path)
    answered(connection, project, ana, NOW)
    said = json.dumps(own_data(connection, ana))
    for hidden in ("bot", "c0", "password", "kept", "gold", "random", "expected"):
        assert hidden not in said


def test_others_are_not_in_it(connection: Connection, add: AddPerson, tmp_path: Path) -> None:
    ana, ben, project = add("Ana"), add("Ben"), write_project(tmp_path)
    answered(connection, project, ana, NOW)
    consent(connection, ana, "I agree.", NOW)
    found = own_data(connection, ben)
    assert [found[name] for name in ("consents", "answers", "comments", "chats")] == [[]] * 4
    assert given_consents(connection, ben) == []
