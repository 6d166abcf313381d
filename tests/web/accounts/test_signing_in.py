"""Signing in at a real store."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from postgres import Postgres
from sqlalchemy import insert, select, update
from tests.web.accounts.clients import PASSWORD, password_hash
from tests.web.accounts.conftest import NOW
from tests.web.blank import with_tables

from assize.web._accounts.sessions import begin_session, viewer_of
from assize.web._accounts.signing_in import SignedIn, sign_in
from assize.web._accounts.throttle import PAIR, Throttle
from assize.web._storage import Store, open_store
from assize.web._storage.schema import people


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = open_store(with_tables(f"sqlite:///{tmp_path / 'x.db'}"))
    ana = insert(people).values(
        name="Ana", role="rater", password=password_hash(), disabled=False, created=NOW
    )
    found.write_now(lambda one: one.execute(ana))
    yield found
    found.close()


def tried(
    store: Store, name: str, password: str, throttle: Throttle | None = None, **more: str
) -> SignedIn:
    signing = sign_in(
        store, throttle or Throttle(), name, password, address="192.0.2.1", now=NOW, **more
    )
    return asyncio.run(signing)


def test_the_right_password_gives_a_session(store: Store) -> None:
    done = tried(store, "Ana", PASSWORD)
    assert done.token is not None
    viewer: Any = store.read_now(viewer_of, done.token, NOW)
    assert viewer.name == "Ana"


def test_a_name_that_postgresql_cannot_hold_is_nobodys(postgres_server: Postgres) -> None:
    found = open_store(postgres_server.database())
    assert tried(found, "Ana\0", PASSWORD) == SignedIn(None)
    found.close()


def test_a_password_hashed_with_old_parameters_is_hashed_anew(store: Store) -> None:
    old = PasswordHasher(time_cost=2, memory_cost=8, parallelism=1).hash(PASSWORD)
    store.write_now(lambda one: one.execute(update(people).values(password=old)))
    assert tried(store, "Ana", PASSWORD).token is not None
    with store.connect() as connection:
        (kept,) = connection.scalars(select(people.c.password)).all()
    assert str(kept).startswith("$argon2id$v=19$m=8,t=1,p=1$")  # of `QUICK`
    assert tried(store, "Ana", PASSWORD).token is not None


def test_a_session_before_in_the_same_browser_ends(store: Store) -> None:
    before = store.write_now(begin_session, 1, NOW)
    tried(store, "Ana", PASSWORD, before=before)
    assert store.read_now(viewer_of, before, NOW) is None


def test_many_at_once_are_looked_at_as_few(store: Store) -> None:
    async def all_at_once() -> list[SignedIn]:
        throttle = Throttle()
        guesses = (
            sign_in(store, throttle, "Ana", f"guess number {n}", address="192.0.2.1", now=NOW)
            for n in range(30)
        )
        return list(await asyncio.gather(*guesses))

    found = asyncio.run(all_at_once())
    assert sum(one.wait == 0 for one in found) == PAIR.free


def test_success_leaves_no_failure_behind(store: Store) -> None:
    throttle = Throttle()
    for _ in range(PAIR.free + 3):
        assert tried(store, "Ana", PASSWORD, throttle).token is not None
