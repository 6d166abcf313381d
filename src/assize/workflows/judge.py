"""Asking judges about items: in memory, or into a folder that survives anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from assize.arguments import refuse_unknown
from assize.errors import ConfigError
from assize.formats import ItemsLike
from assize.judging import session as sessions
from assize.judging.judge import Prepared
from assize.judging.options import declared_options
from assize.judging.outcome import Estimates, Injections, Offered, Outcome, ShownPrompt, offered
from assize.judging.own.listing import known_judges
from assize.judging.session import Session
from assize.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.models import known_providers
from assize.running import run_sync
from assize.running.progress import progress
from assize.workflows.asking import (
    Asking,
    Judges,
    Judging,
    check_finished,
    folder_for,
    saved_rejects,
    session_of,
)
from assize.workflows.reading import log

_NOWHERE = Path("-")
_NOBODY = "name at least one judge, such as io@openai:gpt-4o"


@refuse_unknown
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
    **asking: Unpack[Asking],
) -> JudgmentTable:
    """Asks judges about conversations, pairs or continuations.

    Answers go to the folder `out` as they arrive. The same command continues
    an interrupted run; answers that are stored are never paid for twice.

    Args:
        items: paths, URLs, or - for standard input. In Python also records, dicts, tables.
        judges: a judge as name@model (repeatable).
        out: the run's folder. In Python None judges in memory.
        votes: orders in which each pair is shown, 1 or 2.
        repeats: independent answers to each.
        samples: samples a distribution, where no probabilities come.
        seed: seed of every random choice.
        quiet: no progress and no notes.
        options: option of a single judge by name, such as rubric=mine.yaml (repeatable).
        asking: how models are asked; see `Asking`.

    Works inside a running event loop too; `judge_async` is awaited there.

    Raises:
        ConfigError: a judge or a model is unknown, or the folder is another command's.
        DataError: an item cannot be read or judged, and `on_error` is `fail`.
        KeyboardInterrupt: it was interrupted; what was answered is in `out`, and the same
            call continues.
    """
    return run_sync(
        lambda: judge_async(
            items,
            judges,
            out=out,
            votes=votes,
            repeats=repeats,
            samples=samples,
            seed=seed,
            quiet=quiet,
            options=options,
            **asking,
        )
    )


@refuse_unknown
async def judge_async(items: ItemsLike, judges: Judges, **given: Unpack[Judging]) -> JudgmentTable:
    """`judge`, to be awaited."""
    with folder_for(given.get("out")) as folder:
        session = session_of(items, judges, folder, given)
        outcome = await run_session(session, quiet=given.get("quiet", False))
        check_finished(outcome)
        return outcome.judgments


@refuse_unknown
def run_judges(items: ItemsLike, judges: Judges, **given: Unpack[Judging]) -> Outcome:
    """`judge` into a folder, told how the run went instead of what was answered.

    Raises:
        ConfigError: `out` is not named; or see `judge`.
    """
    out = given.get("out")
    if out is None:
        raise ConfigError("name the run's folder with out (--out RUN)")
    session = session_of(items, judges, Path(out), given)
    return run_sync(lambda: run_session(session, quiet=given.get("quiet", False)))


async def run_session(session: Session, *, quiet: bool) -> Outcome:
    """Judges with a bar; bad records go to `rejects.jsonl` in the folder."""
    if not session.judges:
        raise ConfigError(_NOBODY)
    with (
        saved_rejects(session),
        progress("judging", sessions.expected(session), quiet=quiet) as advance,
    ):

        def on_rows(rows: Sequence[Judgment]) -> None:
            advance()

        return await sessions.judge_async(session, on_rows=on_rows, note=log.info)


@refuse_unknown
def estimate(items: ItemsLike, judges: Judges, **given: Unpack[Judging]) -> Estimates:
    """What `judge` would take and cost with these arguments, nothing being asked or written.

    What `out` and the cache hold already is not counted as calls.
    """
    out = given.get("out")
    session = session_of(items, judges, _NOWHERE if out is None else Path(out), given, dry=True)
    if not session.judges:
        raise ConfigError(_NOBODY)
    return run_sync(lambda: sessions.estimate(session))


@refuse_unknown
def show_prompt(
    items: ItemsLike,
    judge: str | Prepared,
    *,
    question: str | None = None,
    **given: Unpack[Judging],
) -> ShownPrompt:
    """The exact messages with which a judge would ask about the first item.

    Args:
        judge: as name, or name@model.
        question: of a judge that asks one by one; its main one when None.
    """
    session = session_of(items, [judge], _NOWHERE, given, dry=True)
    return run_sync(lambda: sessions.shown_prompt(session, judge, question))


@refuse_unknown
def measure_injections(judges: Judges, **given: Unpack[Judging]) -> Injections:
    """How often judges obey what stands in the text they judge, measured on built-in attacks."""
    return run_sync(lambda: measure_injections_async(judges, **given))


@refuse_unknown
async def measure_injections_async(judges: Judges, **given: Unpack[Judging]) -> Injections:
    """`measure_injections`, to be awaited."""
    session = session_of([], judges, _NOWHERE, given)
    if not session.judges:
        raise ConfigError(_NOBODY)
    return await sessions.measure_injections(session)


def list_judges() -> Offered:
    """The judges there are, those of installed packages and of this folder too, their options,
    and models."""
    judges = known_judges(folder=Path(), note=log.warning)
    return offered(
        {one.name: one.about for one in judges}, known_providers(log.warning), declared_options()
    )
