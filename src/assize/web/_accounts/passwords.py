"""Passwords: hashed with argon2id, compared in threads, the same work for a name unknown.

    kept = await hashed(password)
    if await matches(kept, password): ...

Strength is the second recommendation of RFC 9106, section 4. Hashing takes 64 MiB and some
ten milliseconds, so that two run at a time, beside the event loop.
"""

from __future__ import annotations

import asyncio
import secrets
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from assize.base.errors import DataError

T = TypeVar("T")

SHORTEST, LONGEST = 10, 1000  # characters
AT_ONCE = 2  # hashes at a time: each holds 64 MiB

_HASHER = PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=4)
_THREADS = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="assize-argon2")


class WeakPassword(DataError):
    """A password that is not taken; the text says why."""


def check_password(password: str, name: str = "") -> None:
    """Lets pass whatever is long enough; there are no rules on what it is made of.

    Raises:
        WeakPassword: it is too short or too long, one character repeated, or the person's name.
    """
    if len(password) < SHORTEST:
        raise WeakPassword(
            f"The password has {len(password)} characters; take at least {SHORTEST}, for instance"
            " four words."
        )
    if len(password) > LONGEST:
        raise WeakPassword(f"The password is longer than {LONGEST} characters.")
    plain = password.casefold()
    if len(set(plain)) == 1 or (name and not plain.replace(name.casefold(), "").strip()):
        raise WeakPassword("The password is easily guessed; take another, for instance four words.")


async def hashed(password: str, hasher: PasswordHasher = _HASHER) -> str:
    """What is kept of a password: algorithm, parameters, salt and hash as one text."""
    return await _in_thread(hasher.hash, _bytes(password))


async def matches(kept: str | None, password: str, hasher: PasswordHasher = _HASHER) -> bool:
    """Whether a password is the one that was kept.

    Args:
        kept: what `hashed` gave; None, where there is no such person or they have no password,
            takes as long and is False.
    """
    if len(password) > LONGEST:
        password = ""
    found = await _in_thread(_verify, hasher, kept or _nobody(hasher), _bytes(password))
    return found and kept is not None


def outdated(kept: str, hasher: PasswordHasher = _HASHER) -> bool:
    """Whether a password was hashed with other parameters than today's, to be hashed again."""
    return hasher.check_needs_rehash(kept)


def _verify(hasher: PasswordHasher, kept: str, password: bytes) -> bool:
    try:
        return hasher.verify(kept, password)
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobody(hasher: PasswordHasher) -> str:
    """A hash that no password has."""
    return hasher.hash(secrets.token_bytes(32))


def _bytes(password: str) -> bytes:
    """The same bytes whichever keyboard composed the characters."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", errors="replace")


async def _in_thread(work: Callable[..., T], *args: object) -> T:
    return await asyncio.get_running_loop().run_in_executor(_THREADS, work, *args)
