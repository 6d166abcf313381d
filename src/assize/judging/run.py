"""The run: items in, judgments out in order of completion; interrupted, resumed, exactly once.

items ──► tasks ──► judge ──► rows ──► appended and synced ──► reported
             ▲                            │
             └──── those already done ◄───┘
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from traceback import extract_tb

from assize.base.conversation import Conversation, Item, Pair
from assize.base.errors import AssizeError, AuthenticationError, ConfigError, DataError, OutputError
from assize.base.judgment import NOT_APPLICABLE, Judgment, Order, Unscored
from assize.judging.judge import (
    Judge,
    LocalJudge,
    Task,
    is_local,
    sees_order,
    signature_of,
    smallest_chunk,
)
from assize.judging.prompt_judge import unscored_rows
from assize.judging.reasons import reason_of
from assize.judging.records import Answer, call_of, task_key
from assize.judging.session import OpenRun, RunSettings, format_now
from assize.judging.summary import Summary
from assize.running import Interrupted, Postponed
from assize.running.executor import ChunkSize
from assize.running.key_set import KeySet

Rows = Callable[[Sequence[Judgment]], None]


@dataclass
class JudgeRun:
    """One session of a run."""

    judges: Sequence[Judge]  # who is asked
    opened: OpenRun[Answer]  # where answers go
    settings: RunSettings  # see `RunSettings`
    summary: Summary  # counts the answers
    on_rows: Rows = lambda _: None  # told of each answer once it is on disk

    def __post_init__(self) -> None:
        self._thread = asyncio.Semaphore(1)
        self._sizes = {
            judge.name: ChunkSize(least, least)
            for judge in self.judges
            for least in (smallest_chunk(judge),)
        }

    async def run(self, items: Iterable[Item]) -> None:
        """Judges all items that are not done yet."""
        done = self.opened.run.journal.stored.done
        tasks = tasks_of(items, self.judges, self.settings, done, self._skip)
        asking = [judge for judge in self.judges if not is_local(judge)]
        # One works, a judge that needs no model in a thread; another reads and writes meanwhile.
        at_once = 2 if len(asking) < len(self.judges) else 0
        if asking:
            at_once += 8 + 2 * self.settings.concurrency * len(asking)
        await self.opened.run.do(
            self._chunks(tasks), self._answers, at_once=at_once, on_kept=self._kept
        )

    def _chunks(self, tasks: Iterable[tuple[Judge, Task]]) -> Iterator[tuple[Judge, list[Task]]]:
        """Tasks one by one, but those of judges that need no model in chunks."""
        waiting: dict[str, tuple[Judge, list[Task]]] = {}
        for judge, task in tasks:
            if not is_local(judge) or not _takes(judge, task):
                yield judge, [task]
                continue
            chunk = waiting.setdefault(judge.name, (judge, []))[1]
            chunk.append(task)
            if len(chunk) >= self._sizes[judge.name].tasks:
                yield waiting.pop(judge.name)
        yield from waiting.values()

    def _skip(self) -> None:
        self.summary.skipped += 1

    def _kept(self, answers: Sequence[Answer]) -> None:
        for rows in answers:
            self.summary.add(rows)
            self.on_rows(rows)

    async def _answers(self, given: tuple[Judge, list[Task]]) -> list[Answer]:
        """The answers to a chunk, complete with signature and time; failures are unscored."""
        judge, tasks = given
        if not _takes(judge, tasks[0]):
            reason = Unscored("unsupported", _not_taken(judge, tasks[0].item))
            return [finished(judge, task, unscored_rows(judge, task, reason)) for task in tasks]
        if is_local(judge):
            return await self._worked(judge, tasks)
        return [finished(judge, task, await self._asked(judge, task)) for task in tasks]

    async def _worked(self, judge: LocalJudge, tasks: Sequence[Task]) -> list[Answer]:
        """What a judge that needs no model says; a task that it fails on is unscored."""
        async with self._thread:
            if self.opened.run.stopping:
                raise Interrupted("the session ends")
            size = self._sizes[judge.name]
            found = await size.timed(judge.judge_many, tasks)
        for rows in found:
            if isinstance(rows, ConfigError):  # the judge is wrong, not the task
                raise rows
        return [
            finished(judge, task, self._count(judge, task, rows))
            for task, rows in zip(tasks, found, strict=True)
        ]

    async def _asked(self, judge: Judge, task: Task) -> Answer:
        """What a judge that asks a model says; whatever it raises leaves its task unscored.

        Only what no other task would survive ends the run: a wrong key or setting, a file that
        cannot be written. A defect that fails them all stops it soon; see `Run.failed`.
        """
        try:
            rows: Answer | Exception = await judge.judge(task)
        except (Postponed, AuthenticationError, ConfigError, OutputError):
            raise
        except Exception as error:
            rows = error
        return self._count(judge, task, rows)

    def _count(self, judge: Judge, task: Task, rows: Answer | Exception) -> Answer:
        """Count how a task ended; return its rows, of a failure unscored ones."""
        if not isinstance(rows, Exception):
            self.opened.count(None)
            return rows
        self.opened.count(rows)
        return unscored_rows(judge, task, Unscored(reason_of(rows), _said(rows)))


def _said(error: Exception) -> str:
    """What a failure's row says: our own message, or the error's kind, text and place."""
    if isinstance(error, AssizeError):
        return str(error)
    text = f"{type(error).__name__}: {error!s:.2000}".removesuffix(": ")
    places = extract_tb(error.__traceback__)
    return f"{text} ({Path(places[-1].filename).name}:{places[-1].lineno})" if places else text


def finished(judge: Judge, task: Task, rows: Answer) -> Answer:
    """An answer's rows with the judge's kind and signature, the time, and the call they share.

    The call's id says how many rows the answer has, so that a resumed run misses those that are
    lost.
    """
    now = format_now()
    call = None
    if len(rows) > 1 and all(row.call is None for row in rows):  # else the judge names calls
        call = f"{task_key(task.item.id, judge.name, task.order, task.repeat):016x}"
    calls = [row.call if row.answer == NOT_APPLICABLE else row.call or call for row in rows]
    return [
        replace(
            row,
            kind=judge.kind,
            signature=signature_of(judge, row.question),
            at=now,
            call=None if name is None else call_of(name, len(rows)),
        )
        for row, name in zip(rows, calls, strict=True)
    ]


def tasks_of(
    items: Iterable[Item],
    judges: Sequence[Judge],
    settings: RunSettings,
    done: Container[int],
    on_skip: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Judge, Task]]:
    """What is to be asked, item by item, without what is done."""
    seen = KeySet()
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


def _takes(judge: Judge, task: Task) -> bool:
    return isinstance(task.item, tuple(judge.takes))


def _not_taken(judge: Judge, item: Item) -> str:
    takes = " or ".join(f"{kind.__name__.lower()}s" for kind in judge.takes)
    return f"{judge.name} judges {takes}, and this is a {type(item).__name__.lower()}"
