"""The run: items in, judgments out in order of completion; interrupted, resumed, exactly once.

items ──► tasks ──► judge ──► rows ──► appended and synced ──► reported
             ▲                            │
             └──── those already done ◄───┘
"""

from __future__ import annotations

import asyncio
import platform
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

import assize
from assize.conversation import Conversation, Item, Pair
from assize.errors import (
    AnswerError,
    AssizeError,
    AuthenticationError,
    BudgetError,
    ConfigError,
    DataError,
    ModelError,
    TooLongError,
)
from assize.judging.folder import RunFolder, task_key
from assize.judging.judge import Judge, Task, sees_order
from assize.judging.prompt_judge import unscored_rows
from assize.judging.reasons import reason_of
from assize.judging.summary import Summary
from assize.judgment import NOT_APPLICABLE, Judgment, Order, Question, Unscored
from assize.models.batch import Waiting
from assize.models.limits import Interrupted
from assize.models.replay import NotRecorded

Note = Callable[[str], None]
Rows = Callable[[Sequence[Judgment]], None]

MOST_WORKERS = 1024
GIVE_UP_AFTER = 100  # failed answers in a row


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How a run is made.

    Args:
        votes: 2 asks about each pair in both orders; 1 in one order a pair, drawn by
            `seed` so that neither side is favoured over many pairs.
        repeats: independent answers to the same question.
        seed: of the drawn orders.
        concurrency: calls in flight a model; the models' limits hold it.
        on_error: what an item does that a judge does not take, or an id that is there
            twice: `fail` or `skip`.
        retry: ask again also what was refused, too long, or not readable.
    """

    votes: int = 2
    repeats: int = 1
    seed: int = 0
    concurrency: int = 20
    on_error: str = "fail"
    retry: bool = False

    def __post_init__(self) -> None:
        if self.votes not in (1, 2):
            raise ConfigError(f"votes is {self.votes}; a pair has two orders: give 1 or 2")
        if self.repeats < 1:
            raise ConfigError(f"repeats is {self.repeats}; it must be at least 1")
        if self.on_error not in ("fail", "skip"):
            raise ConfigError(f"on_error is {self.on_error!r}; give fail or skip")


@dataclass
class Run:
    """One session of a run.

    Args:
        judges: who is asked.
        folder: where answers go.
        settings: see `RunSettings`.
        on_rows: told of each answer once it is on disk.
        note: told what the user should know.
        halt: called on `stop`; makes the models refuse calls that are not in flight yet.
    """

    judges: Sequence[Judge]
    folder: RunFolder
    settings: RunSettings
    on_rows: Rows = lambda _: None
    note: Note = lambda _: None
    halt: Callable[[], None] = lambda: None
    summary: Summary = field(default_factory=Summary)
    interrupted: bool = False
    _stopping: bool = False
    _fatal: BaseException | None = None
    _failed: int = 0

    def stop(self) -> None:
        """Asks no more; what is in flight is finished."""
        self.interrupted = self._stopping = True
        self.halt()

    async def run(self, items: Iterable[Item]) -> Summary:
        """Judges all items that are not done yet.

        Raises:
            AuthenticationError, ConfigError, OutputError: nothing can go on; what is
                answered is kept, and the same command continues.
        """
        tasks = tasks_of(items, self.judges, self.settings, self.folder.stored.done, self._skip)
        count = min(MOST_WORKERS, 8 + 2 * self.settings.concurrency * len(self.judges))
        async with asyncio.TaskGroup() as group:
            for _ in range(count):
                group.create_task(self._work(tasks))
        await self.folder.flush()
        if self._fatal is not None:
            raise self._fatal
        return self.summary

    async def _work(self, tasks: Iterator[tuple[Judge, Task]]) -> None:
        while not self._stopping:
            try:
                judge, task = next(tasks)
            except StopIteration:
                return
            except Exception as error:
                self._fail(error)
                return
            try:
                rows = await self._judged(judge, task)
                await self.folder.append(rows, lambda rows=rows: self._done(rows))  # type: ignore[misc]
            except Waiting:
                continue
            except Interrupted:
                return
            except Exception as error:  # a defect or the end: let the others finish first
                self._fail(error)

    def _fail(self, error: BaseException) -> None:
        self._stopping = True
        self.halt()
        if self._fatal is None:
            self._fatal = error

    def _skip(self) -> None:
        self.summary.skipped += 1

    def _done(self, rows: Sequence[Judgment]) -> None:
        self.summary.add(rows)
        self.on_rows(rows)

    async def _judged(self, judge: Judge, task: Task) -> Sequence[Judgment]:
        """The answer's rows, complete with signature and time; failures are unscored."""
        if not isinstance(task.item, tuple(judge.takes)):
            reason = Unscored("unsupported", _not_taken(judge, task.item))
            return self._finished(judge, task, unscored_rows(judge, task, reason))
        try:
            rows = await judge.judge(task)
            self._failed = 0
        except (AuthenticationError, Interrupted, Waiting):
            raise
        except (ModelError, AnswerError) as error:
            self._note_failure(error)
            rows = unscored_rows(judge, task, Unscored(reason_of(error), str(error)))
        return self._finished(judge, task, rows)

    def _note_failure(self, error: AssizeError) -> None:
        """Stops where nothing succeeds any more, so that a dead server ends no long run."""
        if isinstance(error, BudgetError | TooLongError | NotRecorded | AnswerError):
            return
        self._failed += 1
        if self._failed >= GIVE_UP_AFTER and not self._stopping:
            self.note(f"stopped: {self._failed} answers in a row failed, the last because: {error}")
            self.stop()

    def _finished(self, judge: Judge, task: Task, rows: Sequence[Judgment]) -> Sequence[Judgment]:
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        call = None
        if len(rows) > 1 and all(row.call is None for row in rows):  # else the judge names calls
            call = f"{task_key(task.item.id, judge.name, task.order, task.repeat):016x}"
        return [
            replace(
                row,
                kind=judge.kind,
                signature=judge.signature,
                at=now,
                call=row.call if row.answer == NOT_APPLICABLE else row.call or call,
            )
            for row in rows
        ]


