from __future__ import annotations

from assize.web._storage.engine import make_engine
from assize.web._storage.migrating import revisions, upgrade
from assize.web._storage.migrations import r0001
from assize.web._storage.schema import METADATA


def test_it_is_the_first_revision() -> None:
    assert (r0001.revision, r0001.down_revision) == ("0001", None)
    assert revisions()[1].get_base() == "0001"


def test_it_makes_tables_that_answers_are_kept_in() -> None:
    from sqlalchemy import inspect

    engine = make_engine("sqlite://")
    upgrade(engine)
    made = set(inspect(engine).get_table_names())
    assert {"people", "tasks", "items", "assignments", "answers"} <= made
    assert made <= {*METADATA.tables, "alembic_version"}
    engine.dispose()
