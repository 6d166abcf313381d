"""Several calls at the same time, of which none is lost when another fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from typing import TypeVar

T = TypeVar("T")


async def all_of(asked: Iterable[Awaitable[T]]) -> list[T]:
    """All results; the first error once all have ended, for the others are paid for."""
    found = await asyncio.gather(*asked, return_exceptions=True)
    for one in found:
        if isinstance(one, BaseException):
            raise one
    return [one for one in found if not isinstance(one, BaseException)]
