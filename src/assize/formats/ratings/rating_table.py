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
from assize.formats.rows import SAMPLE_ROWS, Row, Sample
from assize.formats.transcripts import is_transcript
from assize.results.log import log

QUESTION = "rating"
"""What the question is called where a table has one column per rater and none is defined."""
_SHOWN = 8


def recognise(sample: Sample) -> bool:
    """Whether the first rows are ratings: whom they are about, by whom, and answers."""
    if sample.container != "csv" or not sample.first:
        return False
    rows = [row for row in sample.rows if isinstance(row, Mapping)]
    names = [name for name in sample.first if isinstance(name, str)]
    if not any(meaning(name) in ("item", "rater") for name in names):
        return False
    return layout_of(rows, _known(sample.source), sure=True) is not None


def _known(source: str) -> Mapping[str, Question]:
    """The questions that are defined beside a table; a guess defines none."""
    return {row.id: row for row in questions_beside(source) if not row.extra.get("inferred")}


def gather(rows: Iterator[Row], options: Options) -> Iterator[Row]:
    """A row of the table as the judgments that it holds; what nobody filled in is left out."""
    whole = list(rows)
    sheets: dict[str, list[Mapping[str, Any]]] = {}
    for row in whole:
        if isinstance(row.value, Mapping):
            sheets.setdefault(row.sheet, []).append(row.value)
    if not sheets:
        return
    source = next(row.source for row in whole if isinstance(row.value, Mapping))
    known = {question.id: question for question in options.questions} | dict(_known(source))
    try:
        layouts = sheet_layouts(sheets, known, options.columns, options.item)
    except DataError as error:
        raise error.at(source, None) from None
    tables: dict[str, _Table] = {}
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for sheet, layout in layouts.items():
        if layout is None:
            raise DataError(_describe_misfit(sheets[sheet]), source=source)
        tables[sheet] = _Table(layout, known, source)
        for value in sheets[sheet]:
            for _, asked_here, text in tables[sheet].cells(value):
                texts[asked_here.id].append(text)
    is_sure = options.columns is not None or bool(known)
    more = "".join(_describe_alternatives(sheets, layouts, is_sure))
    log.info(f"{source}: a table of ratings with {describe_tables(tables)}{more}")
    scales = {question: _Scale(column) for question, column in texts.items()}
    odd: list[str] = []
    for number, row in enumerate(whole, start=1):
        try:
            if not isinstance(row.value, Mapping):
                raise DataError("expected a row of a table")
            judgments = [*tables[row.sheet].judgments(row, number, scales, odd)]
            yield Row(judgments, row.source, row.line)
        except DataError as error:
            where = f"sheet {row.sheet}: " if row.sheet else ""
            yield row.refuse(f"{where}{error.problem}")
    if odd:
        log.warning(
            f"{source}: {len(odd)} cells fit no answer and are unscored: {_some(odd, '; ')}"
        )


def _describe_misfit(rows: Sequence[Mapping[str, Any]]) -> str:
    """Say why rows are no table of ratings: which columns they have, and which are empty."""
    columns = list(map(str, rows[0]))
    blank = [name for name in columns if all(is_blank(cell_text(row.get(name))) for row in rows)]
    empty = f"; empty: {_some(blank)}" if blank else ""
    return f"no table of ratings (columns: {', '.join(columns[:20])}{empty}); {LOOK}"


def _describe_alternatives(
    sheets: Mapping[str, Sequence[Mapping[str, Any]]],
    layouts: Mapping[str, Layout | None],
    is_sure: bool,
) -> Iterator[str]:
    """Say how else a table may be read: raters as questions, where it is not sure what they are,
    and transcripts as conversations."""
    for sheet, layout in layouts.items():
        if layout is None or layout.item is None:
            continue
        if layout.kind == "raters" and not is_sure and len(layouts) == 1:
            yield "; if these are questions, add --map columns=question"
        for name in (layout.item, *layout.passed):
            texts = [cell_text(row.get(name)) for row in sheets[sheet][:SAMPLE_ROWS]]
            if any(map(is_transcript, texts)):
                yield f"; its conversations are read with --map turns={name},id={layout.item}"
                return


