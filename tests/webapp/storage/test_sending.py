from __future__ import annotations

import pytest
from sqlalchemy import bindparam, insert, update
from sqlalchemy.exc import IntegrityError

from assize.webapp.storage import Store
from assize.webapp.storage.schema import people
from assize.webapp.storage.sending import Sent, send


def add(name: str) -> Sent:
    values = {"name": name, "role": "rater", "disabled": False, "created": 0.0}
    return insert(people).inline(), values


def test_statements_are_done_in_their_order(store: Store) -> None:
    rename = update(people).where(people.c.name == bindparam("old")).values(role="admin")
    store.write_now(send, add("ann"), (rename, {"old": "ann"}), add("bob"))
    with store.connect() as connection:
        found = connection.execute(people.select().order_by(people.c.id)).all()
    assert [(row.name, row.role) for row in found] == [("ann", "admin"), ("bob", "rater")]


def test_one_that_fails_fails_all(store: Store) -> None:
    with pytest.raises(IntegrityError):
        store.write_now(send, add("ann"), add("ann"), add("bob"))
    with store.connect() as connection:
        assert connection.execute(people.select()).all() == []
