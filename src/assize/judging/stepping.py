"""A session of steps: a folder that resumes, in which a method's calls are made and paid for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from platform import python_version
from typing import Any

from assize.errors import AnswerError, BudgetError, TooLongError
from assize.judging.calls import Asked
from assize.judging.session import Session, settings_of
from assize.judging.steps import WRITTEN, Step, Steps, steps_codec
from assize.judging.usage_total import UsageTotal
from assize.models import Models
from assize.models.replay import NotRecorded
from assize.running import Journal, Run, stoppable
from assize.running.journal import records_in
from assize.version import __version__

Task = Callable[[], Coroutine[Any, Any, None]]
Note = Callable[[str], None]


@dataclass
class Stepping:
    """An open session.

    Args:
        run: that does its tasks.
        waiting: answers that wait for a batch, once it is settled.
    """

    session: Session
    models: Models
    run: Run[Task, Step]
    waiting: int = 0

    async def do(self, tasks: Iterable[Task]) -> None:
        """Does tasks that keep their steps themselves; as many at once as calls may be."""
        await self.run.do(iter(tasks), at_once=8 + 2 * self.session.run.concurrency)

    async def settle(self) -> bool:
        """Submits what waits for a batch; whether everything has been asked and answered."""
        self.waiting = 0 if self.run.interrupted else await self.models.submit()
        return not self.run.interrupted and not self.waiting


@asynccontextmanager
async def stepping(
    session: Session,
    steps: Steps,
    models: Models,
    *,
    command: Mapping[str, Any],
    prompts: Mapping[str, str],
    note: Note = lambda _: None,
) -> AsyncIterator[Stepping]:
    """The session's folder, open: `steps` takes in what it holds, and keeps there what is asked.

    Args:
        command: what makes this run this run.
        prompts: version and hash of each prompt, for `run.json`.
    """
    about = {
        "versions": {"assize": __version__, "python": python_version()},
        "prompts": dict(prompts),
        "settings": settings_of(session),
    }
    codec = steps_codec(retry=session.run.retry)
    with Journal(
        session.out, codec, command=command, about=about, on_stored=steps.add_stored
    ) as journal:
        models.budget.keep_in(journal.ledger)
        await models.collect()
        run: Run[Task, Step] = Run(journal, _done, note=note, halt=models.stop)
        steps.journal, steps.heard = journal, lambda asked: _heard(run, asked)
        with stoppable(run.stop):
            yield Stepping(session, models, run)
        await journal.flush()


async def _done(task: Task) -> list[Step]:
    """A task keeps its steps itself, for a chain has several."""
    await task()
    return []


def _heard(run: Run[Task, Step], asked: Asked) -> None:
    """Counts failures where others are likely to fail as well."""
    if asked.unscored is None:
        run.succeeded()
    elif asked.error is not None and not isinstance(
        asked.error, BudgetError | TooLongError | NotRecorded | AnswerError
    ):
        run.failed(asked.error)


def stored_steps(session: Session) -> dict[int, Step]:
    """The steps that a folder holds and a run would keep, nothing being opened."""
    steps, codec = Steps(), steps_codec(retry=session.run.retry)
    place = session.out / codec.file
    if place.is_file():
        for one in records_in(place, codec):
            if one.whole and not codec.again(one.lines):
                steps.add_stored(one.lines)
    return steps.known


def spent_on(steps: Steps, booked_usd: float) -> UsageTotal:
    """What all steps of a run took, also those that it no longer rests on."""
    total = UsageTotal(booked_usd=booked_usd)
    for step in steps.known.values():
        if step.stage != WRITTEN:
            total.add(step.usage, step.attempts)
    return total
