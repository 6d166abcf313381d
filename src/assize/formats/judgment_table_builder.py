"""One table of judgments from several sources, each with its questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from assize.base.judgment import Judgment, Question
from assize.formats.files import Location
from assize.formats.questions import Scales
from assize.formats.records import Record

if TYPE_CHECKING:
    from assize.judgments import JudgmentTable
    from assize.judgments.apart import Apart

_PART = 65_536  # judgments that are made into columns at once


class JudgmentTableBuilder:
    """Takes judgments source by source, as records or as columns, and makes one table of them.

    A question that two sources ask must have one scale in both; each method that adds raises
    DataError where it has not. Those of sets that differ, such as NetSAT of two sets of criteria,
    get names of their own.
    """

    def __init__(self) -> None:
        self._parts: list[Any] = []
        self._scales = Scales()
        self._apart: Apart | None = None

    def ask(self, source: Location, questions: Iterable[Question]) -> None:
        """Adds questions that stand in the table whether or not a judgment answers them."""
        self._scales.enter(source, questions, ())

    def add(
        self,
        source: Location,
        records: Iterable[Record],
        questions: Iterable[Question] = (),
        offered: Iterable[Question] = (),
    ) -> None:
        """Adds the judgments among some records, a part at a time, so that few are in memory.

        Args:
            source: where they stand, for errors.
            records: items among them are passed over, save for the `gold` of pairs.
            questions: those of the source.
            offered: those that only stand in the table where a judgment answers them.
        """
        asked, names = self._told_apart(questions)
        self._scales.enter(source, asked, offered)
        rows = (row for record in records for row in judgments_of(record))
        self._parts += _as_columns(self._seen(_named(rows, names)))

    def add_table(
        self, source: Location, table: JudgmentTable, questions: Iterable[Question]
    ) -> None:
        """Adds judgments that stand in columns already, with the questions of their source."""
        asked, names = self._told_apart(questions)
        named = _renamed(table, names) if names else table
        self._scales.enter(source, asked, ())
        self._scales.see_all(named)
        self._parts.append(named.arrow)

    def _told_apart(
        self, questions: Iterable[Question]
    ) -> tuple[Sequence[Question], Mapping[str, str]]:
        """A source's questions under the names that they get, and these; earlier ones change."""
        from assize.judgments.apart import Apart
        from assize.judgments.table import renamed_rows

        if self._apart is None:
            self._apart = Apart()
        given = list(questions)
        before, now = self._apart.enter(one for one in given if not one.extra.get("inferred"))
        if before:
            self._scales.rename(before)
            self._parts = [renamed_rows(part, before) for part in self._parts]
        return [replace(one, id=now.get(one.id, one.id)) for one in given], now

    def table(self) -> JudgmentTable:
        """The judgments in the order in which they came; questions not known are inferred."""
        import pyarrow as pa

        from assize.judgments import JudgmentTable
        from assize.judgments.schema import SCHEMA

        questions, inferred = self._scales.questions()
        arrow = pa.concat_tables(self._parts) if self._parts else SCHEMA.empty_table()
        return JudgmentTable(arrow, {one.id: one for one in questions}, frozenset(inferred))

    def _seen(self, rows: Iterable[Judgment]) -> Iterator[Judgment]:
        for row in rows:
            self._scales.see(row)
            yield row


def _renamed(table: JudgmentTable, names: Mapping[str, str]) -> JudgmentTable:
    from assize.judgments.table import JudgmentTable, renamed_rows

    return JudgmentTable(renamed_rows(table.arrow, names))


def _named(rows: Iterable[Judgment], names: Mapping[str, str]) -> Iterator[Judgment]:
    """The rows under their questions' new names."""
    for row in rows:
        yield replace(row, question=names[row.question]) if row.question in names else row


def _as_columns(rows: Iterator[Judgment]) -> Iterator[Any]:
    from assize.judgments.schema import from_rows

    while part := list(islice(rows, _PART)):
        yield from_rows(part)


def judgments_of(record: Record) -> Iterator[Judgment]:
    """A judgment itself; of a pair, its `gold` as judgments by the judge `gold`."""
    if isinstance(record, Judgment):
        yield record
    gold = getattr(record, "gold", None)
    if isinstance(gold, str):
        yield Judgment(record.id, "gold", "preference", answer=gold, kind="person")  # type: ignore[union-attr]
    elif gold is not None:
        for name, answer in gold.items():
            yield Judgment(record.id, "gold", name, answer=answer, kind="person")  # type: ignore[union-attr]
