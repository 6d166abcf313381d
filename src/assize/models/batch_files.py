"""The files of batches: larger and slower than replies, and read row by row."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from assize.models.batch_model import Result

C = TypeVar("C", bound=Any)  # a client of one of the SDKs

_UNREADABLE = (LookupError, TypeError, AttributeError, ValueError, RecursionError)


@asynccontextmanager
async def for_files(client: C) -> AsyncIterator[C]:
    """The client with the bounds of files in place of those of replies."""
    from assize.base.http_client import FILE_SECONDS, LARGEST_FILE, BoundedClient

    seconds = max(float(client.timeout), FILE_SECONDS)
    bounded = BoundedClient(timeout=seconds, largest=LARGEST_FILE)
    async with bounded:
        yield client.with_options(timeout=seconds, http_client=bounded)


async def read_results(parts: AsyncIterator[bytes], read: Callable[[Any], Result]) -> list[Result]:
    """What the rows of a file say; a row that cannot be read answers nothing.

    Args:
        parts: the file as it comes.
        read: makes a result of a row's value.
    """
    from assize.base.http_client import rows

    found = []
    async for row in rows(parts):
        try:
            result = read(json.loads(row))
        except _UNREADABLE:
            continue
        if isinstance(result.key, str):
            found.append(result)
    return found
