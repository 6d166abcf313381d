"""Scoring conversations by criteria."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from assize.base.arguments import check_word, shown
from assize.base.errors import ConfigError
from assize.criteria._criterion import CriteriaSet, Scale
from assize.criteria._judge import open_criteria
from assize.criteria._reading import load_criteria
from assize.criteria._scores import CriteriaScores
from assize.criteria._scoring import NAME
from assize.formats import ItemsLike
from assize.formats.arguments import listed
from assize.judging.asking import DEFAULT, Asking
from assize.judging.judge import Prepared
from assize.judging.outcome import Outcome
from assize.judging.plan import Plan, asks_models
from assize.judging.run import plan_judging
from assize.judgments import JudgmentTable


@asks_models
def score(
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
    asking: Asking = DEFAULT,
) -> Plan[JudgmentTable]:
    """Score conversations by a set of criteria: NetSAT with its label, and each criterion.

    NetSAT is the sum of the scores on the SAT criteria minus the sum on the DSAT criteria, each
    from 0 to 10. Run the same command again to continue an interrupted run. The judge
    `criteria@FILE` does the same beside other judges.

    Args:
        items: files to read: paths, URLs, or - for standard input. In Python also records, dicts,
            tables.
        criteria: file of the criteria. In Python also a set, as `assize.load` gives it.
        model: model that scores, as provider:name (repeatable); evaluator:FOLDER for one that
            `criteria distill` made, which asks no model. The file's own name of a model says by
            which it was learnt, and asks nobody.
        scale: scale of the answers: likert (five answers in words) or numeric (0 to 10). Default:
            that of the file.
        values: what a score is: expected (the mean over the model's probabilities, if it gives
            them) or answer (what the model says, as published).
        out: folder of the run. In Python None scores in memory.
        samples: answers to sample per question if the model gives no probabilities.
        repeats: independent answers per item.
        seed: random seed.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`.

    Returns:
        A row `NetSAT` and a row a criterion for each conversation. Of NetSAT `details` hold the
        label (`good`, `bad` or `open`), where the set has learnt one.

    Raises:
        ConfigError: the user names no model; or as `assize.judge`.
        DataError: the file is no set of criteria; or as `assize.judge`.
        Interrupted: as `assize.judge`.

    Source: RUBICON, section 3.1.
    """
    if isinstance(criteria, CriteriaSet):
        known, name = criteria, criteria.name
    elif not isinstance(criteria, str | Path):
        raise ConfigError(f"criteria: received {shown(criteria)}; give its file, or a set")
    else:
        known, name = load_criteria(str(criteria)), str(criteria)
    check_word("scale", scale, ("likert", "numeric"))
    models: list[Any] = [None] if model is None else listed(model)
    if not models:
        raise ConfigError("model is empty; name one", "model")
    options: dict[str, Any] = {"criteria_values": values}
    if scale is not None:
        options["criteria_scale"] = scale
    scored = known if scale is None else replace(known, scale=scale)

    prepared = []
    for asked in models:
        judge = f"{NAME}@{name}" if asked is None else f"{NAME}@{name}@{asked}"
        prepared.append(Prepared(judge, partial(open_criteria, known, name, asked)))

    def show(outcome: Outcome) -> CriteriaScores:
        return CriteriaScores.of(outcome.judgments, scored, outcome)

    return plan_judging(
        items,
        prepared,
        out=out,
        quiet=quiet,
        asking=asking,
        show=show,
        samples=samples,
        repeats=repeats,
        seed=seed,
        options=options,
    )