class _Scale:
    """How a question was answered in all sheets.

    Args:
        texts: of every cell.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.spellings = spellings(texts)
        self.odd = odd_answers(texts)
        self.worded = False  # whether its words stand in a judgment already

    def describe(self) -> str:
        """Name the numbers that are its answers."""
        return ", ".join(sorted({*filter(is_number, self.spellings)} - self.odd, key=float))


class _Table:
    """The rows of one sheet."""

    def __init__(self, layout: Layout, known: Mapping[str, Question], source: str) -> None:
        self.layout, self._known = layout, known
        self._by_file = Path(plain_name(source)).stem or "rater"
        # nobody is named though each row is somebody's, as in a form
        self._anonymous = layout.rater is None and (layout.kind == "grid" or layout.is_form)

    def cells(self, row: Mapping[str, Any]) -> Iterator[tuple[str, Asked, str]]:
        """Column, what it asks, and what stands there; the question of raters' columns is the
        only one that is defined, else "".
        """
        layout, columns = self.layout, self.layout.rated
        if layout.question is not None and layout.answer is not None:
            question = cell_text(row.get(layout.question))
            columns = {layout.answer: asked(question, self._known)} if question else {}
        for name, column in columns.items():
            if not column.id and len(self._known) == 1:
                column = column._replace(id=next(iter(self._known)))
            yield name, column, cell_text(row.get(name))

    def judgments(
        self, row: Row, number: int, scales: Mapping[str, _Scale], odd: list[str]
    ) -> Iterator[Judgment]:
        """The judgments of a row; cells that fit no answer are named in `odd`.

        Raises:
            DataError: item or rater is missing, or an answer is not one of a defined question.
        """
        layout, cells = self.layout, list(self.cells(row.value))
        item = "" if layout.item is None else cell_text(row.value.get(layout.item))
        rater = "" if layout.rater is None else cell_text(row.value.get(layout.rater))
        lost = [
            f"column {column!r} is empty: {why}"
            for column, text, why in (
                (layout.item, item, "whom are these ratings about?"),
                (layout.rater, rater, "who rated this?"),
            )
            if column is not None and not text
        ]
        if lost and all(is_blank(text) for _, _, text in cells):
            return
        if lost:
            raise DataError(lost[0])
        nobody = f"response-{number}" if self._anonymous else self._by_file
        comment = "" if layout.comment is None else cell_text(row.value.get(layout.comment))
        for name, column, text in cells:
            if is_blank(text) and (column.rater is not None or column.row is not None):
                continue  # who has a column of cells has not rated this item
            try:
                given = self._read_cell(column, text, scales[column.id])
            except DataError as error:
                raise DataError(f"{name}: {error.problem}") from None
            if "unscored" in given and not is_blank(text):
                where = f"sheet {row.sheet}, row" if row.sheet else "row"
                odd.append(f"{where} {row.line}, {name}: {ascii(text)[:40]}")
            yield Judgment(
                item if column.row is None else column.row,
                column.rater or rater or nobody,
                column.id,
                kind="person",
                anonymous=self._anonymous,
                explanation=comment or None,
                **given,
            )

    def _read_cell(self, column: Asked, text: str, scale: _Scale) -> dict[str, Any]:
        """The fields of a judgment that a cell fills."""
        if is_blank(text):
            return {"unscored": Unscored(MISSING, "the cell is empty")}
        definition = self._known.get(column.id)
        if definition is not None:
            return _read_defined(text, definition)
        answer, words = said(text)
        if answer in scale.odd:
            problem = f"cell {ascii(text)[:40]} fits none of the answers {scale.describe()}"
            return {"unscored": Unscored("parse", problem)}
        details = {} if words is None else {"label": words}
        if column.text and not scale.worded:
            details["asked"] = column.text
            scale.worded = True
        return {"answer": scale.spellings[answer.casefold()], "details": details or None}

    def describe(self) -> str:
        """Say how the table is read, so that a misreading is seen."""
        layout, columns = self.layout, self.layout.rated.values()
        questions = list(dict.fromkeys(column.id for column in columns if column.id))
        raters = list(dict.fromkeys(column.rater for column in columns if column.rater))
        what = {
            "long": f"one answer per row ({layout.item}, {layout.question}, {layout.answer})",
            "questions": f"one column per question ({_some(questions)})",
            "raters": f"one column per rater ({_some(raters)})",
            "grid": f"a form's grid ({_some(questions)})",
            "crossed": f"{_count(questions, 'question')} by {_count(raters, 'rater')},"
            f" {layout.pattern}",
        }[layout.kind]
        if not raters:
            by = layout.rater or ("each row is a rater" if self._anonymous else self._by_file)
            what += f", raters: {by}"
        return f"{what}; not read: {_some(layout.passed)}" if layout.passed else what


def plain_name(source: str) -> str:
    """A file's name without what says that it is packed: `anna.csv` for `x/anna.csv.gz`."""
    name = source.rpartition("/")[2]
    return name.removesuffix(".gz").removesuffix(".zst")


