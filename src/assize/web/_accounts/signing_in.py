"""Signing in: the password, slowed down where it fails, and a session that is new."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from assize.web._accounts.passwords import hashed, matches, outdated
from assize.web._accounts.people import by_name, set_password
from assize.web._accounts.sessions import begin_session, end_session
from assize.web._accounts.throttle import Throttle
from assize.web._storage import Store
from assize.web._storage.schema import storable


@dataclass(frozen=True, slots=True)
class SignedIn:
    """How it went.

    Args:
        token: of the new session; None where name or password are wrong, or the account is shut.
        wait: seconds until the next attempt is looked at; above 0 this one was not.
    """

    token: str | None
    wait: float = 0.0


async def sign_in(
    store: Store,
    throttle: Throttle,
    name: str,
    password: str,
    *,
    address: str,
    now: float,
    before: str | None = None,
) -> SignedIn:
    """Signs somebody in by name and password; why it failed is not told.

    Args:
        address: where the request comes from.
        now: seconds since 1970.
        before: token of a session in the same browser, which ends.
    """
    name = storable(name)
    wait = throttle.begin(name, address, now)
    if wait > 0:
        return SignedIn(None, wait)
    person = await store.read(by_name, name)
    kept = None if person is None or person.disabled else person.password
    if not await matches(kept, password) or person is None or kept is None:
        return SignedIn(None)
    throttle.succeed(name, address, now)
    renewed = await hashed(password) if outdated(kept) else None
    return SignedIn(await store.write(_enter, person.id, renewed, before, now))


def _enter(
    connection: Connection, person: int, password: str | None, before: str | None, now: float
) -> str:
    """Begin a session; keep a password that was hashed anew, and end the session before."""
    if password is not None:
        set_password(connection, person, password)
    if before is not None:
        end_session(connection, before)
    return begin_session(connection, person, now)
