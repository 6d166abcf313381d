"""Scoring conversations by criteria."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Unpack

from assize.arguments import refuse_unknown, shown
from assize.criteria.criterion import CriteriaSet, Scale
from assize.criteria.judge import open_criteria
from assize.criteria.reading import load_criteria
from assize.criteria.scores import CriteriaScores
from assize.criteria.scoring import NAME
from assize.errors import ConfigError
from assize.formats import ItemsLike
from assize.judging.judge import JudgeContext, Prepared
from assize.judging.outcome import Estimates, ShownPrompt
from assize.judgments import JudgmentTable
from assize.running import run_sync
from assize.workflows.allowed import check_word
from assize.workflows.asking import Asking, Judging
from assize.workflows.criteria.local import own_labellings
from assize.workflows.judge import estimate, judge_async, run_judges, show_prompt
from assize.workflows.reading import listed

_OWN = {
    "scale": "criteria_scale",
    "values": "criteria_values",
}
"""Arguments, and the options of the judge that they are."""


@refuse_unknown
def score_criteria(
    items: ItemsLike,
    criteria: str | Path | CriteriaSet,
    *,
    model: str | Sequence[str] | None = None,
    scale: Scale | None = None,
    values: Literal["expected", "answer"] = "expected",
    out: str | Path | None = None,
    samples: int = 1,
    repeats: int = 1,
    seed: int = 0,
    quiet: bool = False,
    **asking: Unpack[Asking],
) -> JudgmentTable:
    """Scores conversations by a set of criteria: NetSAT, with its label, and each criterion.

    NetSAT is what SAT criteria say less what DSAT criteria say, 0 to 10 each. The same
    command continues an interrupted run. The judge `criteria@FILE` does the same beside
    other judges.

    Args:
        items: paths, URLs, or - for standard input. In Python also records, dicts, tables.
        criteria: the set's file. In Python also a set, as `assize.load` gives it.
        model: provider:name of the model that scores (repeatable); evaluator:FOLDER for one
            that `criteria distill` made, which asks no model. The file's own name of a model says
            by which it was learnt, and asks nobody.
        scale: likert (five answers in words) or numeric (0 to 10), by default that of the file.
        values: expected, the mean over a model's probabilities where it gives them, or
            answer, what it says, as published.
        out: the run's folder. In Python None scores in memory.
        samples: samples that make a distribution, where no probabilities come.
        repeats: independent answers to each.
        seed: seed of every random choice.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`.

    Returns:
        A row `NetSAT` and a row a criterion for each conversation. Of NetSAT `details` hold the
        label (`good`, `bad` or `open`), where the set has learnt one.

    Raises:
        ConfigError: the user names no model; or as `assize.judge`.
        DataError: the file is no set of criteria; or as `assize.judge`.
        KeyboardInterrupt: as `assize.judge`.

    Source: RUBICON, section 3.1.
    """
    return run_sync(
        lambda: score_criteria_async(
            items,
            criteria,
            model=model,
            scale=scale,
            values=values,
            out=out,
            samples=samples,
            repeats=repeats,
            seed=seed,
            quiet=quiet,
            **asking,
        )
    )


class ScoringCriteria(Judging, total=False):
    """The arguments of `score_criteria`, which say what each means."""

    model: str | Sequence[str] | None
    scale: Scale | None
    values: Literal["expected", "answer"]


@refuse_unknown
async def score_criteria_async(
    items: ItemsLike, criteria: str | Path | CriteriaSet, **given: Unpack[ScoringCriteria]
) -> JudgmentTable:
    """`score_criteria`, to be awaited."""
    _, judges, judging = _asked(criteria, given)
    return await judge_async(items, judges, **judging)


def run_criteria(
    items: ItemsLike, criteria: str | Path | CriteriaSet, **given: Unpack[ScoringCriteria]
) -> CriteriaScores:
    """`score_criteria` into a folder, told how the run went and what came out."""
    scored, judges, judging = _asked(criteria, given)
    outcome = run_judges(items, judges, **judging)
    models = listed(given.get("model") or ())
    others = own_labellings(scored, outcome.judgments.judges, models)
    return CriteriaScores.of(outcome.judgments, scored, outcome, others)


def estimate_criteria(
    items: ItemsLike, criteria: str | Path | CriteriaSet, **given: Unpack[ScoringCriteria]
) -> Estimates:
    """What `score_criteria` would take and cost, nothing being asked or written."""
    _, judges, judging = _asked(criteria, given)
    return estimate(items, judges, **judging)


def show_criterion(
    items: ItemsLike,
    criteria: str | Path | CriteriaSet,
    *,
    question: str,
    **given: Unpack[ScoringCriteria],
) -> ShownPrompt:
    """The exact messages with which a criterion is asked about the first conversation."""
    _, judges, judging = _asked(criteria, given)
    return show_prompt(items, judges[0], question=question, **judging)


def _asked(
    criteria: str | Path | CriteriaSet, given: ScoringCriteria
) -> tuple[CriteriaSet, list[Prepared], Judging]:
    """The set as it is scored, a judge a model, and the arguments of `assize.judge`."""
    if isinstance(criteria, CriteriaSet):
        known, name = criteria, criteria.name
    elif not isinstance(criteria, str | Path):
        raise ConfigError(f"criteria: received {shown(criteria)}; give its file, or a set")
    else:
        known, name = load_criteria(str(criteria)), str(criteria)
    scale = given.get("scale")
    if scale is not None:
        check_word("scale", scale, ("likert", "numeric"))
    wanted = given.get("model")
    models = [None] if wanted is None else listed(wanted)
    if not models:
        raise ConfigError("model is empty; name one")
    own: dict[str, Any] = {
        option: given[argument]  # type: ignore[literal-required]
        for argument, option in _OWN.items()
        if given.get(argument) is not None
    }
    rest = {key: one for key, one in given.items() if key not in (*_OWN, "model")}
    judging: Any = {**rest, "options": own}
    scored = known if scale is None else replace(known, scale=scale)
    return scored, [_prepared(known, name, one) for one in models], judging


def _prepared(given: CriteriaSet, written: str, model: str | None) -> Prepared:
    def opened(context: JudgeContext) -> Any:
        return open_criteria(given, written, model, context)

    return Prepared(f"{NAME}@{written}" if model is None else f"{NAME}@{written}@{model}", opened)
