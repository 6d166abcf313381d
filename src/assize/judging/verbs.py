"""Asking judges about items: in memory, or into a folder that survives anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assize.base.errors import ConfigError
from assize.formats import ItemsLike
from assize.judging.asking import DEFAULT, Asking, Judges, session_of
from assize.judging.injection import measure, plain_item
from assize.judging.options import declared_options
from assize.judging.outcome import Estimates, Injections, Offered, ShownPrompt, offered
from assize.judging.own.listing import known_judges
from assize.judging.plan import Bar, Plan, asks_models
from assize.judging.run import JudgeWork, check_judges, plan_judging
from assize.judging.session import Session
from assize.judging.table import offer, open_session_judges
from assize.judgments import JudgmentTable
from assize.judgments.judges import usual
from assize.models import Models, known_providers
from assize.results.log import log


@asks_models
def judge(
    items: ItemsLike,
    judges: Judges,
    *,
    out: str | Path | None = None,
    votes: int = 2,
    repeats: int = 1,
    samples: int = 1,
    seed: int = 0,
    quiet: bool = False,
    options: Mapping[str, Any] | None = None,
    asking: Asking = DEFAULT,
) -> Plan[JudgmentTable]:
    """Ask judges about conversations, pairs or continuations.

    Answers go to the folder `out` as they arrive. Run the same command again to continue an
    interrupted run: stored answers are never paid for twice.

    Args:
        items: files to read: paths, URLs, or - for standard input. In Python also records, dicts,
            tables.
        judges: judge to ask, as name@model (repeatable).
        out: folder of the run. In Python None judges in memory.
        votes: orders to show each pair in: 1, or 2 (each side first once).
        repeats: independent answers per item.
        samples: answers to sample per question if the model gives no probabilities.
        seed: random seed.
        quiet: no progress and no notes.
        options: option of a single judge, for example rubric=mine.yaml (repeatable).
        asking: how models are asked; see `Asking`.

    Works inside a running event loop too; `judge.plan(...).run_async()` is awaited there.

    Raises:
        ConfigError: a judge or a model is unknown, or the folder is another command's.
        DataError: an item cannot be read or judged, and `on_error` is `fail`.
        Interrupted: it was interrupted (a KeyboardInterrupt); what was answered is in `out`, and
            the same call continues.
    """
    return plan_judging(
        items,
        judges,
        out=out,
        quiet=quiet,
        asking=asking,
        votes=votes,
        repeats=repeats,
        samples=samples,
        seed=seed,
        options=options,
    )


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


@asks_models
def injections(
    judges: Judges,
    *,
    samples: int = 1,
    seed: int = 0,
    quiet: bool = False,
    options: Mapping[str, Any] | None = None,
    asking: Asking = DEFAULT,
) -> Plan[Injections]:
    """Measure how often judges obey instructions in the text they judge, on built-in attacks.

    Args:
        judges: judge to ask, as name@model (repeatable).
        samples: answers to sample per question if the model gives no probabilities.
        seed: random seed.
        quiet: no progress and no notes.
        options: option of a single judge by name (repeatable).
        asking: how models are asked; see `Asking`.
    """

    def prepare(folder: Path, dry: bool) -> InjectionWork:
        return InjectionWork(
            session_of(
                [], judges, folder, asking, samples=samples, seed=seed, options=options, dry=dry
            )
        )

    return Plan(prepare, quiet=quiet)


def list_judges(judges: str | Sequence[str] | None = None) -> Offered:
    """The judges there are, those of installed packages and of this folder too, their options,
    and models.

    Args:
        judges: only these, by name or as name@model.

    Raises:
        ConfigError: there is no judge of such a name.
    """
    known = known_judges(Path(), log.warning)
    wanted = [judges] if isinstance(judges, str) else list(judges or ())
    names = [usual(written).partition("@")[0].partition("/")[0] for written in wanted]
    for name in names:
        if name not in known:
            offer(name)  # says which there are
    return offered(
        {name: about for name, about in known.items() if not names or name in names},
        known_providers(log.warning),
        declared_options(names or None),
    )
