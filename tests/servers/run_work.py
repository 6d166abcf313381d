"""Work of a plan, run without a bar."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from assize.judging.outcome import Outcome
from assize.judging.plan import Work
from assize.judging.run import judge_async
from assize.judging.session import Session
from assize.running import run_sync
from assize.running.progress import Advance

R = TypeVar("R", covariant=True)


def run_work(work: Work[R], counted: list[int] | None = None) -> R:
    """Return the result of work that is run to its end; `counted` gets what its bar is told."""

    @contextmanager
    def bar(label: str, total: int | None) -> Iterator[Advance]:
        yield lambda done=1: None if counted is None else counted.append(done)

    return asyncio.run(work.run(bar))


def judge_session(session: Session, **more: Any) -> Outcome:
    """Return how a session of judges ends, run without a bar, also where an event loop runs."""
    return run_sync(lambda: judge_async(session, **more))
