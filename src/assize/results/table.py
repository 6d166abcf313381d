"""A table of figures that shows itself: on a page, in a terminal, a notebook, a card, a frame."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from io import StringIO
from typing import Any

from assize.base.cells import guarded
from assize.base.errors import MissingExtra
from assize.results import markup, terminal
from assize.results.columns import TableRecord, bare
from assize.results.numbers import Measured


@dataclass(frozen=True)
class ResultTable(TableRecord):
    """Figures as a page, a terminal, a notebook, a card and a data frame show them."""

    def to_html(self, *, titled: bool = False) -> str:
        """A `<div>` for a page; every text is escaped.

        Args:
            titled: a heading above says the title already; it is kept for readers of screens.
        """
        return markup.html(self, titled=titled)

    def to_markdown(self) -> str:
        """A table for a card or a document, without its title."""
        return markup.markdown(self)

    def to_latex(self) -> str:
        """A `tabular` with the rules of booktabs."""
        return markup.latex(self)

    def to_pandas(self) -> Any:
        """A data frame of the values: of a figure with an interval three columns.

        A heading that stands twice has that of the column before it in front.

        Raises:
            MissingExtra: pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtra("a data frame", extra="notebook", missing="pandas") from error
        return pd.DataFrame(self._values())

    def to_csv(self) -> str:
        """CSV with the columns of `to_pandas`, of which no spreadsheet runs a cell as a formula.

        A figure that there is none of is an empty cell.
        """
        values = self._values()
        text = StringIO()
        rows = [values, *zip(*values.values(), strict=True)]
        csv.writer(text, lineterminator="\n").writerows(map(_csv_cell, row) for row in rows)
        return text.getvalue()

    def _values(self) -> dict[str, list[Any]]:
        """The cells of each column, by its heading."""
        values: dict[str, list[Any]] = {}
        for index, column in enumerate(self.columns):
            cells = [bare(row[index]) for row in self.rows]
            heading = column.name
            if heading in values:  # such as the p-values of several differences
                heading = f"{self.columns[index - 1].name} {heading}"
            values[heading] = [
                cell.estimate if isinstance(cell, Measured) else cell for cell in cells
            ]
            if column.ends != "none" and any(isinstance(cell, Measured) for cell in cells):
                for end, name in enumerate(("low", "high")):
                    values[f"{heading} {name}"] = [
                        cell.interval[end] if isinstance(cell, Measured) else None for cell in cells
                    ]
        return values

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return terminal.text(self)


def _csv_cell(value: Any) -> Any:
    missing = isinstance(value, float) and math.isnan(value)
    return "" if missing else guarded(value)
