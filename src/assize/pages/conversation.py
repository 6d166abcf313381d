"""One conversation with everything that was said about it: judgments, then its turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from markupsafe import Markup

from assize.base.conversation import Item
from assize.base.judgment import NOT_APPLICABLE, Judgment, Question
from assize.judgments.values import number_of
from assize.pages import page
from assize.pages.excerpt import excerpt
from assize.results import Column, ResultTable
from assize.results.numbers import number

MOST = 2_000  # judgments on one page
LIKELY = 0.005  # least probability that is shown


def show_conversation(
    item: Item | str, rows: Sequence[Judgment], questions: Iterable[Question]
) -> Markup:
    """Return a conversation with its judgments; its id alone where the text is not known.

    Numbers about a turn stand beside it too.
    """
    known = {question.id: question for question in questions}
    numbers = [
        replace(row, score=number_of(row, known[row.question]))
        for row in rows
        if row.turn is not None and row.question in known
    ]
    view = excerpt(item, float("nan"), [], numbers)
    cells = [
        (
            row.judge,
            row.question,
            row.turn,
            describe_answer(row, known.get(row.question)),
            row.explanation,
        )
        for row in rows[:MOST]
    ]
    columns = [Column("Judge"), Column("Question"), Column("Turn", "count"), Column("Answer")]
    notes = [f"{len(rows) - MOST:,} more judgments are not shown."] if len(rows) > MOST else []
    table = ResultTable("Judgments", [*columns, Column("Explanation")], cells, notes)
    return page.render("conversation.html", item=view, table=page.table(table), shown=number)


def describe_answer(row: Judgment, question: Question | None) -> str:
    """Return a judgment in words: its answer with its label, its number, its probabilities.

    >>> describe_answer(Judgment("i", "j", "q", distribution={"1": 0.25, "2": 0.75}), None)
    '1 25%, 2 75%'
    """
    if row.unscored is not None:
        return f"unscored: {row.unscored.reason} {row.unscored.message}".rstrip()
    if row.answer == NOT_APPLICABLE:
        return "does not apply"
    answer = row.answer or ""
    label = question.labels.get(answer, "") if question is not None else ""
    chances = [f"{name} {p:.0%}" for name, p in (row.distribution or {}).items() if p >= LIKELY]
    score = "" if row.score is None else number(row.score)
    text = f"{answer}: {label}" if label else answer
    return ", ".join(filter(None, [text, score, *chances]))
