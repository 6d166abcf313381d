"""Models that are asked to the end, and scripts that note what they are asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from tests.base.loops import in_loop

from assize.models import Request


@in_loop
async def use_model(make: Callable[[], Any], work: Callable[[Any], Awaitable[Any]]) -> Any:
    """Return what the work on a model gives, which is made in its loop and closed there."""
    model = make()
    try:
        return await work(model)
    finally:
        await model.aclose()


@in_loop
async def read_parts(stream: AsyncIterator[Any]) -> list[Any]:
    """Return all parts of a stream."""
    return [part async for part in stream]


def answering(
    calls: list[Request], *failures: Exception, seconds: float = 0.0
) -> Callable[[Request], Awaitable[str]]:
    """A script that notes its calls and takes a while; it fails so often, then says yes."""
    left = list(failures)

    async def script(request: Request) -> str:
        calls.append(request)
        await asyncio.sleep(seconds)
        if left:
            raise left.pop(0)
        return "yes"

    return script
