"""Signing in at a real store."""

from __future__ import annotations

import asyncio

import pytest
from argon2 import PasswordHasher
from postgres import Postgres
from sqlalchemy import select, update
from tests.web.accounts.clients import PASSWORD, somebody
from tests.web.accounts.conftest import NOW

from assize.web._accounts.sessions import begin_session, viewer_of
from assize.web._accounts.signing_in import SignedIn, sign_in
from assize.web._accounts.throttle import PAIR, Throttle
from assize.web._storage import Store, open_store
from assize.web._storage.schema import people


@pytest.fixture
def store(store: Store) -> Store:
    """A database with a rater, Ana."""
    store.write_now(somebody, "Ana", "rater", NOW)
    return store


def tried(
    store: Store, name: str, password: str, throttle: Throttle | None = None, **more: str
) -> SignedIn:
    signing = sign_in(
        store, throttle or Throttle(), name, password, address="192.0.2.1", now=NOW, **more
    )
    return asyncio.run(signing)


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

    assert sum(one.wait == 0 for one in asyncio.run(all_at_once())) == PAIR.free


def test_success_leaves_no_failure_behind(store: Store) -> None:
    throttle = Throttle()
    for _ in range(PAIR.free + 3):
        assert tried(store, "Ana", PASSWORD, throttle).token is not None
