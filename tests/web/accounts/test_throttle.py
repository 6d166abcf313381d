"""Failed sign-ins wait longer and longer, and nobody can lock out another for long."""

from __future__ import annotations

import pytest
from tests.web.accounts.conftest import NOW

from assize.web._accounts.throttle import (
    ADDRESS,
    NAME,
    PAIR,
    WINDOW,
    Limit,
    Throttle,
)

HERE, THERE = "192.0.2.1", "198.51.100.7"
MANY = [f"192.0.2.{place}" for place in range(6)]


@pytest.fixture
def throttle() -> Throttle:
    return Throttle()


def fail(throttle: Throttle, times: int, address: str = HERE) -> None:
    for _ in range(times):
        throttle.begin("ana", address, NOW)


def sign_in(throttle: Throttle, addresses: list[str]) -> None:
    """Ana signs in once from each address."""
    for address in addresses:
        throttle.begin("ana", address, NOW)
        throttle.succeed("ana", address, NOW)


def guesses(throttle: Throttle, seconds: float, name: str, *addresses: str) -> int:
    """How many passwords somebody tries who never waits longer than they must."""
    at, done = NOW, 0
    while at < NOW + seconds:
        waits = [throttle.begin(name, address, at) for address in addresses]
        done += waits.count(0)
        at += min(waits)
    return done


def test_the_wait_doubles_up_to_a_longest_one() -> None:
    limit = Limit(free=2, longest=5.0)
    assert [limit.wait(failed) for failed in range(7)] == [0, 0, 1, 2, 4, 5, 5]


def test_a_few_slips_cost_nothing_and_who_waits_may_try_again(throttle: Throttle) -> None:
    waits = [throttle.begin("ana", HERE, NOW) for _ in range(PAIR.free + 1)]
    assert waits == [0, 0, 0, 0, 0, 1]
    assert [throttle.begin("ana", HERE, NOW + 1) for _ in range(2)] == [0, 2]


@pytest.mark.parametrize(
    ("failures", "succeeds", "seconds"),
    [(50, False, 1), (PAIR.free, True, 0), (PAIR.free, False, WINDOW)],
    ids=[
        "an attempt that is refused does not count",
        "success forgets the slips before",
        "failures are forgotten after an hour",
    ],
)
def test_an_attempt_is_let_through(
    throttle: Throttle, failures: int, succeeds: bool, seconds: float
) -> None:
    fail(throttle, failures)
    if succeeds:
        throttle.succeed("ana", HERE, NOW)
    assert throttle.begin("ana", HERE, NOW + seconds) == 0


@pytest.mark.parametrize(
    ("addresses", "known", "limit"),
    [([HERE], [], PAIR), (MANY, [], NAME), ([HERE], [HERE], PAIR)],
    ids=["one address", "many addresses together", "a known place"],
)
def test_one_name_is_guessed_slowly(
    throttle: Throttle, addresses: list[str], known: list[str], limit: Limit
) -> None:
    sign_in(throttle, known)
    assert guesses(throttle, WINDOW, "ana", *addresses) < limit.free + 10 + WINDOW / limit.longest


def test_one_address_tries_many_names_slowly(throttle: Throttle) -> None:
    begun = [throttle.begin(f"name {place}", HERE, NOW) for place in range(100)]
    assert begun.count(0) == ADDRESS.free


@pytest.mark.parametrize(("known", "longest"), [([], 30), ([THERE], 0)])
def test_a_stranger_holds_up_a_rater_for_half_a_minute_and_not_where_they_were_before(
    throttle: Throttle, known: list[str], longest: float
) -> None:
    sign_in(throttle, known)
    guesses(throttle, 600, "ana", *MANY)
    assert throttle.begin("ana", THERE, NOW + 600) <= longest


def test_spellings_of_a_name_are_one(throttle: Throttle) -> None:
    for name in ("ana", "ANA", "Ana", "ａna", "ANA"):
        throttle.begin(name, HERE, NOW)
    assert throttle.begin("ana", HERE, NOW) == 1


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
    throttle: Throttle, one: str, other: str, same: bool
) -> None:
    fail(throttle, PAIR.free, one)
    assert (throttle.begin("ana", other, NOW) > 0) == same


def test_success_is_uncounted_from_name_and_address_too(throttle: Throttle) -> None:
    for place in range(ADDRESS.free + 5):
        assert throttle.begin(f"rater {place}", HERE, NOW) == 0
        throttle.succeed(f"rater {place}", HERE, NOW)


def test_nothing_is_kept_of_an_hour_before(throttle: Throttle) -> None:
    throttle.begin("ana", HERE, NOW)
    throttle.begin("ben", THERE, NOW + WINDOW)
    assert {who for who, _ in throttle._failed} == {"ben", ""}


def test_places_are_remembered_up_to_a_limit(
    throttle: Throttle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assize.web._accounts.throttle.MOST_PLACES", 2)
    for name in ("ana", "ben", "cy"):
        throttle.succeed(name, HERE, NOW)
    assert [who for who, _ in throttle._places] == ["ben", "cy"]
