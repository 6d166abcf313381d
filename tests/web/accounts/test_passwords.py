"""Passwords are kept as argon2id hashes, whatever they are made of."""

from __future__ import annotations

import asyncio

import pytest
from argon2 import PasswordHasher
from tests.web.accounts.clients import PASSWORD, QUICK

from assize.web._accounts import passwords
from assize.web._accounts.passwords import WeakPassword, check_password, hashed, matches, outdated


def kept_and_matched(password: str, tried: str) -> bool:
    async def both() -> bool:
        return await matches(await hashed(password, QUICK), tried, QUICK)

    return asyncio.run(both())


@pytest.mark.parametrize(
    ("kept", "tried", "same"),
    [
        (PASSWORD, PASSWORD, True),
        (PASSWORD, PASSWORD + "s", False),
        ("cafe\u0301 au lait", "caf\u00e9 au lait", True),
        (PASSWORD, "\ud800" * 12, False),
        (PASSWORD, "x" * 1_000_000, False),
    ],
    ids=[
        "the password",
        "another",
        "two ways to type a letter",
        "half characters",
        "endless words",
    ],
)
def test_the_password_alone_matches(kept: str, tried: str, same: bool) -> None:
    assert kept_and_matched(kept, tried) is same


def test_what_is_kept_is_argon2id_with_a_salt_of_its_own() -> None:
    first, second = asyncio.run(hashed(PASSWORD)), asyncio.run(hashed(PASSWORD))
    assert first.startswith("$argon2id$v=19$m=65536,t=3,p=4$")  # RFC 9106, section 4
    assert first != second
    assert PASSWORD not in first


def test_nobody_matches_no_password() -> None:
    assert not asyncio.run(matches(None, PASSWORD, QUICK))
    assert not asyncio.run(matches("no hash", PASSWORD, QUICK))


def test_an_unknown_name_costs_a_hash_of_the_same_parameters() -> None:
    assert PasswordHasher().check_needs_rehash(passwords._nobody(QUICK))
    assert not QUICK.check_needs_rehash(passwords._nobody(QUICK))


def test_a_hash_of_other_parameters_is_outdated() -> None:
    assert outdated(asyncio.run(hashed(PASSWORD, QUICK)))
    assert not outdated(asyncio.run(hashed(PASSWORD)))


def test_hashing_leaves_the_event_loop_free() -> None:
    async def seen_meanwhile() -> int:
        work = asyncio.ensure_future(hashed(PASSWORD))
        turns = 0
        while not work.done():
            turns += 1
            await asyncio.sleep(0)
        return turns

    assert asyncio.run(seen_meanwhile()) > 10


@pytest.mark.parametrize("password", [PASSWORD, "x7" * 5, "        a b", "密码" * 5, "a1" * 500])
def test_what_is_long_enough_is_taken(password: str) -> None:
    check_password(password, "Ana")


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("short one", "9 characters"),
        ("a1" * 501, "longer than 1000"),
        ("a" * 12, "easily guessed"),
        ("Ana RuizAna Ruiz", "easily guessed"),
    ],
)
def test_what_is_too_short_or_guessed_at_once_is_not(password: str, why: str) -> None:
    with pytest.raises(WeakPassword, match=why):
        check_password(password, "ana ruiz")
