"""Whatever people do, in whatever order: the counts are right and nobody has too much."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, select
from tests.web.queue.rounds import Round, check, conversations, emptied, round_of

from assize.base.errors import ConfigError
from assize.web._queue import Assignment, Refused, save_draft, skip, submit, undo, withdraw
from assize.web._queue.reassign import assign
from assize.web._storage import Store
from assize.web._storage.schema import assignments

NAMES = ("ann", "bob", "cat", "dan")
WAIT = 3_000.0  # seconds: most of the hour that an item is kept

Act = tuple[str, str, int]
ACTS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "next",
                "submit",
                "submit",
                "stale",
                "skip",
                "undo",
                "draft",
                "wait",
                "withdraw",
                "assign",
                "shrink",
                "grow",
                "reword",
            ]
        ),
        st.sampled_from(NAMES),
        st.integers(0, 20),
    ),
    max_size=60,
)


def _own(play: Round, who: str, pick: int) -> Any:
    a = assignments.c
    rows = play.connection.execute(
        select(a.id, a.revision).where(a.person == play.people[who]).order_by(a.id)
    ).all()
    return rows[pick % len(rows)] if rows else None


def _do(play: Round, act: Act) -> None:
    name, who, pick = act
    connection, task, person = play.connection, play.task, play.people[who]
    own = _own(play, who, pick)
    answers = {"warm": str(1 + pick % 3)}
    if name == "next":
        play.next(who)
    elif name == "wait":
        play.tick(WAIT)
    elif name in ("shrink", "grow", "reword"):
        text = f"hi {pick}" if name == "reword" else "hi"
        ids = [f"c{n}" for n in range(3 if name == "shrink" else 6)]
        conversations(task.folder, ids, text=text)
        play.sync()
    elif name == "assign":
        assign(connection, task, f"c{pick % 6}", person, play.tick())
    elif own is None:
        return
    elif name == "submit":
        submit(connection, task, own.id, person, own.revision, answers, now=play.tick())
    elif name == "stale":
        submit(connection, task, own.id, person, own.revision - 1, answers, now=play.tick())
    elif name == "skip":
        skip(connection, task, own.id, person, own.revision, "odd", now=play.tick())
    elif name == "undo":
        undo(connection, task, own.id, person, own.revision, now=play.tick())
    elif name == "draft":
        save_draft(connection, task, own.id, person, own.revision, answers, now=play.tick())
    else:
        withdraw(connection, task, own.id, play.tick())


def _play(engine: Engine, acts: list[Act], **changes: Any) -> None:
    emptied(engine)
    with (
        tempfile.TemporaryDirectory() as folder,
        round_of(engine, Path(folder), 6, NAMES, **changes) as play,
    ):
        for act in acts:
            savepoint = play.connection.begin_nested()
            try:
                _do(play, act)
            except (Refused, ConfigError):
                savepoint.rollback()
            else:
                savepoint.commit()
            check(play.connection, play.task)
        _ends(play)


def _ends(play: Round) -> None:
    """Everybody works on until nothing is left: then every item has been asked of as many."""
    play.tick(2 * WAIT)
    for who in NAMES:
        play.worked(who)
    check(play.connection, play.task)
    assert all(not isinstance(play.next(who), Assignment) for who in NAMES)


@pytest.mark.parametrize(
    "changes",
    [{}, {"order": "file"}, {"raters_per_item": 1}],
    ids=["random", "file", "one rater"],
)
@given(acts=ACTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_counts_hold_whatever_people_do(
    sqlite_engine: Engine, changes: dict[str, Any], acts: list[Act]
) -> None:
    _play(sqlite_engine, acts, **changes)


@given(acts=ACTS)
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=8,
)
def test_counts_hold_on_postgresql(postgres_store: Store, acts: list[Act]) -> None:
    _play(postgres_store.engine, acts)
