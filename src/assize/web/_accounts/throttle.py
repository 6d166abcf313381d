"""Sign-ins that fail are slowed down: each further one waits longer.

Three counts over the last hour: of this name from this address, of this name from anywhere, and
of this address. A stranger cannot lock a rater out: where somebody has signed in before, only
the first count holds, and no wait is longer than `longest`. An attempt is counted before the
password is looked at, so that a thousand at once are no way around; one that succeeds is
uncounted again. A restart of the app forgets all counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from assize.web._accounts.names import likeness

WINDOW = 3600.0  # seconds that a failure counts
MOST_PLACES = 10_000  # that somebody signed in from and that are remembered


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


class Throttle:
    """The sign-ins of a running app that failed lately; times are seconds since 1970."""

    def __init__(self) -> None:
        self._failed: dict[tuple[str, str], list[float]] = {}  # times by name and network
        self._places: dict[tuple[str, str], None] = {}  # where somebody signed in

    def begin(self, name: str, address: str, now: float) -> float:
        """Count an attempt, or return how many seconds it has to wait."""
        self._failed = {
            key: times for key, times in self._failed.items() if times[-1] > now - WINDOW
        }
        pair, *others = keys = _keys(name, address)
        limits = {pair: PAIR}
        if pair not in self._places:
            limits |= zip(others, (NAME, ADDRESS), strict=True)
        waits = [self._wait(key, limit, now) for key, limit in limits.items()]
        if max(waits) <= 0:
            for key in keys:
                self._failed.setdefault(key, []).append(now)
        return max(0.0, *waits)

    def succeed(self, name: str, address: str, began: float) -> None:
        """Uncount an attempt, forget the earlier ones of the pair, and remember the place."""
        pair, *others = _keys(name, address)
        self._failed.pop(pair, None)
        for key in others:
            left = [at for at in self._failed.pop(key, ()) if at != began]
            if left:
                self._failed[key] = left
        self._places[pair] = None
        if len(self._places) > MOST_PLACES:
            del self._places[next(iter(self._places))]

    def _wait(self, key: tuple[str, str], limit: Limit, now: float) -> float:
        times = [at for at in self._failed.get(key, ()) if at > now - WINDOW]
        return times[-1] + limit.wait(len(times)) - now if times else 0.0


def _keys(name: str, address: str) -> list[tuple[str, str]]:
    """Return the pair, the name, and the address."""
    who, where = likeness(name), _network(address)
    return [(who, where), (who, ""), ("", where)]


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
