"""Failed sign-ins wait longer and longer, and nobody can lock out another for long."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, select
from tests.web.accounts.conftest import NOW

from assize.web._accounts.throttle import (
    ADDRESS,
    NAME,
    PAIR,
    REMEMBERED,
    WINDOW,
    Limit,
    attempt_succeeded,
    begin_attempt,
)
from assize.web._storage.schema import attempts

HERE, THERE = "192.0.2.1", "198.51.100.7"


def guesses(connection: Connection, seconds: float, name: str, *addresses: str) -> int:
    """How many passwords somebody tries who never waits longer than they must."""
    at, done = NOW, 0
    while at < NOW + seconds:
        waits = []
        for address in addresses:
            found = begin_attempt(connection, name, address, at)
            done += found.wait == 0
            waits.append(found.wait)
        at += min(waits)
    return done


def test_the_wait_doubles_up_to_a_longest_one() -> None:
    limit = Limit(free=2, longest=5.0)
    assert [limit.wait(failed) for failed in range(7)] == [0, 0, 1, 2, 4, 5, 5]


def test_a_few_slips_cost_nothing(connection: Connection) -> None:
    assert [begin_attempt(connection, "ana", HERE, NOW).wait for _ in range(PAIR.free)] == [0] * 5
    assert begin_attempt(connection, "ana", HERE, NOW).wait == 1


def test_who_waits_may_try_again(connection: Connection) -> None:
    for _ in range(PAIR.free):
        begin_attempt(connection, "ana", HERE, NOW)
    assert begin_attempt(connection, "ana", HERE, NOW + 1).wait == 0
    assert begin_attempt(connection, "ana", HERE, NOW + 1).wait == 2


def test_an_attempt_that_is_refused_does_not_count(connection: Connection) -> None:
    for _ in range(50):
        begin_attempt(connection, "ana", HERE, NOW)
    assert begin_attempt(connection, "ana", HERE, NOW + 1).wait == 0


def test_a_hundred_at_once_are_looked_at_as_few(connection: Connection) -> None:
    """Counting comes before looking, and all writes go one after the other."""
    begun = [begin_attempt(connection, "ana", HERE, NOW).wait == 0 for _ in range(100)]
    assert sum(begun) == PAIR.free


def test_one_address_guesses_slowly(connection: Connection) -> None:
    assert guesses(connection, WINDOW, "ana", HERE) < PAIR.free + 10 + WINDOW / PAIR.longest


def test_many_addresses_together_guess_one_name_slowly(connection: Connection) -> None:
    many = [f"192.0.2.{place}" for place in range(6)]
    assert guesses(connection, WINDOW, "ana", *many) < NAME.free + 10 + WINDOW / NAME.longest


def test_one_address_tries_many_names_slowly(connection: Connection) -> None:
    begun = [begin_attempt(connection, f"name {place}", HERE, NOW).wait for place in range(100)]
    assert begun.count(0) == ADDRESS.free


def test_a_stranger_holds_up_a_rater_for_half_a_minute_at_most(connection: Connection) -> None:
    many = [f"192.0.2.{place}" for place in range(6)]
    guesses(connection, 600, "ana", *many)
    assert begin_attempt(connection, "ana", THERE, NOW + 600).wait <= NAME.longest == 30


def test_a_stranger_does_not_hold_up_a_rater_where_they_were_before(connection: Connection) -> None:
    first = begin_attempt(connection, "ana", THERE, NOW)
    attempt_succeeded(connection, "ana", THERE, first.counted, NOW)
    guesses(connection, 600, "ana", *(f"192.0.2.{place}" for place in range(6)))
    assert begin_attempt(connection, "ana", THERE, NOW + 600).wait == 0
    assert begin_attempt(connection, "ana", THERE, NOW + 600 + REMEMBERED).wait == 0


def test_a_known_place_is_slowed_down_as_well(connection: Connection) -> None:
    first = begin_attempt(connection, "ana", HERE, NOW)
    attempt_succeeded(connection, "ana", HERE, first.counted, NOW)
    assert guesses(connection, WINDOW, "ana", HERE) < PAIR.free + 10 + WINDOW / PAIR.longest


def test_success_forgets_the_slips_before(connection: Connection) -> None:
    for _ in range(PAIR.free - 1):
        begin_attempt(connection, "ana", HERE, NOW)
    last = begin_attempt(connection, "ana", HERE, NOW)
    attempt_succeeded(connection, "ana", HERE, last.counted, NOW)
    assert begin_attempt(connection, "ana", HERE, NOW).wait == 0


def test_failures_are_forgotten_after_an_hour(connection: Connection) -> None:
    for _ in range(PAIR.free):
        begin_attempt(connection, "ana", HERE, NOW)
    assert begin_attempt(connection, "ana", HERE, NOW + WINDOW).wait == 0


def test_spellings_of_a_name_are_one(connection: Connection) -> None:
    for name in ("ana", "ANA", "Ana", "ａna", "ANA"):
        begin_attempt(connection, name, HERE, NOW)
    assert begin_attempt(connection, "ana", HERE, NOW).wait == 1


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("no address", "no address", True),
    ],
)
def test_an_ipv6_network_is_one_address(
    connection: Connection, one: str, other: str, same: bool
) -> None:
    for _ in range(PAIR.free):
        begin_attempt(connection, "ana", one, NOW)
    assert (begin_attempt(connection, "ana", other, NOW).wait > 0) == same


def test_what_was_typed_is_not_kept(connection: Connection) -> None:
    begin_attempt(connection, "my secret password", HERE, NOW)
    keys = connection.scalars(select(attempts.c.key)).all()
    assert len(keys) == 3
    assert all(len(key) == 12 for key in keys)


def test_old_attempts_are_swept_away(connection: Connection) -> None:
    begin_attempt(connection, "ana", HERE, NOW)
    begin_attempt(connection, "ben", THERE, NOW + REMEMBERED + 1)
    assert len(connection.scalars(select(attempts.c.key)).all()) == 3
