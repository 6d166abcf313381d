"""How every result shows itself: as numbers, JSON, tables, in a terminal, a notebook, on a page.

A result is a frozen dataclass that derives from `Result`; its fields say all that is shown (see
`assize.results.fields`). A table alone:

from assize.results import ResultTable
from assize.results.columns import columns

named = columns("words", "question") + columns("number", "mean", "median", digits=2)
shown = ResultTable("Scores", named, [("clear", 0.31, 0.25), ("kind", 0.5, 0.5)])
print(shown)                # as a terminal shows it
shown.to_markdown()         # or to_html, to_latex, to_csv, to_pandas; a notebook shows it by itself
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
