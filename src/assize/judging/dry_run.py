"""What a run would ask, before it does: its calls and their price, its first prompt, its length."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.formats.files import is_url
from assize.judging.judge import Judge, JudgeContext, Prepared, Task, presented
from assize.judging.options import own
from assize.judging.outcome import Estimates, ShownPrompt
from assize.judging.prompt_judge import PromptJudge
from assize.judging.records import answers
from assize.judging.session import Session
from assize.judging.table import open_judge, open_session_judges
from assize.judging.tasks import tasks_of
from assize.models import Models
from assize.models.estimating import Estimate
from assize.models.model import wire
from assize.running import keys_in

_CHUNK = 1 << 20


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
