"""Which columns of a table of ratings are what.

long       item, rater, question, answer: one answer a row
questions  item, rater, and one column per question
raters     item, and one column per rater
grid       a form's grid: the column `How helpful? [c7]` asks about item c7
crossed    item, and one column per question and rater: `Helpful - r1`, `Helpful [r1]`,
           `r1: Helpful`
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from assize.base.errors import DataError
from assize.base.judgment import NOT_APPLICABLE, Question
from assize.formats.any_log.mapping import Columns
from assize.formats.ratings.answers import are_answers, cell_text, is_blank, is_number, said
from assize.formats.ratings.crossed import Crossing, Order, find_crossing
from assize.formats.ratings.headers import (
    ALIASES,
    Asked,
    asked,
    asks_nothing,
    columns_of,
    grid,
    is_comment,
    looks_asked,
    plain,
)

LOOK = (
    "a table of ratings (CSV or .xlsx, headers in any case) is long, with the columns item, rater,"
    " question and answer, or wide, with item, rater and one column per question, or with item and"
    " one column per rater, or one column per question and rater as `Helpful [r1]`; blank"
    " cells are missing; `assize calibrate template RUN` writes one"
)
"""What a table of ratings looks like, for errors."""

LACKS_COLUMN = "if these are ratings"
"""How the error begins that says which column a table of ratings lacks."""

Kind = Literal["long", "questions", "raters", "grid", "crossed"]
_DATA = frozenset({"prompt", "response", "messages"})  # what a set of responses has
_LONGEST_ID = 200  # characters; what is longer is a text
_MOST_SCALE = 12  # different answers of raters' columns together, where nobody says what they are


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns are what.

    Args:
        kind: see the top of this file.
        header: all columns.
        item, rater: columns; None where there is none.
        question, answer, comment: columns of a long table.
        rated: by column what it asks, of whom; `row` is a grid's item.
        pattern: how the columns of a crossed table are written, as `QUESTION - RATER`.
        doubt: why the columns may be raters and not questions, and what to do; "" where they are
            sure to be what they are read as.
    """

    kind: Kind
    header: Sequence[str]
    item: str | None
    rater: str | None
    question: str | None = None
    answer: str | None = None
    comment: str | None = None
    rated: Mapping[str, Asked] = field(default_factory=dict)
    pattern: str = ""
    doubt: str = ""

    @property
    def passed(self) -> tuple[str, ...]:
        """The columns that are not read."""
        read = {self.item, self.rater, self.question, self.answer, self.comment, *self.rated}
        return tuple(name for name in self.header if name.strip() and name not in read)

    @property
    def is_form(self) -> bool:
        """Whether a form's times of answering stand beside, so that a row is somebody's."""
        times = ("timestamp", "start time")
        return any(name.casefold().startswith(times) for name in self.passed)


