"""What every result can do: show itself anywhere, and leave as numbers, tables, charts, pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from assize.base.secrets import redacted
from assize.results.encoding import record_to_json
from assize.results.escape import printable
from assize.results.fields import counts_of, headline_of, tables_of
from assize.results.numbers import counted
from assize.results.table import ResultTable

T = TypeVar("T")
_NAMED = 6  # tables that a line says there are


class Result:
    """A result that prints as its command does, and shows its tables in a notebook.

    A class that derives from it is a frozen dataclass, and its fields say what is shown: records
    marked with `Table` are tables, figures of its own (`Estimate`, `Share`, `int`) its headline,
    and a field with `repr=False` is working data that nothing shows. See `results.fields`.
    """

    __slots__ = ()
    heading: ClassVar[str] = ""
    """Title of its page; the name of the class in words when empty."""
    markdown: ClassVar[bool] = False
    """Whether its `lines` are Markdown, which a page sets."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Keep from `dataclass` what its fields would make of a result.

        Its `__repr__` would be pages of numbers. A result is equal to itself alone: there are
        arrays inside, which have no single answer to `==`, and no hash.
        """
        super().__init_subclass__(**options)
        for name in ("__repr__", "__eq__", "__hash__"):
            setattr(cls, name, getattr(cls, name))

    @property
    def sentence(self) -> str:
        """What happened, in one sentence, which opens the page.

        What the class says of itself, the first line of its docstring, where it says no more.
        """
        return (type(self).__doc__ or "").partition("\n")[0]

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """The tables that the fields declare, those of `paper_tables`, and of results inside."""
        tables = {**tables_of(self, self.table_notes), **self.paper_tables()}
        for part in self.inner:
            tables |= {name: table for name, table in part.tables.items() if name not in tables}
        return tables

    @property
    def inner(self) -> Sequence[Result]:
        """Results inside this one whose tables stand after its own."""
        return ()

    def paper_tables(self) -> Mapping[str, ResultTable]:
        """Tables in the shape that a paper prints, which no record has."""
        return {}

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """What stands below a table beside its own notes, by field."""
        return {}

    @property
    def headline(self) -> Mapping[str, tuple[str, str]]:
        """The result's own figures in words, and of how many each is."""
        figures = {}
        for column, value in headline_of(self):
            first, ends = column.shown(value)
            figures[column.name] = first, ", ".join(filter(None, (ends, counts_of(value))))
        return figures

    @property
    def lines(self) -> Sequence[str]:
        """What is printed below the tables: the settings and the signature of the figures."""
        settings: Mapping[str, object] = getattr(self, "settings", {})
        signature: str = getattr(self, "signature", "")
        if not settings or not isinstance(settings, Mapping):
            return [f"signature {signature}"] if signature else ()
        named = (f"{name}={value}" for name, value in settings.items() if value is not None)
        return ["|".join([*named, signature])]

    @property
    def news(self) -> Sequence[str]:
        """What was written, replaced and spent: the fields `outputs`, `scrubbed` and `spent`.

        The command line says it on stderr; a page in a plain line.
        """
        outputs: Mapping[str, int] = getattr(self, "outputs", {})
        lines = [f"{path}: {counted(n, 'record')}" if n else path for path, n in outputs.items()]
        if (scrubbed := getattr(self, "scrubbed", None)) is not None:
            kinds = ", ".join(f"{n:,} {kind}" for kind, n in sorted(scrubbed.items()))
            lines.append(f"scrubbed: {kinds or 'nothing found'}")
        if (spent := getattr(self, "spent", None)) is not None:
            lines.append(str(spent))
        return lines

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should mind; the command line says it on stderr, a page on top."""
        return ()

    @property
    def unfinished(self) -> Sequence[str]:
        """Why the work is not at its end, if it is not; said before all else, `--json` or not."""
        notes = []
        if self.interrupted:
            notes.append(
                "interrupted; answers so far are kept, and the same command continues the run"
            )
        if self.waiting:
            notes.append(f"{self.waiting} answers wait for a batch; run the same command later")
        return notes

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped before the end; a field, where that can be."""
        return False

    @property
    def waiting(self) -> int:
        """How many answers wait for a batch; a field, where some can."""
        return 0

    @property
    def missing(self) -> tuple[int, int]:
        """How many are unscored, and of how many.

        The fields `unscored` and `n`, of a result whose `n` counts what is unscored too.
        """
        return getattr(self, "unscored", 0), getattr(self, "n", 0)

    def to_json(self) -> dict[str, Any]:
        """The object that `--json` prints: every field but working data, by its name.

        A signature that the class computes stands there too.
        """
        value = record_to_json(self)
        signature = getattr(self, "signature", "")
        return value | {"signature": signature} if signature else value

    def to_pandas(self, table: str | None = None) -> Any:
        """A data frame of one of `tables`, by name; of the first when None."""
        return self.choose_table(table).to_pandas()

    def to_csv(self, table: str | None = None) -> str:
        """One of `tables` as CSV that no spreadsheet runs, by name; the first when None."""
        return self.choose_table(table).to_csv()

    def to_latex(self, table: str | None = None) -> str:
        """A `tabular` of one of `tables`, or all of them when None."""
        chosen = self.tables.values() if table is None else [self.choose_table(table)]
        return "\n".join(each.to_latex() for each in chosen)

    def plot(self, table: str | None = None) -> Any:
        """An Altair chart of a table's figures with their intervals; see `assize.plot`."""
        return import_module("assize").plot(self, table)

    def report(self, path: str | Path, **options: Any) -> None:
        """Writes the result's page.

        Args:
            options: as of `assize.report`, such as `items`, of which texts are shown.
        """
        import_module("assize").report(self, path, **options)

    def choose_table(self, name: str | None = None, charts: Iterable[str] = ()) -> ResultTable:
        """Return one of `tables`, by name; the first when None.

        Args:
            charts: names that an error offers too.

        Raises:
            ConfigError: there is none of that name.
        """
        from assize.base.errors import ConfigError

        tables = self.tables
        if not tables:
            raise ConfigError(f"a result of the kind {type(self).__name__} has no table")
        chosen = next(iter(tables)) if name is None else name
        if chosen not in tables:
            known = ", ".join(dict.fromkeys([*charts, *tables]))
            raise ConfigError(f"no table {name!r}; there are {known}")
        return tables[chosen]

    def _headline_lines(self) -> list[str]:
        return [
            f"{name}: {', '.join(filter(None, words))}" for name, words in self.headline.items()
        ]

    def __str__(self) -> str:
        headline = [printable(line) for line in self._headline_lines()]
        headline += [""] if headline else []
        lines = [*headline, *map(str, self.tables.values()), *map(printable, self.lines)]
        return redacted("\n".join(lines))

    def __repr__(self) -> str:
        names = list(self.tables)
        more = ["..."] if len(names) > _NAMED else []
        shown = ", ".join([*names[:_NAMED], *more])
        return f"<{type(self).__name__}{': ' if shown else ''}{shown}>"

    def _repr_html_(self) -> str:
        parts = [_preformatted(self._headline_lines())]
        parts += [each.to_html() for each in self.tables.values()]
        return redacted("\n".join(filter(None, [*parts, _preformatted(self.lines)])))


class Records(Result, Generic[T]):
    """A result whose first field holds records, which iterating gives."""

    __slots__ = ()

    @property
    def _records(self) -> Sequence[T]:
        records: Sequence[T] = getattr(self, fields(self)[0].name)  # type: ignore[arg-type]
        return records

    def __iter__(self) -> Iterator[T]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)


def _preformatted(lines: Sequence[str]) -> str:
    text = "\n".join(lines)
    return f'<pre class="quiet">{escape(printable(text))}</pre>' if text else ""
