"""Asking judges about items: in memory, or into a folder that survives anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assize.formats import ItemsLike
from assize.judging.asking import DEFAULT, Asking, Judges, session_of
from assize.judging.judge_work import InjectionWork, plan_judging
from assize.judging.options import declared_options
from assize.judging.outcome import Injections, Offered, offered
from assize.judging.own.listing import known_judges
from assize.judging.plan import Plan, asks_models
from assize.judging.table import offer
from assize.judgments import JudgmentTable
from assize.judgments.judges import usual
from assize.models import known_providers
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
    """Measures how often judges obey what stands in the text they judge, on built-in attacks.

    Args:
        judges: a judge as name@model (repeatable).
        samples: samples a distribution, where no probabilities come.
        seed: seed of every random choice.
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