def _read_defined(text: str, question: Question) -> dict[str, Any]:
    answer = defined(text, question)
    if answer is None:
        allowed = ", ".join([*question.answers, "NA"])
        raise DataError(
            f"answer {ascii(text)[:60]} is not allowed for {question.id}; allowed are {allowed}"
        )
    if question.kind != "number" or question.answers or answer == "NA":
        return {"answer": answer}
    try:
        return {"score": float(answer)}
    except ValueError:
        raise DataError(f"received {ascii(text)[:60]}; {question.id} asks for a number") from None


def _some(names: Iterable[str], between: str = ", ") -> str:
    listed = list(names)
    more = f" and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    return between.join(name[:60] for name in listed[:_SHOWN]) + more


def describe_tables(tables: Mapping[str, _Table]) -> str:
    """Say how the sheets of a table are read, in one line where they are alike."""
    layouts = {sheet: table.layout for sheet, table in tables.items()}
    first = next(iter(layouts.values()))
    kinds = {(layout.kind, layout.rater) for layout in layouts.values()}
    if len(layouts) == 1 or kinds not in ({("raters", None)}, {("questions", None)}):
        parts: defaultdict[str, list[str]] = defaultdict(list)
        for sheet, table in tables.items():
            parts[table.describe()].append(sheet)
        return "; ".join(
            f"sheet{'s' if len(names) > 1 else ''} {', '.join(names)}: {part}"
            if all(names)
            else part
            for part, names in parts.items()
        )
    raters = first.kind == "raters"
    shape = "question, one column per rater" if raters else "rater, one column per question"
    whole = replace(
        first,
        kind="crossed",
        header=list(dict.fromkeys(name for layout in layouts.values() for name in layout.passed)),
        rated={
            f"{sheet} {name}": column
            for sheet, layout in layouts.items()
            for name, column in layout.rated.items()
        },
        pattern=f"one sheet per {shape}",
    )
    return _Table(whole, {}, "").describe()


def _count(names: Sequence[str], what: str) -> str:
    """Return as many of something, and their names.

    >>> _count(["tone", "pace"], "question")
    '2 questions (tone, pace)'
    """
    return f"{len(names)} {what}{'' if len(names) == 1 else 's'} ({_some(names)})"


def read(row: Row, options: Options) -> Iterable[Record]:
    """The judgments of a row; option `question` names that of a table with one column per rater."""
    for judgment in row.value:
        if judgment.question:
            yield judgment
        else:
            yield replace(judgment, question=options.values.get("question", QUESTION))


RATINGS = Format(
    name="ratings",
    summary="people's ratings as spreadsheets: long, or one column per question, rater, or both",
    recognise=recognise,
    parse=read,
    gather=gather,
    options={"question": "what is asked, where a table has one column per rater (rating)"},
)
