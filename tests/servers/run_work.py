"""Work of a plan, run without a bar."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TypeVar

from assize.judging.plan import Work
from assize.running.progress import progress

R = TypeVar("R", covariant=True)


def run_work(work: Work[R]) -> R:
    """Return the result of work that is run to its end."""
    return asyncio.run(work.run(partial(progress, quiet=True)))
