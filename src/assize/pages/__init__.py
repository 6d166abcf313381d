"""From judgments to one self-contained HTML page.

`ScoreReport` gathers items one at a time and writes the page for scores and preferences;
`write_report` does so for a table at hand. `charts` holds the figures and `page` the
pieces, from which other reports are built.
"""

from assize.pages.page import Section, write_page
from assize.pages.scores import Listing, ScoreReport, ScoreSummary, write_report

__all__ = ["Listing", "ScoreReport", "ScoreSummary", "Section", "write_page", "write_report"]
