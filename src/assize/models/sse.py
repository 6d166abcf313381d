"""Server-sent events as chat endpoints stream them: one JSON text in each `data:` line."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from assize.endpoints import of_event, of_sdk
from assize.errors import ServerError
from assize.http_client import rows

if TYPE_CHECKING:
    import httpx2

STREAMED = "text/event-stream"
DONE = "[DONE]"


def is_streamed(response: httpx2.Response) -> bool:
    """Whether events follow; some servers answer as a whole though a stream was asked for."""
    return str(response.headers.get("content-type", "")).lower().startswith(STREAMED)


async def data_lines(response: httpx2.Response) -> AsyncGenerator[str, None]:
    """What stands behind `data:`, line by line; closes the response at the end.

    Chat endpoints write each event's data on one line, so events need not be told apart by empty
    lines. Comments and other fields are passed over.

    Args:
        response: whose body has not been read.

    Raises:
        ModelError: the connection broke, or the answer took too long.
    """
    try:
        async with aclosing(_lines(response)) as lines:
            async for line in lines:
                if line.startswith(b"data:"):
                    yield line[5:].strip().decode("utf-8", errors="replace")
    except Exception as error:
        raise of_sdk(error, "openai") from error
    finally:
        await response.aclose()


async def _lines(response: httpx2.Response) -> AsyncGenerator[bytes, None]:
    async for line in rows(response.aiter_bytes()):
        yield line


def event(data: str) -> Mapping[str, Any]:
    """An event's object.

    Raises:
        ModelError: it tells of an error, or is no object.
    """
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ServerError(f"the server streamed no JSON ({error})") from error
    if not isinstance(value, Mapping):
        raise ServerError(f"the server streamed {value!r:.40}; expected an object")
    if value.get("error"):
        raise of_event(value["error"])
    return value
