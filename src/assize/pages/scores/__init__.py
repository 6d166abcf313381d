"""The page of judgments: a stream of items is counted, and becomes one summary and one page."""

from assize.pages.scores.score_report import Listing, ScoreReport, write_report
from assize.pages.scores.summary import ScoreSummary

__all__ = ["Listing", "ScoreReport", "ScoreSummary", "write_report"]
