from __future__ import annotations

import threading
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import OperationalError

from assize.web._storage import open_store
from assize.web._storage.engine import engine_of, kept, writing
from assize.web._storage.schema import people

ANN = {"name": "ann", "role": "rater", "disabled": False, "created": 0.0}


def test_a_connection_that_is_kept_to_look_holds_no_transaction(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'x.db'}")
    with kept(store.engine, writes=False) as looks:
        assert looks.execute(select(people.c.name)).all() == []
        store.write_now(lambda one: one.execute(insert(people).values(ANN)) and None)
        assert looks.execute(select(people.c.name)).scalars().all() == ["ann"]
    store.close()


def test_of_two_processes_one_writes(url: str) -> None:
    store = open_store(url)
    other = engine_of(url)
    told: list[str] = []

    def writes() -> None:
        with writing(other) as second, second.begin():
            told.append("second")

    with writing(store.engine) as first, first.begin():
        waiting = threading.Thread(target=writes)
        waiting.start()
        waiting.join(0.2)
        told.append("first")
    waiting.join()
    assert told == ["first", "second"]
    other.dispose()
    store.close()


def test_one_that_is_kept_to_write_waits_for_nobody(tmp_path: Path) -> None:
    engine = engine_of(f"sqlite:///{tmp_path / 'x.db'}")
    with writing(engine) as first:
        first.execute(text("CREATE TABLE numbers (value INTEGER)"))
        second = kept(engine, writes=True)
        with pytest.raises(OperationalError, match="locked"):
            second.execute(text("SELECT 1"))
        first.rollback()
        assert second.execute(text("SELECT 1")).scalar_one() == 1
        second.close()
    engine.dispose()
