"""How every result shows itself: as numbers, JSON, tables, in a terminal, a notebook, on a page.

A result is a frozen dataclass that derives from `Result`; its fields say all that is shown (see
`assize.results.fields`). A table alone:

from assize.results import ResultTable, columns

named = columns("words", "question") + columns("number", "mean", "median", digits=2)
shown = ResultTable("Scores", named, [("clear", 0.31, 0.25), ("kind", 0.5, 0.5)])
print(shown)                # as a terminal shows it
shown.to_markdown()         # or to_html, to_latex, to_pandas; a notebook shows it by itself
"""

from assize.results.columns import Cell, Column, Mean, Ranked, Scaled, columns
from assize.results.encoding import to_json
from assize.results.fields import Table
from assize.results.result import Records, Result
from assize.results.table import ResultTable
from assize.results.types import (
    TEXT,
    Estimate,
    Hidden,
    Percent,
    PercentOnly,
    PValue,
    Share,
    Test,
    derive,
)

__all__ = [
    "TEXT",
    "Cell",
    "Column",
    "Estimate",
    "Hidden",
    "Mean",
    "PValue",
    "Percent",
    "PercentOnly",
    "Ranked",
    "Records",
    "Result",
    "ResultTable",
    "Scaled",
    "Share",
    "Table",
    "Test",
    "columns",
    "derive",
    "to_json",
]
