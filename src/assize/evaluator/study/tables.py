"""The tables of a study of learning from judges, in the shape of MTDEval's."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assize.evaluator.measuring.runtime import runtime_table
from assize.evaluator.study.studied import EvaluatorStudy, JudgeOnPairs
from assize.evaluator.study.vote_counts import counts_table
from assize.results import Cell, Mean, ResultTable, columns, with_rows
from assize.studies import Figure


def study_tables(found: EvaluatorStudy) -> dict[str, ResultTable]:
    """`learners`, `juries`, `reliabilities`, `votes`, `runtime`; those that hold anything."""
    tables = {
        "learners": _learners(found),
        "juries": _juries(found),
        "reliabilities": _reliabilities(found),
        "votes": counts_table(found.counts),
        "runtime": runtime_table(found.runtimes),
    }
    return with_rows({name: one for name, one in tables.items() if one.rows})


def _learners(found: EvaluatorStudy) -> ResultTable:
    """Every row with its figures; p against all judges together."""
    against = {loss: found.table.against(found.together, loss) for loss in found.table.losses}
    tested = list(against)
    rows = []
    for row in found.table.rows:
        figures = found.table.figures[row.name]
        with_tie, without = figures["with_tie"], figures["without_tie"]
        p = [against[loss].get(row.name, math.nan) for loss in tested]
        rows.append(
            (
                row.group,
                row.name,
                _shown(with_tie),
                p[0],
                _shown(without),
                p[1],
                with_tie.n,
                with_tie.unscored or None,
            )
        )
    named = columns("words", "group", "learnt from")
    for short in ("w/ tie", "w/o tie"):
        named += columns("percent", short, digits=1, ends="below") + columns("p", f"p {short}")
    named += columns("count", "n", "unscored")
    notes = [
        "± is the deviation over the ways to deal folds; below it the 95% interval over groups of"
        f" pairs at one of them. p: errors against those of `{found.together}`, flipped group by"
        " group, Holm-corrected."
    ]
    return ResultTable(f"Learnt from votes: {found.question}", named, rows, notes, grouped=True)


def _shown(figure: Figure) -> Mean:
    return Mean(figure.estimate, figure.interval, figure.spread)


def _juries(found: EvaluatorStudy) -> ResultTable:
    """The default jury's figures and what other juries change, as in MTDEval's table 3."""
    if not found.changes:
        return ResultTable("Juries", columns("words", "jury"), [])
    base = found.table.figures[found.default]
    p = {loss: found.table.against(found.default, loss) for loss in found.table.losses}
    learner = found.default.partition(" (")[2].rstrip(")")
    rows: list[Sequence[Cell]] = [
        (
            found.default.partition(" (")[0],
            None,
            base["with_tie"].estimate,
            None,
            None,
            base["without_tie"].estimate,
            None,
            None,
        )
    ]
    for one in found.changes:
        name = f"{one.jury} ({learner})"
        both = [p[loss].get(name, math.nan) for loss in found.table.losses]
        rows.append(
            (
                one.jury,
                one.about,
                None,
                one.with_tie,
                both[0],
                None,
                one.without_tie,
                both[1],
            )
        )
    named = columns("words", "jury", "what changes")
    for short in ("w/ tie", "w/o tie"):
        named += columns("percent", short, digits=1)
        named += columns("percent", f"change {short}", digits=1, signed=True)
        named += columns("p", f"p {short}")
    note = (
        f"Learnt with {learner}; changes in points against the default jury on the same pairs, with"
        " 95% intervals over groups of pairs; p Holm-corrected over all rows."
    )
    return ResultTable("Other juries", named, rows, [note])


def _reliabilities(found: EvaluatorStudy) -> ResultTable:
    rows = [_judge(one) for one in sorted(found.judges, key=lambda one: -one.reliability)]
    named = columns("words", "judge") + columns("count", "votes")
    named += columns("number", "alpha", "beta", digits=2)
    named += columns("number", "alpha, with texts", "beta, with texts", digits=2)
    named += columns("percent", "right", digits=1)
    notes = [
        "alpha: share of votes for A where A is better, beta: of votes for B where B is; from the"
        " votes alone with 95% intervals, and learnt with the texts. right: share of votes for a"
        " side that are gold's; nothing learns from it."
    ]
    low, high = found.found.interval
    if not (math.isnan(low) or math.isnan(high)):
        notes.append(
            f"Learnt reliabilities and right votes: Pearson {found.found.estimate:.2f}"
            f" [{low:.2f}, {high:.2f}] over {found.found.n} judges."
        )
    return ResultTable("What is learnt of each judge", named, rows, notes)


def _judge(one: JudgeOnPairs) -> Sequence[Cell]:
    return (
        one.judge,
        one.votes,
        Mean(one.alpha, one.alpha_interval),
        Mean(one.beta, one.beta_interval),
        one.alpha_with_texts,
        one.beta_with_texts,
        one.right,
    )
