"""Sessions: who is signed in, by a random token of which only a hash is kept.

A session ends when it is signed out of, after `IDLE` without a page, and after `LONGEST` in any
case. Signing in always makes a new token, so that nobody can plant one beforehand.
"""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, Double, and_, bindparam, case, delete, insert, select, update

from assize.base.signature import content_hash
from assize.web._accounts.viewer import Viewer
from assize.web._storage.schema import people, sessions

COOKIE = "assize"
IDLE = 7 * 86400.0  # seconds without a page
LONGEST = 30 * 86400.0  # seconds
RENEWED = 6 * 3600.0  # seconds between two notes of when a session was last used
LOCAL = "local"  # the one user of an app started with `--open`

_LAST = sessions.c.created + LONGEST
_USED = bindparam("now", type_=Double) + (IDLE - RENEWED)
_VIEWER = (
    select(
        people.c.id,
        people.c.name,
        people.c.role,
        sessions.c.csrf,
        and_(sessions.c.expires < _USED, sessions.c.expires < _LAST).label("renew"),
    )
    .join(people, people.c.id == sessions.c.person)
    .where(
        sessions.c.token == bindparam("token"),
        sessions.c.expires > bindparam("now"),
        people.c.disabled.is_(False),
    )
)


def cookie_name(secure: bool) -> str:
    """The cookie's name; behind https one that no other host and no plain page can set."""
    return f"__Host-{COOKIE}" if secure else COOKIE


def new_token() -> str:
    """256 random bits as text that can stand in an address."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is kept of a token: who reads the database cannot sign in with it."""
    return content_hash(token.encode("utf-8", errors="replace"))


def viewer_of(connection: Connection, token: str, now: float) -> Viewer | None:
    """Who holds a token; None where it is unknown, has expired, or they were disabled."""
    found = connection.execute(_VIEWER, {"token": token_hash(token), "now": now}).first()
    return None if found is None else Viewer(*found)


def begin_session(connection: Connection, person: int, now: float) -> str:
    """Signs a person in; what has expired is swept away.

    Returns:
        The token for the cookie, which is kept nowhere.
    """
    connection.execute(delete(sessions).where(sessions.c.expires <= now))
    token = new_token()
    connection.execute(
        insert(sessions).values(
            token=token_hash(token),
            person=person,
            csrf=new_token(),
            created=now,
            expires=now + min(IDLE, LONGEST),
        )
    )
    return token


def renew_session(connection: Connection, token: str, now: float) -> None:
    """Notes that a session is in use; it still ends `LONGEST` after it began."""
    connection.execute(
        update(sessions)
        .where(sessions.c.token == token_hash(token), sessions.c.expires > now)
        .values(expires=case((now + IDLE > _LAST, _LAST), else_=now + IDLE))
    )


def end_session(connection: Connection, token: str) -> None:
    """Signs out here; a token that is unknown changes nothing."""
    connection.execute(delete(sessions).where(sessions.c.token == token_hash(token)))


def end_sessions(connection: Connection, person: int, *, but: str | None = None) -> int:
    """Signs a person out everywhere, but for the session of one token.

    Returns:
        How many sessions ended.
    """
    these = delete(sessions).where(sessions.c.person == person)
    if but is not None:
        these = these.where(sessions.c.token != token_hash(but))
    return connection.execute(these).rowcount


def ensure_local(connection: Connection, now: float) -> None:
    """Adds the local user, where the project does not have them yet."""
    if connection.scalar(select(people.c.id).where(people.c.name == LOCAL)) is None:
        connection.execute(
            insert(people).values(name=LOCAL, role="admin", disabled=False, created=now)
        )


def local_viewer(connection: Connection, csrf: str) -> Viewer:
    """The local user as who looks; `ensure_local` makes them.

    Args:
        csrf: of the running app, which has no sessions.
    """
    found = connection.scalars(select(people.c.id).where(people.c.name == LOCAL)).one()
    return Viewer(found, LOCAL, "admin", csrf)
