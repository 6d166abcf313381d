from __future__ import annotations

import pytest

from assize.simulate._mining.clicks import (
    address_key,
    is_satisfied,
    on_site,
    same_addresses,
    selected,
)
from assize.simulate._mining.queries import Asked


@pytest.mark.parametrize(("dwell", "satisfied"), [(None, False), (29.9, False), (30, True)])
def test_who_stays_30_seconds_is_satisfied(dwell: float | None, satisfied: bool) -> None:
    assert is_satisfied(Asked("q", None, "x.org", dwell)) is satisfied
    assert not is_satisfied(Asked("q", None, None, dwell))


def test_a_site_is_a_host_with_its_subdomains_or_a_part_of_it() -> None:
    assert on_site("http://www.reddit.com/r/Azure/1", "reddit.com")
    assert on_site("https://old.reddit.com/r/azure", "https://reddit.com/r/azure/")
    assert not on_site("https://reddit.com/r/azuredevops/1", "reddit.com/r/azure")
    assert not on_site("https://reddit.com.evil.org/r/azure", "reddit.com/r/azure")


def test_satisfied_clicks_on_the_site_choose_queries_that_keep_all_their_clicks() -> None:
    """`a` stayed on the site; `b` stayed elsewhere; `c` left the site at once."""
    rows = [
        Asked("a", None, "site.org/1", 40),
        Asked("A", None, "else.org/2", 3),
        Asked("b", None, "else.org/3", 90),
        Asked("c", None, "site.org/4", 5),
        Asked("a"),
    ]
    assert selected(rows, ["site.org"], 30) == [rows[0], rows[1], rows[4]]
    assert selected(rows, [], 30) == [rows[0], rows[1], rows[2], rows[4]]
    assert selected(rows, [], 1) == rows


def test_spellings_of_an_address_are_one() -> None:
    rows = [Asked("q", None, "https://X.org/a/"), Asked("q", None, "x.org/a#top"), Asked("q")]
    assert [one.address for one in same_addresses(rows)] == ["https://X.org/a/"] * 2 + [None]
    assert address_key("x.org/a?id=1") == "x.org/a?id=1"
