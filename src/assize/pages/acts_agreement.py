"""The charts of `assize acts agree`: how far a judge's acts and maxims are a person's."""

from __future__ import annotations

from assize.acts._agreement import ActsAgreement
from assize.pages import charts
from assize.pages.drawing import Spec
from assize.pages.result_page import Charts


def draw_agreement(result: ActsAgreement) -> Charts:
    """Return a chart a judge above the turns and above the maxims."""
    drawn: dict[str, list[tuple[Spec, str]]] = {"turns": [], "maxims": []}
    for judge in result.judges:
        of = f", {judge}" if len(result.judges) > 1 else ""
        turns = [(row.what, row.share) for row in result.turns if row.judge == judge]
        maxims = [(row.maxim, row.share) for row in result.maxims if row.judge == judge]
        spec = charts.means(turns, title="share of turns", range=(0.0, 1.0), format="%")
        drawn["turns"].append((spec, f"Turns, with 95% intervals{of}."))
        spec = charts.means(maxims, title="share of labels", range=(0.0, 1.0), format="%")
        drawn["maxims"].append((spec, f"Maxims, with 95% intervals{of}."))
    return drawn
