"""Measures evaluators and stored judges against gold, side by side."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path

from assize.base.conversation import Item
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.base.signature import sign_text
from assize.evaluator._artefact import open_evaluator
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._inputs import corpora_in, judgments_beside, read_twice
from assize.evaluator._judge import EvaluatorJudge
from assize.evaluator._measuring.measure import PERMUTATIONS, against, averages, measure
from assize.evaluator._measuring.measured import EvaluatorFigures
from assize.evaluator._measuring.runtime import runtimes
from assize.evaluator._measuring.tasks import GOLD, find_tasks
from assize.evaluator._scoring import score_items
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import judgments_of, listed
from assize.judging.judge import Judge
from assize.judgments import JudgmentTable, Unit
from assize.judgments.learnt_from import hash_unit
from assize.stats._statistics import Statistics

USUAL = Statistics(permutations=PERMUTATIONS, seed=0)
VERSION = 2  # rises when the same judgments give other figures


def evaluate(
    items: ItemsLike,
    *,
    judgments: JudgmentsLike | None = None,
    evaluator: Evaluator | str | Path | Sequence[Evaluator | str | Path] | None = None,
    with_: JudgmentsLike | None = None,
    gold: str = GOLD,
    by: str | None = None,
    among: str | Sequence[str] = (),
    base: str | None = None,
    timed: str | Sequence[str] = (),
    statistics: Statistics = USUAL,
    encoder: str | None = None,
    in_sample: bool = False,
) -> EvaluatorFigures:
    """Compare evaluators with judgments: correlations with ratings, accuracy on pairs.

    Ratings: Pearson's and Spearman's correlation with their mean. Pairs: the share of right answers
    of the three, of right sides where gold is decided, and both by dimension.

    Args:
        items: files to read: paths, URLs, or - for standard input; each file is one benchmark. In
            Python also records, dicts and tables.
        judgments: files of gold labels, or of ratings or preferences by people. Default: those
            among the items. Models' judgments among them are measured too.
        evaluator: folder of a trained evaluator, default for the shipped one, or none to measure
            judges alone (repeatable). Default: the shipped one, which with `with_` may leave any
            number of items unscored. In Python also an evaluator.
        with_: judgments of other judges, measured by the same figures and combined with the
            evaluators (repeatable).
        gold: judge whose answers count as true.
        by: what dependent items share: system, metadata.NAME, or the group of a regular expression
            on ids.
        among: rows to choose the best and second best from (repeatable). Default: all.
        base: row that the others are tested against. Default: the first evaluator, without one
            the first judge.
        timed: also time the evaluators, and this judge, for example rating@hf:PATH, in seconds
            (repeatable); `evaluators` for these alone.
        statistics: how tests are made; see `Statistics`.
        encoder: encoder that may be loaded, if the evaluator was trained with one other than
            minilm.
        in_sample: also measure on items that the evaluator was trained on, which flatters it.

    Returns:
        An `EvaluatorFigures`. A figure is NaN with a reason where it says nothing; what a judge
        did not score is counted as unscored, never as wrong.

    Raises:
        ConfigError: no row of a name that is given, or an evaluator learnt from one of the items
            and `in_sample` is not given.
        DataError: no judgment fits an item.
        MissingExtra: a part of the extra `score` is not installed.

    Source: MTDEval (Tang et al.), section 5 and appendix D, tables 1, 2 and 4.
    """
    how = statistics.settings(USUAL)
    permutations, seed = how.permutations, how.seed
    items = read_twice(items)
    told = judgments_beside(items, judgments)
    benchmarks = corpora_in(items)
    others = [] if with_ is None else [judgments_of(with_, argument="with_")]
    tasks = find_tasks(benchmarks, told, gold=gold, by=by)
    if not tasks:
        raise DataError(
            "no judgment fits an item of these files; check the ids of the items, and that pairs"
            " have gold"
        )
    chosen = _open_evaluators(evaluator, encoder)
    if not in_sample:
        for one in chosen:
            _check_held_out(one, {unit for task in tasks for unit in task.units})
    per_turn = any(task.level == "turn" for task in tasks)
    wanted = [item for some in benchmarks.values() for item in some]
    own = JudgmentTable.concat(
        JudgmentTable.of(_scores(wanted, one, turns=per_turn), one.questions_apart)
        for one in chosen
    )
    stored = JudgmentTable.concat([told, *others])
    rows = measure(tasks, own, stored, gold=gold)
    names = list(dict.fromkeys(row.judge for row in rows))
    picked = listed(among) or names
    for name in picked:
        if name not in names:
            raise ConfigError(f"no row {name!r} among what is measured: {', '.join(names)}")
    first = chosen[0].judge if chosen else next(iter(names), "")
    compared = first if base is None else base
    clocked: list[str | Judge] = []
    if listed(timed):
        clocked = [EvaluatorJudge(one) for one in chosen]
        clocked += [name for name in listed(timed) if name != "evaluators"]
    signed = [VERSION, gold, by, compared, permutations, seed, *(one.signature for one in chosen)]
    return EvaluatorFigures(
        first,
        rows,
        averages(rows),
        against(rows, compared, permutations=permutations, seed=seed),
        compared,
        picked,
        runtimes(clocked, wanted) if clocked else (),
        sign_text(json.dumps(signed)),
        may_be_unscored=evaluator is None and with_ is not None,
    )


def _open_evaluators(
    evaluator: Evaluator | str | Path | Sequence[Evaluator | str | Path] | None,
    encoder: str | None,
) -> list[Evaluator]:
    """The evaluators that are measured: the shipped one by default, nobody for "none"."""
    several = "default" if evaluator is None else evaluator
    if isinstance(several, Evaluator | str | Path):
        several = [several]
    if not several:
        raise DataError(
            "no evaluator is given; leave the argument out for the shipped one, or give none for"
            " judges alone"
        )
    return [] if list(several) == ["none"] else [open_evaluator(one, encoder) for one in several]


def _check_held_out(evaluator: Evaluator, units: Collection[Unit]) -> None:
    """Raise ConfigError where an evaluator learnt from some of the units."""
    known = evaluator.learnt_from
    seen = [unit for unit in units if hash_unit(unit) in known] if known else []
    if seen:
        raise ConfigError(
            f"{evaluator.judge} learnt from judgments of {len(seen):,} of the {len(units):,} judged"
            f" items ({min(seen, key=str)[0]!r} is one): what is measured on them flatters; give"
            " other items, or in_sample to go on",
            "in_sample",
        )


def _scores(items: Sequence[Item], evaluator: Evaluator, *, turns: bool) -> list[Judgment]:
    """All rows of all items, pairs and dialogues side by side."""
    scored = score_items(items, evaluator=evaluator, turns=turns)
    return [row for item, rows in scored for row in evaluator.apart(item, rows)]
