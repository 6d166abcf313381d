"""What every result can do: show itself anywhere, and leave as numbers, tables, charts, pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from assize.results.escape import printable
from assize.results.table import ResultTable

_NAMED = 6  # tables that a line says there are


class Result:
    """A result that prints as its command does, and shows its tables in a notebook.

    A class that derives from it has `to_json`, and `tables` or `tables_from`: the name of the
    function (`module:function`) that makes its tables, so that records import no rows.
    """

    __slots__ = ()
    tables_from: ClassVar[str]

    def __init_subclass__(cls, **given: Any) -> None:
        """A record keeps the line of `__repr__`: all its fields would be pages of numbers."""
        super().__init_subclass__(**given)
        cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """The figures, in the order in which they are read best."""
        found: Mapping[str, ResultTable] = self.made(self.tables_from.partition(":")[2])
        return found

    def made(self, function: str) -> Any:
        """What a function of the module in `tables_from` makes of the result."""
        return getattr(import_module(self.tables_from.partition(":")[0]), function)(self)

    @property
    def lines(self) -> Sequence[str]:
        """What is printed below the tables, such as the line that makes figures reproducible."""
        return ()

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know; the command line says it on stderr."""
        return ()

    @property
    def unfinished(self) -> Sequence[str]:
        """Why the work is not at its end, if it is not; said beside `--json` too."""
        return ()

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped before the end."""
        return False

    @property
    def missing(self) -> tuple[int, int]:
        """How many are unscored, and of how many."""
        return 0, 0

    def to_json(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        raise NotImplementedError(f"{type(self).__name__} has no JSON")

    def to_pandas(self, table: str | None = None) -> Any:
        """A data frame of one of `tables`, by name; of the first when None."""
        return self._table(table).to_pandas()

    def to_latex(self, table: str | None = None) -> str:
        """A `tabular` of one of `tables`, or all of them when None."""
        chosen = self.tables.values() if table is None else [self._table(table)]
        return "\n".join(one.to_latex() for one in chosen)

    def plot(self, table: str | None = None) -> Any:
        """An Altair chart of a table's figures with their intervals; see `assize.plot`."""
        return import_module("assize").plot(self, table)

    def report(self, path: str | Path, **told: Any) -> None:
        """Writes the result's page.

        Args:
            told: as of `assize.report`, such as `items`, of which texts are shown.
        """
        import_module("assize").report(self, path, **told)

    def _table(self, name: str | None) -> ResultTable:
        """One of the tables.

        Raises:
            ConfigError: there is none of that name.
        """
        from assize.errors import ConfigError

        found = self.tables
        if not found:
            raise ConfigError(f"a result of the kind {type(self).__name__} has no table")
        chosen = next(iter(found)) if name is None else name
        if chosen not in found:
            raise ConfigError(f"no table {name!r}; there are {', '.join(found)}")
        return found[chosen]

    def __str__(self) -> str:
        return "\n".join([*map(str, self.tables.values()), *map(printable, self.lines)])

    def __repr__(self) -> str:
        names = list(self.tables)
        more = ["..."] if len(names) > _NAMED else []
        shown = ", ".join([*names[:_NAMED], *more])
        return f"<{type(self).__name__}{': ' if shown else ''}{shown}>"

    def _repr_html_(self) -> str:
        below = "\n".join(self.lines)
        parts = [one.to_html() for one in self.tables.values()]
        if below:
            parts.append(f'<pre class="quiet">{escape(printable(below))}</pre>')
        return "\n".join(parts)
