"""What results look like: one record for a table, one way to write each number.

from assize.results import ResultTable, columns

named = columns("words", "question") + columns("number", "mean", "median", digits=2)
shown = ResultTable("Scores", named, [("clear", 0.31, 0.25), ("kind", 0.5, 0.5)])
print(shown)                # as a terminal shows it
shown.to_markdown()         # or to_html, to_latex, to_pandas; a notebook shows it by itself
"""

from assize.results.columns import Cell, Column, Mean, Ranked, Scaled, columns
from assize.results.result import Result
from assize.results.table import ResultTable, with_rows

__all__ = [
    "Cell",
    "Column",
    "Mean",
    "Ranked",
    "Result",
    "ResultTable",
    "Scaled",
    "columns",
    "with_rows",
]
