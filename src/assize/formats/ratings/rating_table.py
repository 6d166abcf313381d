"""The format `ratings`: tables that people keep, read as judgments by people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.formats.format import Format, Options
from assize.formats.questions import questions_beside
from assize.formats.ratings.answers import (
    cell_text,
    defined,
    is_blank,
    is_number,
    odd_answers,
    said,
    spellings,
)
from assize.formats.ratings.headers import Asked, asked, meaning
from assize.formats.ratings.layout import LOOK, Layout, layout_of
from assize.formats.ratings.sheets import sheet_layouts
from assize.formats.records import Record
from assize.formats.research.fields import MISSING
from assize.formats.rows import Row, Sample
from assize.results.log import log

QUESTION = "rating"
"""What the question is called where a table has a column a rater and none is defined."""
_SHOWN = 8
_NO_ROW = "expected a row of a table"


def recognise(sample: Sample) -> bool:
    """Whether the first rows are ratings: whom they are about, by whom, and answers."""
    if sample.container != "csv" or not sample.first:
        return False
    rows = [row for row in sample.rows if isinstance(row, Mapping)]
    if not any(
        meaning(name) in ("item", "rater") for name in sample.first if isinstance(name, str)
    ):
        return False
    return layout_of(rows, _known(sample.source), sure=True) is not None


def _known(source: str) -> Mapping[str, Question]:
    return {one.id: one for one in questions_beside(source)}


def gather(rows: Iterator[Row], options: Options) -> Iterator[Row]:
    """A row of the table as the judgments that it holds; what nobody filled in is left out."""
    whole = list(rows)
    first = next((row for row in whole if isinstance(row.value, Mapping)), None)
    if first is None:
        return
    known = _known(first.source)
    sheets: dict[str, list[Mapping[str, Any]]] = {}
    for row in whole:
        if isinstance(row.value, Mapping):
            sheets.setdefault(row.sheet, []).append(row.value)
    try:
        layouts = sheet_layouts(sheets, known, options.columns)
    except DataError as error:
        raise error.at(first.source, None) from None
    readers: dict[str, _Reader] = {}
    for sheet, layout in layouts.items():
        if layout is None:
            there = ", ".join(map(str, list(sheets[sheet][0])[:20]))
            raise DataError(f"no table of ratings (columns: {there}); {LOOK}", source=first.source)
        readers[sheet] = _Reader(layout, known, first.source, sheet)
    answers = _Answers(
        (cell for sheet, rows in sheets.items() for cell in readers[sheet].cells_of(rows))
    )
    log.info("%s: a table of ratings with %s", first.source, describe_layouts(readers))
    for number, row in enumerate(whole, start=1):
        reader = readers.get(row.sheet)
        yield _bad(row, _NO_ROW) if reader is None else reader.read(row, number, answers)
    answers.warn_odd(first.source)


class _Answers:
    """What each question was answered with, in all sheets, and which cells fit no answer.

    Args:
        cells: question and text of every cell.
    """

    def __init__(self, cells: Iterable[tuple[str, str]]) -> None:
        texts: defaultdict[str, list[str]] = defaultdict(list)
        for question, text in cells:
            texts[question].append(text)
        self.spelt = {question: spellings(column) for question, column in texts.items()}
        self.odd = {question: odd_answers(column) for question, column in texts.items()}
        self.scales = {
            question: ", ".join(sorted({*filter(is_number, spelt)} - self.odd[question], key=float))
            for question, spelt in self.spelt.items()
        }
        self.told: set[str] = set()  # questions whose words stand in a judgment already
        self.odd_cells: list[str] = []

    def warn_odd(self, source: str) -> None:
        """Name the cells that fit no scale, once the table has been read."""
        if self.odd_cells:
            log.warning(
                "%s: %d cells fit no answer and are unscored: %s",
                source,
                len(self.odd_cells),
                _some(self.odd_cells, "; "),
            )


class _Reader:
    """Rows of one table; `sheet` is "" where there is only one."""

    def __init__(
        self, layout: Layout, known: Mapping[str, Question], source: str, sheet: str
    ) -> None:
        self.layout, self._known, self._sheet = layout, known, sheet
        self._by_file = Path(plain_name(source)).stem or "rater"

    def cells_of(self, rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
        """Yield the question and the text of every cell."""
        for row in rows:
            for _, column, text in self._cells(row):
                yield self._name(column), text

    def _name(self, one: Asked) -> str:
        """The question; "" for the one of a table with a column a rater."""
        if one.id:
            return one.id
        return next(iter(self._known)) if len(self._known) == 1 else ""

    def _cells(self, row: Mapping[str, Any]) -> Iterator[tuple[str, Asked, str]]:
        """Column, what it asks, and what stands there."""
        layout = self.layout
        if layout.rated is not None:
            for name, one in layout.rated.items():
                yield name, one, cell_text(row.get(name))
        elif layout.question is not None and layout.answer is not None:
            of = cell_text(row.get(layout.question))
            if of:
                yield layout.answer, asked(of, self._known), cell_text(row.get(layout.answer))

    def describe(self) -> str:
        """Say how the table is read, so that a misreading is seen."""
        layout = self.layout
        columns = () if layout.rated is None else layout.rated.values()
        questions = list(dict.fromkeys(column.id for column in columns if column.id))
        raters = list(dict.fromkeys(column.rater for column in columns if column.rater))
        what = {
            "long": f"one answer a row ({layout.item}, {layout.question}, {layout.answer})",
            "questions": f"a column a question ({_some(questions)})",
            "raters": f"a column a rater ({_some(raters)})",
            "grid": f"a form's grid ({_some(questions)})",
            "crossed": f"{_count(questions, 'question')} by {_count(raters, 'rater')},"
            f" columns `{layout.pattern}`",
        }[layout.kind]
        if not raters:
            by = layout.rater or ("each row is a rater" if self._anonymous else self._by_file)
            what += f", raters: {by}"
        passed = f"; not read: {_some(layout.passed)}" if layout.passed else ""
        return f"{what}{passed}"

    @property
    def _anonymous(self) -> bool:
        """Whether nobody is named though each row is somebody's, as in a form."""
        return self.layout.rater is None and (self.layout.kind == "grid" or self.layout.is_form)

    def read(self, row: Row, number: int, answers: _Answers) -> Row:
        """The judgments of a row; a problem where it cannot be read."""
        if not isinstance(row.value, Mapping):
            return _bad(row, _NO_ROW)
        layout, cells = self.layout, list(self._cells(row.value))
        empty = all(is_blank(text) for _, _, text in cells)
        item = "" if layout.item is None else cell_text(row.value.get(layout.item))
        rater = "" if layout.rater is None else cell_text(row.value.get(layout.rater))
        if empty and not (item and rater) and layout.kind != "grid" and layout.rater is not None:
            return _with(row, [])
        if not item and layout.kind != "grid":
            if empty:
                return _with(row, [])
            return _bad(row, f"column {layout.item!r} is empty: whom are these ratings about?")
        if not rater and layout.rater is not None:
            return _bad(row, f"column {layout.rater!r} is empty: who rated this?")
        found = []
        for column, one, text in cells:
            try:
                made = self._judgment(item, rater or self._nobody(number), one, text, answers)
                if made is not None and made.unscored is not None and not is_blank(text):
                    where = f"sheet {row.sheet}, row" if row.sheet else "row"
                    answers.odd_cells.append(f"{where} {row.line}, {column}: {ascii(text)[:40]}")
                if made is not None and layout.comment is not None:
                    why = cell_text(row.value.get(layout.comment))
                    made = replace(made, explanation=why or None)
            except DataError as error:
                return _bad(row, f"{column}: {error.problem}")
            found += [] if made is None else [made]
        return _with(row, found)

    def _nobody(self, number: int) -> str:
        return f"response-{number}" if self._anonymous else self._by_file

    def _judgment(
        self, item: str, rater: str, one: Asked, text: str, answers: _Answers
    ) -> Judgment | None:
        """A cell as a judgment; None where a column's rater has not rated the item."""
        question = self._name(one)
        given: dict[str, Any] = {
            "item": one.row if one.row is not None else item,
            "judge": rater if one.rater is None else one.rater,
            "question": question,
            "kind": "person",
            "anonymous": self._anonymous,
        }
        if is_blank(text):
            if one.rater is not None or one.row is not None:
                return None
            return Judgment(**given, unscored=Unscored(MISSING, "the cell is empty"))
        definition = self._known.get(question)
        if definition is not None:
            return Judgment(**given, **_as_defined(text, definition))
        answer, words = said(text)
        if answer in answers.odd[question]:
            problem = f"cell {ascii(text)[:40]} fits none of the answers {answers.scales[question]}"
            return Judgment(**given, unscored=Unscored("parse", problem))
        details: dict[str, Any] = {} if words is None else {"label": words}
        if one.text and question not in answers.told:
            details["asked"] = one.text
            answers.told.add(question)
        answer = answers.spelt[question].get(answer.casefold(), answer)
        return Judgment(**given, answer=answer, details=details or None)


