"""One table of judgments from several sources, each with its questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any

import pyarrow as pa

from assize.base.conversation import Item
from assize.base.judgment import Judgment, Question
from assize.judgments.item_fields import judgments_of
from assize.judgments.questions import Questions
from assize.judgments.schema import SCHEMA, from_rows
from assize.judgments.table import JudgmentTable, renamed_rows

_PART = 65_536  # judgments that are made into columns at once


class JudgmentTableBuilder:
    """Takes judgments source by source, as records or as columns, and makes one table of them.

    A question that two sources ask must have one scale in both; each method that adds raises
    DataError where it has not. Those of sets that differ, such as NetSAT of two sets of criteria,
    get names of their own.
    """

    def __init__(self) -> None:
        self._parts: list[Any] = []
        self._questions = Questions()

    def ask(self, source: object, questions: Iterable[Question]) -> None:
        """Add questions that stand in the table whether or not a judgment answers them."""
        self._questions.begin(source, questions)

    def add(
        self,
        source: object,
        records: Iterable[Item | Judgment],
        questions: Iterable[Question] = (),
        offered: Iterable[Question] = (),
    ) -> None:
        """Add the judgments among some records, a part at a time, so that few are in memory.

        Args:
            source: where they stand, for errors.
            records: items among them are passed over, save for the `gold` of pairs.
            questions: those of the source.
            offered: those that only stand in the table where a judgment answers them.
        """
        names = self._merge(source, questions, offered)
        rows = (row for record in records for row in judgments_of(record))
        if names:
            rows = (replace(row, question=names.get(row.question, row.question)) for row in rows)
        while part := list(islice(rows, _PART)):
            for row in part:
                self._questions.add_row(row)
            self._parts.append(from_rows(part))

    def add_table(
        self, source: object, table: JudgmentTable, questions: Iterable[Question]
    ) -> None:
        """Add judgments that stand in columns already, with the questions of their source."""
        named = table.renamed(self._merge(source, questions))
        self._questions.add_table(named)
        self._parts.append(named.arrow)

    def _merge(
        self, source: object, questions: Iterable[Question], offered: Iterable[Question] = ()
    ) -> dict[str, str]:
        """Return new names of a source's questions; rows of before get theirs."""
        before, now = self._questions.merge(source, questions, offered)
        if before:
            self._parts = [renamed_rows(part, before) for part in self._parts]
        return dict(now)

    def table(self) -> JudgmentTable:
        """Return the judgments in the order in which they came; unknown questions are inferred."""
        questions, inferred = self._questions.result()
        arrow = pa.concat_tables(self._parts) if self._parts else SCHEMA.empty_table()
        return JudgmentTable(arrow, questions, inferred)
