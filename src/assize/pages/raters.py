"""Charts of raters: how far each agrees with the others, and all on each question."""

from __future__ import annotations

from assize.agreement import RaterReport
from assize.pages import charts
from assize.pages.result_page import Charts


def draw_raters(result: RaterReport) -> Charts:
    """Return alpha by question, and each rater's part in it."""
    alphas = [(row.question, row.estimate) for row in result.overall if "alpha" in row.statistic]
    raters = [(row.rater, row.agreement) for row in result.rows if row.agreement is not None]
    figures = {
        "overall": (
            alphas,
            "alpha",
            "Alpha by question, with its interval: 1 is full agreement, 0 is chance.",
        ),
        "rows": (
            raters,
            "agreement (part in alpha)",
            "Each rater's agreement with the others on the same items.",
        ),
    }
    return {
        name: [(charts.means(rows, title=title, mark=0), caption)] if rows else []
        for name, (rows, title, caption) in figures.items()
    }
