"""What a person can take along: all of theirs, nothing of others, nothing that is hidden."""

from __future__ import annotations

import json
from pathlib import Path

from sqlalchemy import Connection
from tests.web.accounts.conftest import NOW, AddPerson
from tests.web.accounts.projects import answered, consent, write_project

from assize.simulate._topics_file import Topic
from assize.web._accounts.own_data import own_data
from assize.web._raters.comments import add_comment
from assize.web._storage.chats import Chat, insert_chat, take_message


def test_all_that_a_person_wrote_is_there_and_nothing_hidden_or_of_others(
    connection: Connection, add: AddPerson, tmp_path: Path, ana: int
) -> None:
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
    said = json.dumps(found)
    assert json.loads(said) == found
    for hidden in ("bot", "c0", "password", "kept", "gold", "random", "expected"):
        assert hidden not in said
    bens = own_data(connection, add("Ben"))
    assert [bens[name] for name in ("consents", "answers", "comments", "chats")] == [[]] * 4