def tasks_of(
    items: Iterable[Item],
    judges: Sequence[Judge],
    settings: RunSettings,
    done: Container[int],
    on_skip: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Judge, Task]]:
    """What is to be asked, item by item, without what is done.

    Raises:
        DataError: an id is there twice, or no judge takes such an item, and `on_error`
            is `fail`.
    """
    seen: set[int] = set()
    for item in items:
        key = task_key(item.id, "", None, 0)
        if key in seen:
            if settings.on_error == "fail":
                problem = f"two items have the id {item.id!r}"
                raise DataError(f"{problem}; give each its own or pass --on-error skip")
            on_skip()
            continue
        seen.add(key)
        for judge in judges:
            for task in tasks_for(judge, item, settings):
                if task_key(task.item.id, judge.name, task.order, task.repeat) not in done:
                    yield judge, task


def tasks_for(judge: Judge, item: Item, settings: RunSettings) -> Iterator[Task]:
    """An item's tasks: both orders of a pair, both sides for who judges conversations."""
    for repeat in range(settings.repeats):
        if isinstance(item, Pair) and Pair in judge.takes:
            if not sees_order(judge):
                yield Task(item, None, repeat)
                continue
            for order in orders(item.id, settings.votes, settings.seed):
                yield Task(item, order, repeat)
        elif isinstance(item, Pair) and Conversation in judge.takes:
            for side in item.sides():
                yield Task(side, None, repeat)
        elif isinstance(item, tuple(judge.takes)) or settings.on_error == "skip":
            yield Task(item, None, repeat)
        else:
            raise DataError(f"{item.id}: {_not_taken(judge, item)}; or pass --on-error skip")


def orders(id: str, votes: int, seed: int) -> tuple[Order, ...]:
    """The orders in which a pair is shown.

    >>> orders("p1", 2, 0)
    ('AB', 'BA')
    """
    if votes == 2:
        return ("AB", "BA")
    return ("BA",) if task_key(id, str(seed), None, 0) % 2 else ("AB",)


def _not_taken(judge: Judge, item: Item) -> str:
    takes = " or ".join(f"{kind.__name__.lower()}s" for kind in judge.takes)
    return f"{judge.name} judges {takes}, and this is a {type(item).__name__.lower()}"


def completeness(judges: Iterable[Judge]) -> Callable[[list[dict[str, Any]]], bool]:
    """Whether the last rows of a file are a whole answer of one of these judges.

    A judge whose answers are any number of rows cannot tell: its last answer is had
    anew, from the cache.
    """
    counts = {judge.name: 0 if judge.rows_vary else len(judge.questions) for judge in judges}

    def complete(rows: list[dict[str, Any]]) -> bool:
        wanted = counts.get(rows[0]["judge"], 1)
        return wanted > 0 and len({row["question"] for row in rows}) >= wanted

    return complete


def questions_of(judges: Iterable[Judge]) -> list[Question]:
    """The questions of all judges, each once; raises ConfigError where two differ."""
    found: dict[str, Question] = {}
    for question in chain.from_iterable(judge.questions for judge in judges):
        if found.setdefault(question.id, question) != question:
            raise ConfigError(f"two judges ask different questions named {question.id!r}")
    return list(found.values())


def about(judges: Iterable[Judge], extra: Mapping[str, Any]) -> dict[str, Any]:
    """What `run.json` says beside the command: versions, signatures, prompts."""
    prompts = {judge.name: getattr(judge, "prompt_version", None) for judge in judges}
    return {
        "versions": {"assize": assize.__version__, "python": platform.python_version()},
        "prompts": {name: prompt for name, prompt in prompts.items() if prompt is not None},
        **extra,
    }


def open_folder(
    path: Path,
    judges: Sequence[Judge],
    *,
    command: Mapping[str, Any],
    extra: Mapping[str, Any] | None = None,
    retry: bool = False,
) -> RunFolder:
    """The folder of this command's run; see `RunFolder` for what is refused."""
    names = [judge.name for judge in judges]
    if not names or len(set(names)) < len(names):
        raise ConfigError(f"judges are {names}; name at least one, and each once")
    signed = {judge.name: judge.signature for judge in judges}
    return RunFolder(
        path,
        command={"judges": signed, **command},
        about=about(judges, {} if extra is None else extra),
        questions=questions_of(judges),
        complete=completeness(judges),
        retry=retry,
    )