def layout_of(
    rows: Sequence[Mapping[str, Any]],
    known: Mapping[str, Question],
    *,
    sure: bool,
    columns: Columns | None = None,
    item: str | None = None,
) -> Layout | None:
    """How a table of ratings is laid out; None where it is none.

    Args:
        rows: by column; all have the columns of the first.
        known: questions that are defined beside it, by id.
        sure: take it for a table of ratings only where nothing else will do.
        columns: what the columns with answers are, where the caller says so.
        item: the column that names what was rated, where the caller says so.

    Raises:
        DataError: there is no column `item`; or columns name questions and raters, nothing tells
            which is which, and not `sure`.
    """
    header = [name for name in (rows[0] if rows else ()) if isinstance(name, str)]
    texts = {name: [cell_text(row.get(name)) for row in rows] for name in header}
    by_meaning = columns_of(header)
    items = sorted(by_meaning["item"], key=lambda name: max(map(len, texts[name])) > _LONGEST_ID)
    names = [plain(name) for name in header]
    form = "timestamp" in names[:2] or {"start_time", "completion_time"} <= set(names)
    if form:  # Google's or Microsoft's, whose column ID counts the answers
        items = [name for name in items if plain(name) != "id"]
    if item is not None:
        if item not in header:
            there = ", ".join(header[:20])
            raise DataError(f"map: there is no column {item!r} for item; there are {there}")
        items = [item]
    rater = _rater(by_meaning["rater"], texts, form)
    if not items:
        return _grid(rater, header, texts) if form or rater is not None else None
    item = items[0]
    if by_meaning["question"] and by_meaning["answer"]:
        question, answer = by_meaning["question"][0], by_meaning["answer"][0]
        free = any(len(text) > _LONGEST_ID for text in texts[question])
        if sure and (rater is None or free):  # a table of questions and answers is no ratings
            return None
        comment = next((name for name in header if is_comment(name)), None)
        return Layout("long", header, item, rater, question, answer, comment)
    taken = {item, *by_meaning["item"], *by_meaning["rater"]}
    others = {name: column for name, column in texts.items() if name not in taken}
    answers = _answer_columns(others, known, empty=sure and rater is not None)
    if not answers or (sure and rater is None and not form and _DATA & set(names)):
        return None
    doubt = ""
    if rater is None and not form:
        if columns not in ("question", "rater"):
            order = columns if columns in ("question-rater", "rater-question") else None
            layout = _crossed(item, answers, texts, known, sure, order)
            if layout is not None:
                return layout
        if columns is None:
            questions = [
                name for name in answers if asked(name, known).id in known or looks_asked(name)
            ]
        else:
            questions = answers if columns == "question" else []
        if not questions:
            return _raters(item, answers, texts, sure)
        alike = [] if known else _on_scale_of(questions, answers, texts)
        answers = [name for name in answers if name in questions or name in alike]
        if 2 * len(alike) >= len(answers):
            listed = ", ".join(answers[:8])
            doubt = f"columns may be questions or raters; add {_say_columns(listed)}"
    rated = {name: asked(name, known) for name in answers}
    return Layout("questions", header, item, rater, rated=rated, doubt=doubt)


def explain_missing_column(rows: Sequence[Mapping[str, Any]]) -> str:
    """Say which column a table lacks, if it is one of ratings; "" where it looks like none."""
    header = [name for name in (rows[0] if rows else ()) if isinstance(name, str)]
    by_meaning = columns_of(header)
    items, raters = by_meaning["item"], by_meaning["rater"]
    texts = {
        name: [cell_text(row.get(name)) for row in rows]
        for name in header
        if name not in (*items, *raters)
    }
    answers = _answer_columns(texts, {}, empty=False)
    if not answers or bool(items) == bool(raters) or _DATA & {plain(name) for name in header}:
        return ""
    missing = "rater" if items else "item"
    names = ", ".join(ALIASES[missing][:8])
    listed = ", ".join(answers[:4])
    advice = f", or add {_say_columns(listed)}" if items else ""
    return (
        f"{LACKS_COLUMN} ({listed}), no column names the {missing}: call one {missing!r}"
        f" ({names}, ...){advice}. Otherwise: "
    )


def _say_columns(listed: str) -> str:
    """Both ways to read columns of which nothing tells what they are."""
    return (
        f"--map columns=question (the questions are {listed}; one rater answers them, named after"
        f" the file) or --map columns=rater (the raters are {listed}; they answer one question)"
    )


def _rater(names: Sequence[str], texts: Mapping[str, Sequence[str]], form: bool) -> str | None:
    """The first column that tells raters apart: forms write `anonymous` for everybody. Of a
    template's first rows it may still be empty."""
    for name in names:
        if any(text and text.casefold() != "anonymous" for text in texts[name]):
            return name
    return None if form or not names else names[0]


def _answer_columns(
    texts: Mapping[str, Sequence[str]], known: Mapping[str, Question], *, empty: bool
) -> list[str]:
    """The columns that hold answers; with `empty` also those that hold nothing yet."""
    return [
        name
        for name, column in texts.items()
        if name.strip()
        if asked(name, known).id in known
        or (not asks_nothing(name) and (are_answers(column) or (empty and _is_empty(column))))
    ]


def _is_empty(column: Sequence[str]) -> bool:
    return all(map(is_blank, column))


