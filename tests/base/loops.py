"""Coroutine functions that are called like any other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def in_loop(work: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, R]:
    """Makes of a coroutine function, of a test also, one that runs in a loop of its own."""

    @wraps(work)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        return asyncio.run(work(*args, **kwargs))

    return run
