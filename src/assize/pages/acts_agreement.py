"""The charts of `assize acts agree`: how far a judge's acts and maxims are a person's."""

from __future__ import annotations

from collections.abc import Sequence

from assize.dialogue_acts.agreement import ActsAgreement, MaximShare, TurnShare
from assize.pages import charts
from assize.pages.drawing import Spec
from assize.pages.result_page import Charts


def draw_agreement(result: ActsAgreement) -> Charts:
    """Return a chart a judge above the turns and above the maxims."""
    several = len(result.judges) > 1
    drawn: dict[str, list[tuple[Spec, str]]] = {"turns": [], "maxims": []}
    for judge in result.judges:
        of = f", {judge.judge}" if several else ""
        turns = [row for row in result.turns if row.judge == judge.judge]
        maxims = [row for row in result.maxims if row.judge == judge.judge]
        if turns:
            spec = _shares(turns, [row.what for row in turns], "share of turns")
            drawn["turns"].append((spec, f"Turns, with 95% intervals{of}."))
        if maxims:
            spec = _shares(maxims, [row.maxim for row in maxims], "share of labels")
            drawn["maxims"].append((spec, f"Maxims, with 95% intervals{of}."))
    return drawn


def _shares(rows: Sequence[TurnShare | MaximShare], names: Sequence[str], title: str) -> Spec:
    points = [
        (name, row.share.estimate, *row.share.interval)
        for name, row in zip(names, rows, strict=True)
    ]
    return charts.means(points, title=title, range=(0.0, 1.0), format="%")