def _raters(
    item: str, answers: Sequence[str], texts: Mapping[str, Sequence[str]], sure: bool
) -> Layout | None:
    """One column a rater: all of them answer on one scale, and nothing else stands beside."""
    rated = {name: Asked("", rater=" ".join(name.split())) for name in answers}
    layout = Layout("raters", list(texts), item, None, rated=rated)
    if not sure:
        return layout
    scales = [_scale(texts[name]) for name in answers]
    numeric = all(is_number(answer) for scale in scales for answer in scale)
    shared = all(numeric or first & second for first in scales for second in scales)
    return layout if len(answers) > 1 and shared and _is_nothing_else(layout, texts) else None


def _on_scale_of(
    questions: Sequence[str], answers: Sequence[str], texts: Mapping[str, Sequence[str]]
) -> list[str]:
    """The columns that are answered as some questions are: in numbers, none further from theirs
    than these are apart."""
    known = {answer for name in questions for answer in _scale(texts[name])}
    if not all(map(is_number, known)):
        return []
    values = [float(answer) for answer in known]
    reach = max(max(values) - min(values), 1.0)
    return [
        name
        for name in answers
        if name not in questions
        and all(
            is_number(answer) and min(values) - reach <= float(answer) <= max(values) + reach
            for answer in _scale(texts[name])
        )
    ]


def _scale(column: Sequence[str]) -> set[str]:
    """The different answers of a column that say something."""
    answers = {said(text).answer for text in column if not is_blank(text)}
    return {answer.casefold() for answer in answers - {NOT_APPLICABLE}}


def _is_nothing_else(layout: Layout, texts: Mapping[str, Sequence[str]]) -> bool:
    """Whether the answers to every question are few, and no other column may ask anything."""
    scales: dict[str, set[str]] = {}
    for name, column in layout.rated.items():
        scales.setdefault(column.id, set()).update(_scale(texts[name]))
    few = all(len(scale) <= _MOST_SCALE for scale in scales.values())
    return few and all(map(asks_nothing, layout.passed))


def _crossed(
    item: str,
    answers: Sequence[str],
    texts: Mapping[str, Sequence[str]],
    known: Mapping[str, Question],
    sure: bool,
    order: Order | None,
) -> Layout | None:
    """A column a question and rater: the raters of each question answer on one scale."""
    blank = [
        name
        for name, column in texts.items()
        if name != item and not asks_nothing(name) and _is_empty(column)
    ]
    crossing = find_crossing([*answers, *blank], known, order)
    if crossing is None:
        if order is None or sure:
            return None
        raise DataError(
            f"--map columns={order}: the columns {', '.join(answers[:8])} are no grid of"
            " questions and raters; name them as `Question [rater]`, all with one mark, or leave"
            " --map out"
        )
    if crossing.order is None and not sure:
        raise DataError(_explain_doubt(crossing))
    order = crossing.order or "question-rater"
    rated = {}
    for name in texts:
        if name in crossing.sides:
            question, rater = crossing.split(name, order)
            rated[name] = asked(question, known)._replace(rater=rater)
    pattern = f"columns `{crossing.pattern(order)}`"
    layout = Layout("crossed", list(texts), item, None, rated=rated, pattern=pattern)
    return layout if not sure or _is_nothing_else(layout, texts) else None


def _explain_doubt(crossing: Crossing) -> str:
    """Say that either side may be the rater, and what to do."""
    column, (left, right) = next(iter(crossing.sides.items()))
    lefts, rights = (
        ", ".join(dict.fromkeys(names))[:100]
        for names in zip(*crossing.sides.values(), strict=True)
    )
    return (
        f"columns such as {column!r} name a question and a rater, and nothing tells which is"
        f" which: {lefts}; or {rights}. Say so by --map columns=question-rater (rater"
        f" {right!r}) or --map columns=rater-question (rater {left!r}), or name the columns"
        " as `Question [rater]`"
    )


def _grid(
    rater: str | None, header: Sequence[str], texts: Mapping[str, Sequence[str]]
) -> Layout | None:
    """A form's grid whose rows are items."""
    rated = {
        name: Asked(parts[0], "", parts[1])
        for name in header
        if (parts := grid(name)) is not None and are_answers(texts[name])
    }
    return Layout("grid", header, None, rater, rated=rated) if len(rated) > 1 else None
