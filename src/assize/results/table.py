"""A table of figures that shows itself: on a page, in a terminal, a notebook, a card, a frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
        found: dict[str, list[Any]] = {}
        for place, column in enumerate(self.columns):
            cells = [row[place] for row in self.rows]
            plain = [bare(one) for one in cells]
            heading = column.name
            if heading in found:  # such as the p-values of several differences
                heading = f"{self.columns[place - 1].name} {heading}"
            found[heading] = [one.estimate if isinstance(one, Measured) else one for one in plain]
            if column.ends != "none" and any(isinstance(one, Measured) for one in plain):
                for end, name in enumerate(("low", "high")):
                    found[f"{heading} {name}"] = [
                        one.interval[end] if isinstance(one, Measured) else None for one in plain
                    ]
        return pd.DataFrame(found)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return terminal.text(self)
