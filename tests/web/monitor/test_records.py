from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select
from tests.web.monitor.worked import Worked, reword, two, write_project

from assize.base.conversation import Conversation
from assize.web._monitor import records
from assize.web._monitor.records import items_by_key, read_items
from assize.web._storage.schema import items


@pytest.fixture
def worked(tmp_path: Path) -> Worked:
    write_project(tmp_path, items=4)
    return Worked(tmp_path)


def test_items_are_found_by_their_ids_and_by_number(
    worked: Worked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "AT_ONCE", 3)
    with worked.store.connect() as connection:
        by_key = items_by_key(connection, worked.task)
        numbers = set(connection.scalars(select(items.c.id)))
        by_number = read_items(connection, numbers)
    assert sorted(by_key) == ["c0", "c1", "c2", "c3"]
    assert sorted(one.id for one in by_number.values()) == sorted(by_key)


def test_what_was_changed_since_is_there_as_it_was_by_its_number_alone(worked: Worked) -> None:
    worked.rate("ann", lambda *_: two("1", "2"))
    reword(worked)
    with worked.store.connect() as connection:
        number = connection.scalars(select(items.c.id).where(items.c.key == "c0~1")).one()
        before = read_items(connection, {number})[number]
        by_key = items_by_key(connection, worked.task)
    assert isinstance(before, Conversation)
    assert (before.id, before.turns[1].text) == ("c0~1", "Answer 0.")
    assert isinstance(by_key["c0"], Conversation)
    assert by_key["c0"].turns[1].text == "Another answer."
    assert "c0~1" not in by_key
