"""Work of judges: every function that asks judges about items is this, and what it makes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.formats import ItemsLike
from assize.formats.files import is_url
from assize.judging.asking import DEFAULT, Asking, Judges, saved_rejects, session_of
from assize.judging.injection import measure, plain_item
from assize.judging.judge import Judge, JudgeContext, Prepared, Task
from assize.judging.options import own
from assize.judging.outcome import Estimates, Injections, Outcome, ShownPrompt, count_outcome
from assize.judging.plan import Bar, Plan, itself, path_of
from assize.judging.prompt_judge import PromptJudge, presented
from assize.judging.records import answers, judgment_records
from assize.judging.run import JudgeRun, Rows, tasks_of
from assize.judging.session import Note, Session, open_run
from assize.judging.summary import Summary
from assize.judging.table import open_judge, open_judges
from assize.judgments import JudgmentTable
from assize.models import Models
from assize.models.estimating import Estimate
from assize.models.model import wire
from assize.results import Result
from assize.results.log import log
from assize.running import keys_in, run_sync

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class JudgeWork:
    """Asks judges about items, into a folder."""

    session: Session

    async def run(self, bar: Bar) -> Outcome:
        """Judge with a bar; bad records go to `rejects.jsonl` in the folder."""
        session = self.session
        with saved_rejects(session), bar("judging", expected(session)) as advance:

            def on_rows(rows: Sequence[Judgment]) -> None:
                advance()

            return await judge_async(session, on_rows=on_rows, note=log.info)

    async def estimate(self) -> Estimates:
        """Return calls, tokens and cost by model."""
        return await estimate(self.session)

    async def first_prompt(self, question: str | None) -> ShownPrompt:
        """Return the messages with which the first judge would ask about the first item."""
        return await shown_prompt(self.session, self.session.judges[0], question)


@dataclass(frozen=True, slots=True)
class InjectionWork:
    """Asks judges about texts that hold attacks; nothing is kept."""

    session: Session

    def __post_init__(self) -> None:
        check_judges(self.session)
        if self.session.models.batch is not None:
            raise ConfigError("--injections asks at once: leave --batch out")

    async def run(self, bar: Bar) -> Injections:
        """Return the rates of each judge."""
        async with Models(self.session.models, note=lambda _: None) as models:
            return await self._measure(models)

    async def estimate(self) -> Estimates:
        """Return calls, tokens and cost by model."""
        settings = replace(self.session.models, dry=True)
        async with Models(settings, note=lambda _: None) as models:
            await self._measure(models)
            return Estimates({name: model.estimate for name, model in models.estimates.items()})

    async def first_prompt(self, question: str | None) -> ShownPrompt:
        """Return the messages about the first text without an attack."""
        items = self.session.items.part([plain_item(0)])
        return await JudgeWork(replace(self.session, items=items)).first_prompt(question)

    async def _measure(self, models: Models) -> Injections:
        judges = open_session_judges(self.session, models)
        return Injections([rate for judge in judges for rate in await measure(judge)])


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
    return count_outcome(session.out, summary, facts)


def judge(session: Session, **told: Any) -> Outcome:
    """`judge_async`, run to its end, also inside a running event loop; see `run_sync`."""
    return run_sync(lambda: judge_async(session, **told))


def open_session_judges(session: Session, models: Models) -> list[Judge]:
    """The session's judges."""
    context = JudgeContext(models, session.asked, options=session.options)
    return open_judges(session.judges, context)


async def estimate(session: Session) -> Estimates:
    """Calls, tokens and cost by model beyond what folder and cache hold; asks nothing.

    Where a judge samples answers of a model without log-probabilities, and nobody knows yet whether
    this one gives them, both cases are counted.
    """
    found, gives = await _estimated(session, logprobs=True)
    if session.asked.samples < 2 or not gives:
        return Estimates(found)
    without, _ = await _estimated(session, logprobs=False)
    return Estimates(
        found, without={name: one for name, one in without.items() if one != found[name]}
    )


async def _estimated(session: Session, *, logprobs: bool) -> tuple[dict[str, Estimate], bool]:
    """Each model's estimate, and whether one of them may give log-probabilities."""
    settings = replace(session.models, dry=True, dry_logprobs=logprobs)
    async with Models(settings, note=lambda _: None) as models:
        judges = open_session_judges(session, models)
        done = keys_in(session.out, answers(retry=session.run.retry))
        for one, task in tasks_of(session.items, judges, session.run, done):
            if isinstance(task.item, tuple(one.takes)):
                await one.judge(task)
        gives = any("logprobs" in model.capabilities for model in models.estimates.values())
        return {name: model.estimate for name, model in models.estimates.items()}, gives


async def shown_prompt(
    session: Session, judge: str | Judge | Prepared, question: str | None = None
) -> ShownPrompt:
    """The exact messages with which a judge would ask about the first item it takes."""
    async with Models(replace(session.models, dry=True), note=lambda _: None) as models:
        name = judge if isinstance(judge, str) else judge.name
        context = JudgeContext(models, session.asked, options=own(name, session.options))
        named = isinstance(judge, str) and "@" not in judge
        one = open_judge(f"{judge}@scripted:first" if named else judge, context)
        for _, given in tasks_of(session.items, [one], session.run, set()):
            asks, task = _first_call(one, given, question)
            request = asks.request(presented(task.item, task.order), task)
            return ShownPrompt(
                asks.prompt_version,
                task.item.id,
                task.order,
                wire(request.messages),
                request.schema,
            )
        raise DataError("the files hold no item", source=", ".join(session.files))


def _first_call(judge: Judge, task: Task, question: str | None) -> tuple[PromptJudge, Task]:
    """The prompt with which a judge first asks, for those that ask several times too."""
    if isinstance(judge, PromptJudge):
        return judge, task
    first = getattr(judge, "first_call", None)
    if first is None:
        raise ConfigError(f"{judge.name} asks with no prompt")
    found: tuple[PromptJudge, Task] = first(task) if question is None else first(task, question)
    return found


def expected(session: Session) -> int | None:
    """Answers the run will hold, for a progress bar; None where that cannot be said soon."""
    lines = len(session.items.source) if session.items.in_memory else 0
    for name in session.files:
        if name == "-" or is_url(name) or not name.endswith(".jsonl") or not Path(name).is_file():
            return None
        with open(name, "rb") as stream:
            lines += sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(_CHUNK), b""))
    try:
        first = next(iter(session.items), None)
    except DataError:  # the run itself says which record is bad, and where
        return None
    each = len(session.judges) * session.run.repeats
    total = lines * each * (session.run.votes if isinstance(first, Pair) else 1)
    return max(0, total - len(keys_in(session.out, answers(retry=session.run.retry))))
