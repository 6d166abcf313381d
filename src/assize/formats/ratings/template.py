"""A table of ratings to fill in: a workbook with dropdowns, or CSV, long or wide."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from assize.base.cells import guarded
from assize.base.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import NOT_APPLICABLE, Question
from assize.formats.files import open_output, plain_suffix
from assize.formats.ratings.headers import asked
from assize.formats.records import to_json
from assize.formats.writing import encoded, write_questions
from assize.formats.xlsx import Sheet, SheetColumn, write_workbook
from assize.formats.xlsx.reading import DEFINITION, QUESTIONS_SHEET, SHEET
from assize.formats.xlsx.writing import LONGEST
from assize.results.escape import visible

TemplateLayout = Literal["long", "wide"]
MOST = 6_000  # characters of a conversation that a cell shows
_DROPDOWN = 255  # characters that a dropdown's answers may have together
_WIDTHS = {"item": 16.0, "excerpt": 70.0, "rater": 14.0, "asked": 40.0, "allowed": 30.0}


def blank(
    units: Sequence[str],
    questions: Sequence[Question],
    raters: Sequence[str],
    texts: Mapping[str, str],
    layout: TemplateLayout,
) -> Sheet:
    """The sheet to fill in: all items by one rater, then by the next.

    Args:
        units: ids of items.
        raters: whose names stand in the rows; with none people write their own.
        texts: by id what is rated; {} where it is not known.
        layout: `long` has a row an item and question, `wide` one an item.
    """
    shown = ["excerpt"] if texts else []
    first = [
        (item, *([texts.get(item, "")] if texts else []), rater)
        for rater in raters or [""]
        for item in units
    ]
    if layout == "wide":
        offered = {_header(question): (_offered(question),) * len(first) for question in questions}
        columns = ["item", *shown, "rater", *offered, "comment"]
        rows = tuple((*cells, *[""] * (len(offered) + 1)) for cells in first)
    else:
        offered = {"answer": tuple(_offered(question) for _ in first for question in questions)}
        columns = ["item", *shown, "rater", "question", "asked", "allowed", "answer", "comment"]
        rows = tuple(
            (*cells, question.id, question.text, _allowed(question), "", "")
            for cells in first
            for question in questions
        )
    return Sheet(
        SHEET,
        tuple(
            SheetColumn(
                name,
                _WIDTHS.get(name, 18.0),
                open=name in ("rater", "comment") or name in offered,
                by_row=offered.get(name, ()),
            )
            for name in columns
        ),
        rows,
    )


def _header(question: Question) -> str:
    """Id and words where both are read back as the id; else the id alone."""
    both = f"{question.id}. {' '.join(question.text.split())}"
    return both if question.text and asked(both, {}).id == question.id else question.id


def _answers(question: Question) -> list[str]:
    """What may be said, with the words of each answer."""
    labels = question.labels
    listed = [f"{one}: {labels[one]}" if one in labels else one for one in question.answers]
    return listed if question.applies == "always" else [*listed, NOT_APPLICABLE]


def _allowed(question: Question) -> str:
    if question.range is not None:
        return f"a number from {question.range[0]:g} to {question.range[1]:g}"
    return "; ".join(_answers(question)) or (
        "a number" if question.kind == "number" else "any text"
    )


def _offered(question: Question) -> tuple[str, ...]:
    """A dropdown's answers, without their words where these make none; () for free text."""
    plain = list(question.answers)
    for one in (_answers(question), plain):
        fits = len(",".join(one)) <= _DROPDOWN and not any(
            "," in text or '"' in text for text in one
        )
        if one and fits:
            return tuple(one)
    return ()


def item_text(item: Item) -> str:
    """What is rated, turn by turn; a long one loses its middle, and says how much.

    >>> item_text(Conversation("c", (Turn("user", "Hi"), Turn("assistant", "Hello"))))
    'user: Hi\\n\\nassistant: Hello'
    """
    if isinstance(item, Conversation):
        text = _turns(item.turns)
    elif isinstance(item, Pair):
        parts = [("Context", item.context), ("A", item.a), ("B", item.b)]
        text = "\n\n".join(f"[{name}]\n{_turns(turns)}" for name, turns in parts if turns)
    elif isinstance(item, Continuation):
        text = f"{_turns(item.context)}\n\n[Candidate]\n{item.candidate}"
    text = visible(text)
    if len(text) <= MOST:
        return text
    head, tail = 2 * MOST // 3, MOST // 3
    return f"{text[:head]}\n[... {len(text) - MOST:,} characters left out ...]\n{text[-tail:]}"


def _turns(turns: Sequence[Turn]) -> str:
    return "\n\n".join(f"{turn.role}: {turn.text}" for turn in turns)


def write_template(path: str | Path, table: Sheet, questions: Sequence[Question]) -> int:
    """Writes the table, with its questions beside it; returns how many texts were cut.

    Raises:
        ConfigError: the name ends neither with .xlsx nor with .csv.
        OutputError: the file cannot be written.
    """
    suffix = plain_suffix(path).casefold()
    if suffix not in (".xlsx", ".csv"):
        raise ConfigError(f"out {str(path)!r}: a template is written as .xlsx or .csv")
    cut = 0
    if suffix == ".xlsx":
        cut = write_workbook(path, [_asked_sheet(questions), table])
    else:
        text = io.StringIO()
        writer = csv.writer(text)
        for row in (tuple(column.name for column in table.columns), *table.rows):
            writer.writerow([guarded(cell) for cell in row])
        with open_output(path) as stream:
            stream.write(encoded(text.getvalue()))
    write_questions(path, questions)
    return cut


def _asked_sheet(questions: Sequence[Question]) -> Sheet:
    """What is asked, for people; and as JSON, so that a renamed workbook keeps its scales."""
    columns = (
        SheetColumn("question", 18),
        SheetColumn("asked", 80),
        SheetColumn("allowed", 60),
        SheetColumn(DEFINITION, 60),
    )
    rows = tuple((row.id, row.text, _allowed(row), _definition(row)) for row in questions)
    return Sheet(QUESTIONS_SHEET, columns, rows)


def _definition(question: Question) -> str:
    """A question as JSON; "" where no cell can hold it."""
    text = json.dumps(to_json(question), ensure_ascii=False)
    return text if len(text) <= LONGEST else ""
