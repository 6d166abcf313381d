"""Signing in: the password, slowed down where it fails, and a session that is new."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from assize.web._accounts.passwords import hashed, matches, outdated
from assize.web._accounts.people import by_name, set_password
from assize.web._accounts.sessions import begin_session, end_session
from assize.web._accounts.throttle import Attempt, attempt_succeeded, begin_attempt
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
    store: Store, name: str, password: str, *, address: str, now: float, before: str | None = None
) -> SignedIn:
    """Signs somebody in by name and password; why it failed is not told.

    Args:
        address: where the request comes from.
        now: seconds since 1970.
        before: token of a session in the same browser, which ends.
    """
    name = storable(name)
    attempt = await store.write(begin_attempt, name, address, now)
    if attempt.wait > 0:
        return SignedIn(None, attempt.wait)
    person = await store.read(by_name, name)
    kept = None if person is None or person.disabled else person.password
    if not await matches(kept, password) or person is None or kept is None:
        return SignedIn(None)
    renewed = await hashed(password) if outdated(kept) else None
    made = _Entry(person.id, person.name, address, attempt, renewed, before)
    return SignedIn(await store.write(_enter, made, now))


@dataclass(frozen=True, slots=True)
class _Entry:
    """What is written once the password is right."""

    person: int
    name: str
    address: str
    attempt: Attempt
    password: str | None  # hashed anew
    before: str | None


def _enter(connection: Connection, entry: _Entry, now: float) -> str:
    attempt_succeeded(connection, entry.name, entry.address, entry.attempt.counted, now)
    if entry.password is not None:
        set_password(connection, entry.person, entry.password)
    if entry.before is not None:
        end_session(connection, entry.before)
    return begin_session(connection, entry.person, now)
