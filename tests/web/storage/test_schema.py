from __future__ import annotations

import pytest
from sqlalchemy import create_engine, insert, select
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


def test_a_row_that_points_nowhere_is_refused() -> None:
    engine = make_engine("sqlite://")
    METADATA.create_all(engine)
    row = {"task": 9, "key": "c", "record": {}, "place": 0, "rank": 0.5, "hash": ""}
    with engine.begin() as connection, pytest.raises(IntegrityError):
        connection.execute(insert(items).values(**row))
    engine.dispose()


def test_two_people_have_no_one_name() -> None:
    engine = make_engine("sqlite://")
    METADATA.create_all(engine)
    row = {"name": "ann", "role": "rater", "disabled": False, "created": 0.0}
    with engine.begin() as connection:
        connection.execute(insert(people).values(**row))
        with pytest.raises(IntegrityError):
            connection.execute(insert(people).values(**row))
    engine.dispose()
