"""Charts of `assize reference themes`: how two sources sound, and in what they differ."""

from __future__ import annotations

from assize.pages import charts
from assize.pages.result_page import Charts
from assize.reference.contrast.result import Contrast


def draw_contrast(result: Contrast) -> Charts:
    """Return the shares of human phrasing, and those of each theme."""
    sounds = [
        (row.source, row.sounds_human.estimate, *row.sounds_human.interval)
        for row in result.phrasing
    ]
    spec = charts.means(sounds, title="share of labels that say human", range=(0, 1))
    drawn = {"phrasing": [(spec, "With the 95% interval, conversations as units.")]}
    if result.themes:
        rows = [
            (row.theme, row.source, row.labels.estimate, *row.labels.interval)
            for row in result.themes
        ]
        spec = charts.grouped(rows, series=result.sources, title="share of labels")
        drawn["themes"] = [(spec, "What raters noted. Lines are 95% intervals.")]
    return drawn
