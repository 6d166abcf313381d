"""Which queries of a click log led to pages that helped, and which pages belong to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from assize.simulate._lengths import plain
from assize.simulate._mining.queries import Asked

LEAST_DWELL = 30.0  # seconds
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def address_key(address: str) -> str:
    """An address without scheme, `www.`, fragment and trailing slash; host in small letters.

    >>> address_key("https://www.Example.org/a/#top")
    'example.org/a'
    """
    bare = _SCHEME.sub("", address.strip()).partition("#")[0].rstrip("/")
    host, slash, rest = bare.partition("/")
    return host.casefold().removeprefix("www.") + slash + rest


def on_site(address: str, site: str) -> bool:
    """Whether an address is on a site: a host with its subdomains, or a part of one.

    >>> on_site("https://old.reddit.com/r/azure/x", "reddit.com/r/azure")
    True
    >>> on_site("https://notreddit.com/r/azure", "reddit.com/r/azure")
    False
    """
    host, _, path = address_key(address).partition("/")
    wanted, _, part = address_key(site).partition("/")
    at_host = host == wanted or host.endswith(f".{wanted}")
    return at_host and (not part or path == part or path.startswith(f"{part}/"))


def is_satisfied(one: Asked, least: float = LEAST_DWELL) -> bool:
    """Whether a click led to a page on which somebody stayed.

    Source: LLM-Rubric, section 3.1: a dwell time of at least 30 seconds.
    """
    return one.address is not None and one.dwell is not None and one.dwell >= least


def selected(asked: Sequence[Asked], sites: Sequence[str], least: float) -> list[Asked]:
    """All rows of the queries that have a satisfied click, on one of the sites where any is named.

    The other clicks on these queries stay, satisfied or not and wherever they led: their pages
    belong to what answers the query.

    Source: LLM-Rubric, section 3.1, where satisfied clicks on one site choose the queries and
    all addresses clicked for them make the corpus.
    """
    good = {
        plain(one.text)
        for one in asked
        if is_satisfied(one, least)
        and (not sites or any(on_site(str(one.address), site) for site in sites))
    }
    return [one for one in asked if plain(one.text) in good]


def same_addresses(asked: Iterable[Asked]) -> list[Asked]:
    """The rows with one spelling of each address, the one that came first."""
    known: dict[str, str] = {}
    return [
        one
        if one.address is None
        else replace(one, address=known.setdefault(address_key(one.address), one.address))
        for one in asked
    ]
