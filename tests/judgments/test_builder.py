"""Judgments from several sources become one table."""

from __future__ import annotations

import pytest

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.judgments.builder import JudgmentTableBuilder

ROWS = [Judgment("i", judge, "q", answer="2") for judge in ("ann", "bob")]
SCALE = Question("q", kind="ordinal", answers=("1", "2", "3"), values=(1.0, 2.0, 3.0))


def test_records_and_columns_keep_their_order_and_their_questions() -> None:
    builder = JudgmentTableBuilder()
    builder.add("records", ROWS[:1], [SCALE])
    builder.add_table("columns", JudgmentTable.of(ROWS[1:]), ())
    table = builder.table()
    assert (table.rows(), dict(table.questions), table.inferred) == (
        ROWS,
        {"q": SCALE},
        frozenset(),
    )


def test_nothing_added_is_an_empty_table_with_what_was_asked() -> None:
    builder = JudgmentTableBuilder()
    builder.ask("questions", [SCALE])
    table = builder.table()
    assert (len(table), dict(table.questions)) == (0, {"q": SCALE})


def test_a_question_that_is_offered_stands_only_where_it_is_answered() -> None:
    builder = JudgmentTableBuilder()
    builder.add("records", ROWS, offered=[SCALE, Question("other")])
    assert list(builder.table().questions) == ["q"]


def test_two_scales_of_one_question_name_both_sources() -> None:
    builder = JudgmentTableBuilder()
    builder.ask("first", [SCALE])
    with pytest.raises(DataError, match=r"^second: question 'q' has two scales: .* in first"):
        builder.add("second", ROWS, [Question("q", kind="number")])
