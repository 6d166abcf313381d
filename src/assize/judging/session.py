"""A session: what a run is told, and the one way in which a run is opened, resumed and paid for.

    async with Models(session.models) as models:        # the models are opened first
        async with open_run(session, models, records) as opened:
            await opened.run.do(tasks, work, ...)       # what the folder does not hold yet
            facts = await opened.settle(spent)          # batches submitted, money counted

Judges go through it (`run.py`), those of a live jury one after the other (`juries/decide_live.py`),
and so does every method whose calls are steps (`step_work.py`).
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from platform import python_version
from typing import Annotated, Any, Generic, TypeVar

from assize.base.endpoints import address
from assize.base.errors import AnswerError, BudgetError, ConfigError, TooLongError
from assize.base.signature import content_hash, file_hash
from assize.base.version import __version__
from assize.formats import Items, to_json
from assize.formats.files import is_read_once, is_url
from assize.judging.judge import Judge, JudgeSettings, Prepared
from assize.judging.records import RunRecords
from assize.judging.usage_total import UsageTotal
from assize.models import Models, ModelSettings
from assize.models.replay import NotRecorded
from assize.running import Journal, Run, stoppable
from assize.running.command import CHANGES_NUMBERS, marked_settings

R = TypeVar("R")

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How a run is made."""

    # 2 asks about each pair in both orders; 1 in one order a pair, drawn by `seed` so that neither
    # side is favoured over many pairs
    votes: Annotated[int, CHANGES_NUMBERS] = 2
    repeats: Annotated[int, CHANGES_NUMBERS] = 1  # independent answers to the same question
    seed: Annotated[int, CHANGES_NUMBERS] = 0  # of the drawn orders
    concurrency: int = 20  # calls in flight a model; the models' limits hold it
    # what an item does that a judge does not take, or an id that is there twice: `fail` or `skip`
    on_error: str = "fail"
    retry: bool = False  # ask again also what was refused, too long, or not readable

    def __post_init__(self) -> None:
        if self.votes not in (1, 2):
            raise ConfigError(f"votes is {self.votes}; a pair has two orders: give 1 or 2", "votes")
        if self.repeats < 1:
            raise ConfigError(f"repeats is {self.repeats}; it must be at least 1", "repeats")
        if self.on_error not in ("fail", "skip"):
            raise ConfigError(f"on_error is {self.on_error!r}; give fail or skip")


@dataclass(frozen=True, slots=True)
class Session:
    """Everything that one `assize judge` is told."""

    items: Items  # what is judged; read more than once
    # as written, `name@model`, or judges themselves, opened or prepared
    judges: Sequence[str | Judge | Prepared]
    out: Path  # the run's folder
    # run, asked, models: the settings of each part
    run: RunSettings = field(default_factory=RunSettings)
    asked: JudgeSettings = field(default_factory=JudgeSettings)
    models: ModelSettings = field(default_factory=ModelSettings)
    # of single judges, by name; see `options.py`
    options: Mapping[str, Any] = field(default_factory=dict)

    def command(self) -> dict[str, Any]:
        """What makes this run this run; speed, money and retries are not part of it."""
        return {
            "files": {
                name
                if is_read_once(name) or is_url(name)
                else str(Path(name).resolve()): fingerprint(name)
                for name in self.files
            },
            **self._in_memory(),
            **self.items.options.settings,
            **marked_settings(self.models, self.asked, self.run),
        }

    @property
    def files(self) -> list[str]:
        """The files among what is given."""
        return self.items.files

    def _in_memory(self) -> dict[str, str]:
        """A hash of the items in memory, which are no files of their own; {} for none."""
        if not self.items.in_memory:
            return {}
        texts = [json.dumps(to_json(item)) for item in self.items]
        return {"items": content_hash(*texts, digits=16)}


@dataclass(frozen=True, slots=True)
class RunFacts:
    """How a run went.

    Args:
        spent: calls, tokens and cost, earlier sessions included.
        interrupted: it was stopped early; the same call continues it.
        waiting: answers that wait for a batch.
    """

    spent: UsageTotal = field(default_factory=UsageTotal)
    interrupted: bool = False
    waiting: int = 0

    @property
    def finished(self) -> bool:
        """Whether everything has been asked and answered."""
        return not self.interrupted and not self.waiting


@dataclass(frozen=True, slots=True)
class OpenRun(Generic[R]):
    """An open run: its folder resumed, its models booking there what they cost.

    Args:
        session: what it was told.
        models: that are asked.
        run: does its tasks, and knows whether it is to stop.
    """

    session: Session
    models: Models
    run: Run[R]

    def count(self, error: Exception | None) -> None:
        """Count how a task ended; a failure only counts where others are likely to fail as well."""
        if error is None:
            self.run.succeeded()
        elif not isinstance(error, BudgetError | TooLongError | NotRecorded | AnswerError):
            self.run.failed(error)

    async def settle(self, spent: UsageTotal) -> RunFacts:
        """Submit what waits for a batch; return how the run went.

        Args:
            spent: what its records took; what was booked beyond that is added.
        """
        waiting = 0
        if not self.run.interrupted:
            waiting = await self.run.unless_stopped(self.models.submit()) or 0
        spent.booked_usd = self.models.budget.spent
        return RunFacts(spent, self.run.interrupted, waiting)


@asynccontextmanager
async def open_run(
    session: Session, models: Models, records: RunRecords[R], *, note: Note = lambda _: None
) -> AsyncIterator[OpenRun[R]]:
    """Open the session's folder; resume the run that it holds, and collect its batches.

    Args:
        models: open already, with all that will be asked.
        records: what the run writes.
        note: told what the user should know.

    Raises:
        ConfigError: the folder holds another command's run, or another process uses it.
        DataError: the folder is damaged where no kill damages it.
        OutputError: the folder cannot be written.
    """
    with Journal(
        session.out,
        records.codec,
        command={**session.command(), **records.command},
        about={
            "versions": {"assize": __version__, "python": python_version()},
            **records.about,
            "settings": settings_of(session),
        },
        beside=records.beside,
        on_stored=records.on_stored,
    ) as journal:
        if journal.stored.torn:
            note(
                f"{journal.stored.torn} answers in {journal.path} had lost rows, or had too many;"
                " they are asked again"
            )
        models.budget.keep_in(journal.ledger)
        await models.collect()
        run: Run[R] = Run(journal, note=note, halt=models.stop)
        with stoppable(run.stop):
            yield OpenRun(session, models, run)
        await journal.flush()


def settings_of(session: Session) -> dict[str, Any]:
    """All settings for `run.json`, the address without user, password and query."""
    models = asdict(session.models)
    if session.models.base_url is not None:
        models["base_url"] = address(session.models.base_url)
    parts = {"run": asdict(session.run), "judges": asdict(session.asked), "models": models}
    parts["options"] = dict(session.options)
    return {name: _plain(part) for name, part in parts.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    return str(value) if isinstance(value, Path) else value


def fingerprint(name: str) -> str | None:
    """A hash of a file's bytes; None for URLs and pipes, which are not read twice."""
    if is_read_once(name) or is_url(name):
        return None
    try:
        return file_hash(name, 16)
    except OSError:
        return content_hash(digits=16)


def format_now() -> str:
    """Return the time as rows have it, to the second, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