def plain_name(source: str) -> str:
    """A file's name without what says that it is packed: `anna.csv` for `x/anna.csv.gz`."""
    name = source.rpartition("/")[2]
    return name.removesuffix(".gz").removesuffix(".zst")


def _as_defined(text: str, question: Question) -> dict[str, Any]:
    answer = defined(text, question)
    if answer is None:
        allowed = ", ".join([*question.answers, "NA"])
        raise DataError(
            f"answer {ascii(text)[:60]} is not allowed for {question.id}; allowed are {allowed}"
        )
    if question.kind == "number" and not question.answers and answer != "NA":
        try:
            return {"score": float(answer)}
        except ValueError:
            raise DataError(
                f"received {ascii(text)[:60]}; {question.id} asks for a number"
            ) from None
    return {"answer": answer}


def _some(names: Iterable[str], between: str = ", ") -> str:
    listed = list(names)
    more = f" and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    return between.join(one[:60] for one in listed[:_SHOWN]) + more


def describe_layouts(readers: Mapping[str, _Reader]) -> str:
    """Say how the sheets of a table are read, in one line where they are alike."""
    layouts = [reader.layout for reader in readers.values()]
    kinds = {layout.kind for layout in layouts if layout.rater is None}
    if len(layouts) == 1 or len(kinds) != 1 or not kinds <= {"raters", "questions"}:
        parts = [
            f"sheet {sheet}: {reader.describe()}" if sheet else reader.describe()
            for sheet, reader in readers.items()
        ]
        return "; ".join(parts)
    columns = [column for layout in layouts for column in (layout.rated or {}).values()]
    questions = list(dict.fromkeys(column.id for column in columns))
    raters = list(dict.fromkeys(column.rater for column in columns if column.rater))
    shape = "question, a column a rater" if kinds == {"raters"} else "rater, a column a question"
    passed = list(dict.fromkeys(name for layout in layouts for name in layout.passed))
    rest = f"; not read: {_some(passed)}" if passed else ""
    return f"{_count(questions, 'question')} by {_count(raters, 'rater')}, a sheet a {shape}{rest}"


def _count(names: Sequence[str], what: str) -> str:
    """Return as many of something, and their names.

    >>> _count(["tone", "pace"], "question")
    '2 questions (tone, pace)'
    """
    return f"{len(names)} {what}{'' if len(names) == 1 else 's'} ({_some(names)})"


def _with(row: Row, found: list[Judgment]) -> Row:
    return Row(found, row.source, row.line)


def _bad(row: Row, problem: str) -> Row:
    return row.refuse(f"sheet {row.sheet}: {problem}" if row.sheet else problem)


def read(row: Row, options: Options) -> Iterable[Record]:
    """The judgments of a row; option `question` names that of a table with a column a rater."""
    for one in row.value:
        yield (
            one if one.question else replace(one, question=options.values.get("question", QUESTION))
        )


RATINGS = Format(
    name="ratings",
    summary="people's ratings as spreadsheets: long, or a column a question, a rater, or both",
    recognise=recognise,
    parse=read,
    gather=gather,
    options={"question": "what is asked, where a table has a column a rater (rating)"},
)
