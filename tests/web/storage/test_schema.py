from __future__ import annotations

import pytest
from sqlalchemy import Table, create_engine, insert, select
from sqlalchemy.exc import IntegrityError

from assize.web._storage.engine import make_engine
from assize.web._storage.schema import METADATA, items, people, storable, tasks


@pytest.mark.parametrize(
    ("given", "kept"),
    [("plain", "plain"), ("a\nb\té", "a\nb\té"), ("a\x00b", "a\ufffdb"), ("\ud800", "\ufffd")],
)
def test_text_is_kept_but_for_what_postgresql_cannot_hold(given: str, kept: str) -> None:
    assert storable(given) == kept


def test_json_comes_back_as_it_was_whatever_its_characters() -> None:
    record = {"id": "c\x00", "turns": [{"text": "\ud800é"}], "n": [1, 2.5, None, True]}
    engine = create_engine("sqlite://")
    METADATA.create_all(engine)
    with engine.begin() as connection:
        connection.execute(insert(tasks).values(name="t", kind="rate", version=1))
        connection.execute(
            insert(items).values(
                task=1, key="c", record=record, place=0, rank=0.5, hash="", purpose="rate"
            )
        )
        row = connection.execute(select(items)).one()
    assert (row.record, row.expected) == (record, None)
    assert (row.taken, row.done, row.skipped, row.open, row.removed) == (0, 0, 0, True, False)
    engine.dispose()


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        (
            items,
            [{"task": 9, "key": "c", "record": {}, "place": 0, "rank": 0.5, "hash": ""}],
        ),
        (people, [{"name": "ann", "role": "rater", "created": 0.0}] * 2),
    ],
    ids=["a row that points nowhere", "two people of one name"],
)
def test_what_must_not_be_is_refused(table: Table, rows: list[dict[str, object]]) -> None:
    engine = make_engine("sqlite://")
    METADATA.create_all(engine)
    with pytest.raises(IntegrityError), engine.begin() as connection:
        connection.execute(insert(table), rows)
    engine.dispose()
