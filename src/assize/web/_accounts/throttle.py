"""Sign-ins that fail are slowed down: each further one waits longer.

Three counts over the last hour: of this name from this address, of this name from anywhere, and
of this address. A stranger cannot lock a rater out: where somebody has signed in before, only
the first count holds, and no wait is longer than `longest`. An attempt is counted before the
password is looked at, so that a thousand at once are no way around; one that succeeds is
uncounted again.

Keys are hashes: what was typed as a name may have been a password.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from sqlalchemy import Connection, delete, func, insert, select

from assize.base.signature import json_hash
from assize.web._accounts.names import likeness
from assize.web._storage.schema import attempts

WINDOW = 3600.0  # seconds that a failure counts
REMEMBERED = 90 * 86400.0  # seconds that a place somebody signed in from is known


@dataclass(frozen=True, slots=True)
class Limit:
    """How one count is slowed down.

    Args:
        free: failures that cost nothing.
        longest: seconds, to which the wait doubles from 1.
    """

    free: int
    longest: float

    def wait(self, failed: int) -> float:
        """Seconds after the last of so many failures."""
        return 0.0 if failed < self.free else min(self.longest, 2.0 ** min(failed - self.free, 20))


PAIR = Limit(free=5, longest=120.0)
NAME = Limit(free=10, longest=30.0)
ADDRESS = Limit(free=50, longest=60.0)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A sign-in that was begun.

    Args:
        wait: seconds until the next may be made; above 0 this one is not to be looked at.
        counted: its rows in `attempts`.
    """

    wait: float
    counted: tuple[int, ...] = ()


def begin_attempt(connection: Connection, name: str, address: str, now: float) -> Attempt:
    """Counts an attempt to sign in, or says how long it has to wait."""
    connection.execute(delete(attempts).where(attempts.c.at < now - REMEMBERED))
    here, pair, seen = _keys(name, address)
    named = json_hash(["name", likeness(name)])
    limits = [(pair, PAIR)]
    if not _since(connection, seen, now - REMEMBERED)[0]:
        limits += [(named, NAME), (here, ADDRESS)]
    waits = [_wait(connection, key, limit, now) for key, limit in limits]
    if max(waits) > 0:
        return Attempt(max(waits))
    rows = (
        connection.execute(insert(attempts).values(key=key, at=now)).inserted_primary_key
        for key in (pair, named, here)
    )
    return Attempt(0.0, tuple(row[0] for row in rows if row is not None))


def attempt_succeeded(
    connection: Connection, name: str, address: str, counted: Sequence[int], now: float
) -> None:
    """Uncounts an attempt, forgets the earlier ones of the pair, and remembers the place."""
    _, pair, seen = _keys(name, address)
    connection.execute(
        delete(attempts).where(attempts.c.key.in_([pair, seen]) | attempts.c.id.in_(counted))
    )
    connection.execute(insert(attempts).values(key=seen, at=now))


def _keys(name: str, address: str) -> tuple[str, str, str]:
    who, where = likeness(name), _network(address)
    return (
        json_hash(["address", where]),
        json_hash(["pair", who, where]),
        json_hash(["seen", who, where]),
    )


def _network(address: str) -> str:
    """The address; of IPv6 the network, which one subscriber has to themselves."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((found, 64), strict=False))


def _since(connection: Connection, key: str, since: float) -> tuple[int, float]:
    """How many there are, and when the last was."""
    found = connection.execute(
        select(func.count(), func.max(attempts.c.at)).where(
            attempts.c.key == key, attempts.c.at > since
        )
    ).one()
    return found[0], found[1] or 0.0


def _wait(connection: Connection, key: str, limit: Limit, now: float) -> float:
    failed, last = _since(connection, key, now - WINDOW)
    return max(0.0, last + limit.wait(failed) - now)
