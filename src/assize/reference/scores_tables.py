"""The tables of `ReferenceScores`."""

from __future__ import annotations

from collections.abc import Sequence

from assize.reference.metrics.table import MEAN
from assize.reference.scores import MetricScores, ReferenceScores
from assize.results import Column, ResultTable, columns
from assize.results.numbers import counted

_DIGITS = 3


def tables(scores: ReferenceScores) -> dict[str, ResultTable]:
    """`metrics`; `means` where there are several references, `sources` where there are two;
    `turns` and `drift` where turns are known."""
    title = f"Metrics of {counted(scores.conversations, 'conversation')}"
    if scores.continuations or not scores.conversations:
        within = f" in {counted(scores.conversations, 'conversation')}"
        title = f"Metrics of {counted(scores.continuations, 'continuation')}{within}"
    own = [one for one in scores.metrics if not one.over_references]
    found = {"metrics": _metrics(title, own)}
    if means := [one for one in scores.metrics if one.over_references]:
        found["means"] = _metrics("Means over several references", means)
    shown = [one for one in own if one.headline]
    several = len({one.judge for one in scores.metrics}) > 1
    if any(len(one.sources) > 1 for one in shown):
        rows = [
            (_named(one, several), source, mean, mean.n, mean.unscored)
            for one in shown
            for source, mean in one.sources.items()
        ]
        found["sources"] = _grouped("By source", "source", rows)
    if any(len(one.turns) > 1 for one in shown):
        rows = [
            (
                _named(one, several),
                f"turn {turn}",
                mean,
                mean.n,
                mean.unscored,
            )
            for one in shown
            for turn, mean in one.turns.items()
        ]
        found["turns"] = _grouped("By turn, counted from 0 over all turns", "turn", rows)
        drifts = [(_named(one, several), one.slope, one.slope.n) for one in shown]
        named = columns("words", "metric") + columns("number", "change a turn", signed=True)
        found["drift"] = ResultTable(
            "Drift: change for one turn on, of each source within a conversation",
            named + columns("count", "n"),
            drifts,
        )
    return found


def _metrics(title: str, found: Sequence[MetricScores]) -> ResultTable:
    absent = any(one.not_applicable for one in found)
    rows = [
        (
            one.judge,
            one.question.id.removesuffix(MEAN) if one.over_references else one.question.id,
            one.mean,
            one.n - one.unscored - one.not_applicable,
            one.unscored,
            one.not_applicable if absent else None,
        )
        for one in found
    ]
    named = columns("words", "judge", "metric") + columns("number", "mean", digits=_DIGITS)
    counted = columns("count", "n", "unscored", "n/a")
    return ResultTable(title, named + counted, rows, grouped=True)


def _grouped(title: str, by: str, rows: Sequence[tuple[object, ...]]) -> ResultTable:
    named: list[Column] = columns("words", "metric", by) + columns("number", "mean", digits=_DIGITS)
    return ResultTable(title, named + columns("count", "n", "unscored"), rows, grouped=True)


def _named(one: MetricScores, several: bool) -> str:
    """A metric's name, with its judge's where several judge."""
    return f"{one.judge}: {one.question.id}" if several else one.question.id
