"""Work of judges: every function that asks judges about items is this, and what it makes of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from assize.errors import ConfigError
from assize.formats import ItemsLike
from assize.judging import session as sessions
from assize.judging.asking import DEFAULT, Asking, Judges, saved_rejects, session_of
from assize.judging.injection import measure, plain_item
from assize.judging.outcome import Estimates, Injections, Outcome, ShownPrompt
from assize.judging.plan import Bar, Plan, itself, path_of
from assize.judging.session import Session
from assize.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.models import Models
from assize.results import Result

log = logging.getLogger("assize")


@dataclass(frozen=True, slots=True)
class JudgeWork:
    """Asks judges about items, into a folder."""

    session: Session

    async def run(self, bar: Bar) -> Outcome:
        """Judge with a bar; bad records go to `rejects.jsonl` in the folder."""
        session = self.session
        with saved_rejects(session), bar("judging", sessions.expected(session)) as advance:

            def on_rows(rows: Sequence[Judgment]) -> None:
                advance()

            return await sessions.judge_async(session, on_rows=on_rows, note=log.info)

    async def estimate(self) -> Estimates:
        """Return calls, tokens and cost by model."""
        return await sessions.estimate(self.session)

    async def first_prompt(self, question: str | None) -> ShownPrompt:
        """Return the messages with which the first judge would ask about the first item."""
        return await sessions.shown_prompt(self.session, self.session.judges[0], question)


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
        judges = sessions.opened(self.session, models)
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
