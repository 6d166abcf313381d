"""The format `ratings`: tables that people keep, read as judgments by people."""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assize.errors import DataError
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
from assize.formats.records import Record
from assize.formats.research.scales import MISSING
from assize.formats.rows import Row, Sample
from assize.judgment import Judgment, Question, Unscored

log = logging.getLogger("assize")
QUESTION = "rating"
"""What the question is called where a table has a column a rater and none is defined."""
_SHOWN = 8


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


def gather(rows: Iterator[Row]) -> Iterator[Row]:
    """A row of the table as the judgments that it holds; what nobody filled in is left out."""
    whole = list(rows)
    first = next((row for row in whole if isinstance(row.value, Mapping)), None)
    if first is None:
        return
    known = _known(first.source)
    good = [row.value for row in whole if isinstance(row.value, Mapping)]
    try:
        layout = layout_of(good, known, sure=False)
    except DataError as error:
        raise error.at(first.source, None) from None
    if layout is None:
        there = ", ".join(map(str, list(first.value)[:20]))
        raise DataError(f"no table of ratings (columns: {there}); {LOOK}", source=first.source)
    reader = _Reader(layout, known, good, first.source)
    reader.tell()
    for number, row in enumerate(whole, start=1):
        yield reader.read(row, number)
    reader.warn_odd()


class _Reader:
    """Rows of one table."""

    def __init__(
        self,
        layout: Layout,
        known: Mapping[str, Question],
        rows: Iterable[Mapping[str, Any]],
        source: str,
    ) -> None:
        self.layout, self._known, self._source = layout, known, source
        self._told: set[str] = set()
        columns = self._columns(rows)
        self._spelt = {question: spellings(texts) for question, texts in columns.items()}
        self._odd = {question: odd_answers(texts) for question, texts in columns.items()}
        self._scales = {
            question: ", ".join(
                sorted({*filter(is_number, spelt)} - self._odd[question], key=float)
            )
            for question, spelt in self._spelt.items()
        }
        self._odd_cells: list[str] = []
        name = Path(plain_name(source)).stem
        self._by_file = name or "rater"

    def _columns(self, rows: Iterable[Mapping[str, Any]]) -> Mapping[str, list[str]]:
        """What each question was answered with."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for row in rows:
            for _, one, text in self._cells(row):
                found[self._name(one)].append(text)
        return found

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

    def tell(self) -> None:
        """Says in the log how the table is read, so that a misreading is seen."""
        layout = self.layout
        columns = () if layout.rated is None else layout.rated.values()
        names = list(dict.fromkeys(column.id for column in columns))
        raters = list(dict.fromkeys(column.rater for column in columns if column.rater))
        what = {
            "long": f"one answer a row ({layout.item}, {layout.question}, {layout.answer})",
            "questions": f"a column a question ({_some(names)})",
            "raters": f"a column a rater ({_some(raters)})",
            "crossed": f"{_count(names, 'question')} by {_count(raters, 'rater')},"
            f" columns `{layout.pattern}`",
            "grid": f"a form's grid ({_some(names)})",
        }[layout.kind]
        if not raters:
            by = layout.rater or ("each row is a rater" if self._anonymous else self._by_file)
            what += f", raters: {by}"
        passed = f"; not read: {_some(layout.passed)}" if layout.passed else ""
        log.info("%s: a table of ratings with %s%s", self._source, what, passed)

    def warn_odd(self) -> None:
        """Name the cells that fit no scale, once the table has been read."""
        if self._odd_cells:
            cells = _some(self._odd_cells, "; ")
            log.warning(
                "%s: %d cells fit no answer and are unscored: %s",
                self._source, len(self._odd_cells), cells,
            )  # fmt: skip

    @property
    def _anonymous(self) -> bool:
        """Whether nobody is named though each row is somebody's, as in a form."""
        return self.layout.rater is None and (self.layout.kind == "grid" or self._is_form)

    @property
    def _is_form(self) -> bool:
        return any(
            one.casefold().startswith(("timestamp", "start time")) for one in self.layout.passed
        )

    def read(self, row: Row, number: int) -> Row:
        """The judgments of a row; a problem where it cannot be read."""
        if not isinstance(row.value, Mapping):
            return _bad(row, "expected a row of a table")
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
                made = self._judgment(item, rater or self._nobody(number), one, text)
                if made is not None and made.unscored is not None and not is_blank(text):
                    self._odd_cells.append(f"row {row.line}, {column}: {ascii(text)[:40]}")
                if made is not None and layout.comment is not None:
                    why = cell_text(row.value.get(layout.comment))
                    made = replace(made, explanation=why or None)
            except DataError as error:
                return _bad(row, f"{column}: {error.problem}")
            found += [] if made is None else [made]
        return _with(row, found)

    def _nobody(self, number: int) -> str:
        return f"response-{number}" if self._anonymous else self._by_file

    def _judgment(self, item: str, rater: str, one: Asked, text: str) -> Judgment | None:
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
        if answer in self._odd[question]:
            problem = f"cell {ascii(text)[:40]} fits none of the answers {self._scales[question]}"
            return Judgment(**given, unscored=Unscored("parse", problem))
        details: dict[str, Any] = {} if words is None else {"label": words}
        if one.text and question not in self._told:
            details["asked"] = one.text
            self._told.add(question)
        answer = self._spelt[question].get(answer.casefold(), answer)
        return Judgment(**given, answer=answer, details=details or None)


def plain_name(source: str) -> str:
    """A file's name without what says that it is packed: `anna.csv` for `x/anna.csv.gz`."""
    name = source.rpartition("/")[2]
    return name.removesuffix(".gz").removesuffix(".zst")


def _as_defined(text: str, question: Question) -> dict[str, Any]:
    answer = defined(text, question)
    if answer is None:
        allowed = ", ".join([*question.answers, "NA"])
        problem = (
            f"answer {ascii(text)[:60]} is not allowed for {question.id}; allowed are {allowed}"
        )
        raise DataError(problem)
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


def _count(names: Sequence[str], what: str) -> str:
    """Return as many of something, and their names.

    >>> _count(["tone", "pace"], "question")
    '2 questions (tone, pace)'
    """
    return f"{len(names)} {what}{'' if len(names) == 1 else 's'} ({_some(names)})"


def _with(row: Row, found: list[Judgment]) -> Row:
    return Row(found, row.source, row.line)


def _bad(row: Row, problem: str) -> Row:
    raw = json.dumps(row.value, ensure_ascii=False, default=str)[:10_000]
    return Row(None, row.source, row.line, problem, raw)


def read(row: Row, options: Options) -> Iterable[Record]:
    """The judgments of a row; option `question` names that of a table with a column a rater."""
    for one in row.value:
        yield one if one.question else replace(one, question=options.get("question", QUESTION))


RATINGS = Format(
    name="ratings",
    summary="people's ratings as spreadsheets: long, or a column a question, a rater, or both",
    recognise=recognise,
    parse=read,
    gather=gather,
    options={"question": "what is asked, where a table has a column a rater (rating)"},
)
