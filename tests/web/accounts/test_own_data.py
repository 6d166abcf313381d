"""What a person can take along: all of theirs, nothing of others, nothing that is hidden."""

from __future__ import annotations

import json
from pathlib import Path

from sqlalchemy import Connection
from tests.web.accounts.conftest import NOW, AddPerson
from tests.web.accounts.projects import answered, consent, write_project

from assize.simulate._topics_file import Topic
from assize.web._accounts.own_data import given_consents, own_data
from assize.web._raters.comments import add_comment
from assize.web._storage.chats import Chat, insert_chat, take_message


def test_all_that_a_person_wrote_is_there(connection: Connection, tmp_path: Path, ana: int) -> None:
    one = answered(connection, write_project(tmp_path), ana, NOW)
    consent(connection, ana, "I agree.", NOW)
    add_comment(connection, one, "flag", "odd", NOW)
    chat = Chat("k", one.task, ana, Topic("t", "keys"), ("secret-bot",), "open", NOW)
    insert_chat(connection, chat)
    take_message(connection, "k", "my words", NOW)
    found = own_data(connection, ana)
    assert (found["name"], found["role"], found["created"]) == ("Ana", "rater", NOW)
    assert found["consents"] == [{"task": "chats", "text": "I agree.", "at": NOW}]
    (answer,) = found["answers"]
    assert (answer["event"], answer["answers"], answer["at"]) == ("submit", {"Q0": "3"}, NOW + 5)
    assert [one["text"] for one in found["comments"]] == ["odd"]
    assert [one["text"] for one in found["chats"]] == ["my words", ""]
    assert json.loads(json.dumps(found)) == found


def test_what_raters_must_not_know_is_not_in_it(
    connection: Connection, tmp_path: Path, ana: int
) -> None:
    answered(connection, write_project(tmp_path), ana, NOW)
    said = json.dumps(own_data(connection, ana))
    for hidden in ("bot", "c0", "password", "kept", "gold", "random", "expected"):
        assert hidden not in said


def test_others_are_not_in_it(
    connection: Connection, add: AddPerson, tmp_path: Path, ana: int
) -> None:
    ben = add("Ben")
    answered(connection, write_project(tmp_path), ana, NOW)
    consent(connection, ana, "I agree.", NOW)
    found = own_data(connection, ben)
    assert [found[name] for name in ("consents", "answers", "comments", "chats")] == [[]] * 4
    assert given_consents(connection, ben) == []
