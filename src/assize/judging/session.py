"""From items and names to a finished run: what `assize judge` and `assize.judge` call.

The async function is the implementation; `judge` runs it and nothing more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from assize.conversation import Pair
from assize.endpoints import address
from assize.errors import ConfigError, DataError
from assize.formats import Items, to_json
from assize.formats.files import is_read_once, is_url
from assize.judging.folder import Answer, answers, open_folder
from assize.judging.judge import Judge, JudgeContext, JudgeSettings, Prepared, Task
from assize.judging.options import own
from assize.judging.outcome import Estimates, Outcome, ShownPrompt, count_outcome
from assize.judging.prompt_judge import PromptJudge, presented
from assize.judging.run import JudgeRun, Note, Rows, RunSettings, tasks_of
from assize.judging.summary import Summary
from assize.judging.table import open_judge, open_judges
from assize.models import Models, ModelSettings
from assize.models.estimating import Estimate
from assize.models.model import wire
from assize.running import Journal, keys_in, run_sync, stoppable
from assize.signature import content_hash, file_hash

_CHUNK = 1 << 20


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
        url = self.models.base_url
        return {
            "files": {_spelt(name): fingerprint(name) for name in self.files},
            **self._in_memory(),
            **self.items.options.settings,
            "endpoint": None if url is None else address(url),
            "temperature": self.asked.temperature,
            "truncate": self.asked.truncate,
            "invisible": self.asked.invisible,
            "votes": self.run.votes,
            "repeats": self.run.repeats,
            "seed": self.run.seed,
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


async def judge_async(
    session: Session,
    *,
    on_rows: Rows = lambda _: None,
    note: Note = lambda _: None,
) -> Outcome:
    """Judges all items that the run does not hold yet."""
    models = Models(session.models, note=note)
    async with models:
        judges = opened(session, models)
        summary = Summary()
        with open_run(session, judges, models, summary) as folder:
            await models.collect()
            run = JudgeRun(judges, folder, session.run, on_rows, note, models.stop, summary)
            with stoppable(run.stop):
                await run.run(session.items)
            waiting = 0 if run.interrupted else await models.submit()
        summary.spent.booked_usd = models.budget.spent
        return count_outcome(
            session.out,
            summary,
            interrupted=run.interrupted,
            waiting=waiting,
        )


def open_run(
    session: Session,
    judges: Sequence[Judge],
    models: Models,
    summary: Summary,
    **more: Any,
) -> Journal[Answer]:
    """The session's folder, in which its models book their costs; `more` names the command."""
    folder = open_folder(
        session.out,
        judges,
        command={**session.command(), **more},
        extra={"settings": settings_of(session)},
        retry=session.run.retry,
        summary=summary,
    )
    models.budget.keep_in(folder.ledger)
    return folder


def judge(session: Session, **told: Any) -> Outcome:
    """`judge_async`, run to its end, also inside a running event loop; see `run_sync`."""
    return run_sync(lambda: judge_async(session, **told))


def opened(session: Session, models: Models) -> list[Judge]:
    """The session's judges."""
    context = JudgeContext(models, session.asked, options=session.options)
    return open_judges(session.judges, context)


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


def _spelt(name: str) -> str:
    return name if is_read_once(name) or is_url(name) else str(Path(name).resolve())


def fingerprint(name: str) -> str | None:
    """A hash of a file's bytes; None for URLs and pipes, which are not read twice."""
    if is_read_once(name) or is_url(name):
        return None
    try:
        return file_hash(name, 16)
    except OSError:
        return content_hash(digits=16)


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
        judges = opened(session, models)
        done = keys_in(session.out, answers())
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
    return max(0, total - len(keys_in(session.out, answers())))
