"""The run: items in, judgments out in order of completion; interrupted, resumed, exactly once.

items ──► tasks ──► judge ──► rows ──► appended and synced ──► reported
             ▲                            │
             └──── those already done ◄───┘
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from traceback import extract_tb
from typing import Any

from assize.base.conversation import Item
from assize.base.errors import AssizeError, AuthenticationError, ConfigError, OutputError
from assize.base.judgment import NOT_APPLICABLE, Judgment, Unscored
from assize.formats import ItemsLike
from assize.judging.asking import DEFAULT, Asking, Judges, saved_rejects, session_of
from assize.judging.dry_run import estimate, expected, shown_prompt
from assize.judging.judge import Judge, LocalJudge, Task, is_local, signature_of, smallest_chunk
from assize.judging.outcome import Estimates, Outcome, ShownPrompt, count_outcome
from assize.judging.plan import Bar, Plan, itself, path_of
from assize.judging.prompt_judge import unscored_rows
from assize.judging.reasons import reason_of
from assize.judging.records import Answer, call_of, judgment_records, task_key
from assize.judging.session import Note, OpenRun, RunSettings, Session, format_now, open_run
from assize.judging.summary import Summary
from assize.judging.table import open_session_judges
from assize.judging.tasks import explain_not_taken, takes_task, tasks_of
from assize.judgments import JudgmentTable
from assize.models import Models
from assize.results import Result
from assize.results.log import log
from assize.running import Interrupted, Postponed
from assize.running.executor import ChunkSize

Rows = Callable[[Sequence[Judgment]], None]


@dataclass(frozen=True, slots=True)
class JudgeWork:
    """Asks judges about items, into a folder."""

    session: Session

    async def run(self, bar: Bar) -> Outcome:
        """Judge with a bar; bad records go to `rejects.jsonl` in the folder."""
        session = self.session
        with saved_rejects(session), bar("judging", expected(session)) as advance:
            return await judge_async(session, on_rows=lambda _: advance(), note=log.info)

    async def estimate(self) -> Estimates:
        """Return calls, tokens and cost by model."""
        return await estimate(self.session)

    async def first_prompt(self, question: str | None) -> ShownPrompt:
        """Return the messages with which the first judge would ask about the first item."""
        return await shown_prompt(self.session, self.session.judges[0], question)


def check_judges(session: Session) -> None:
    """Refuse a session without judges.

    Raises:
        ConfigError: there is none.
    """
    if not session.judges:
        raise ConfigError("name at least one judge, such as io@openai:gpt-4o")


def plan_judging(
    items: ItemsLike,
    judges: Judges,
    *,
    out: str | Path | None,
    quiet: bool,
    asking: Asking = DEFAULT,
    show: Callable[[Outcome], Result] = itself,
    **settings: Any,
) -> Plan[JudgmentTable]:
    """Return the plan of judges who are asked about items.

    Args:
        show: makes what the command shows of the run's outcome.
        settings: as `session_of`.

    Raises:
        ConfigError: there is no judge.
    """

    def prepare(folder: Path, dry: bool) -> JudgeWork:
        session = session_of(items, judges, folder, asking, dry=dry, **settings)
        check_judges(session)
        return JudgeWork(session)

    return Plan(prepare, path_of(out), quiet, attrgetter("judgments"), show)


async def judge_async(
    session: Session,
    *,
    on_rows: Rows = lambda _: None,
    note: Note = lambda _: None,
) -> Outcome:
    """Judges all items that the run does not hold yet."""
    async with Models(session.models, note=note) as models:
        judges, summary = open_session_judges(session, models), Summary()
        records = judgment_records(judges, summary, retry=session.run.retry)
        async with open_run(session, models, records, note=note) as opened:
            await JudgeRun(judges, opened, session.run, summary, on_rows).run(session.items)
            facts = await opened.settle(summary.spent)
    summary.order_judges(judge.name for judge in judges)
    return count_outcome(session.out, summary, facts)


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
            if not is_local(judge) or not takes_task(judge, task):
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
        if not takes_task(judge, tasks[0]):
            reason = Unscored("unsupported", explain_not_taken(judge, tasks[0].item))
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
