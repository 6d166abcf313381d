"""Charts of `assize reference themes`: how two sources sound, and in what they differ."""

from __future__ import annotations

from assize.pages import charts
from assize.pages.result_page import Charts
from assize.reference._contrasts.result import Contrast


def draw_contrast(result: Contrast) -> Charts:
    """Return the shares of human phrasing, and those of each theme."""
    sounds = [(row.source, row.sounds_human) for row in result.phrasing]
    themes = [(row.theme, row.source, row.labels) for row in result.themes]
    phrasing = charts.means(sounds, title="share of labels that say human", range=(0, 1))
    noted = charts.grouped(themes, series=result.sources, title="share of labels")
    return {
        "phrasing": [(phrasing, "With the 95% interval, conversations as units.")],
        "themes": [(noted, "What raters noted. Lines are 95% intervals.")],
    }
