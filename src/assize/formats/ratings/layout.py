"""Which columns of a table of ratings are what.

long       item, rater, question, answer: one answer a row
questions  item, rater, and a column a question
raters     item, and a column a rater
grid       a form's grid: the column `How helpful? [c7]` asks about item c7
crossed    item, and a column a question and rater: `Helpful - r1`, `Helpful [r1]`, `r1: Helpful`
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.formats.any_log.mapping import Columns
from assize.formats.ratings.answers import are_answers, cell_text, is_blank, is_number, said
from assize.formats.ratings.crossed import Crossing, find_crossing
from assize.formats.ratings.headers import (
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
    " question and answer, or wide, with item, rater and a column a question, or with item and a"
    " column a rater, or a column a question and rater as `Helpful [r1]`; blank"
    " cells are missing; `assize calibrate template RUN` writes one"
)
"""What a table of ratings looks like, for errors."""

Kind = Literal["long", "questions", "raters", "grid", "crossed"]
_DATA = frozenset({"prompt", "response", "messages"})  # what a set of responses has
_MOST_SCALE = 12  # different answers of raters' columns together, where nobody says what they are


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns are what.

    Args:
        kind: see the top of this file.
        item, rater: columns; None where there is none.
        question, answer, comment: columns of a long table.
        rated: by column what it asks, of whom; `row` is a grid's item.
        passed: columns that are not read.
        pattern: how the columns of a crossed table are written, as `QUESTION - RATER`.
    """

    kind: Kind
    item: str | None
    rater: str | None
    question: str | None = None
    answer: str | None = None
    comment: str | None = None
    rated: Mapping[str, Asked] | None = None
    passed: tuple[str, ...] = ()
    pattern: str = ""

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
) -> Layout | None:
    """How a table of ratings is laid out; None where it is none.

    Args:
        rows: by column; all have the columns of the first.
        known: questions that are defined beside it, by id.
        sure: take it for a table of ratings only where nothing else will do.
        columns: what the columns with answers are, where the caller says so.

    Raises:
        DataError: columns name questions and raters, nothing tells which is which, and not `sure`.
    """
    header = [name for name in (rows[0] if rows else ()) if isinstance(name, str)]
    texts = {name: [cell_text(row.get(name)) for row in rows] for name in header}
    found = columns_of(header)
    form = _is_form(header)
    if form:
        found["item"] = [one for one in found["item"] if plain(one) != "id"]
    item, rater = _first(found["item"]), _rater(found["rater"], texts, form)
    if item is not None and found["question"] and found["answer"]:
        return _long(item, rater, found, texts, header, sure)
    if item is None:
        return _grid(rater, header, texts, form)
    taken = {*columns_of(header)["item"], *found["rater"]}
    answers = _asked(header, taken, texts, known, empty=sure and rater is not None)
    if not answers:
        return None
    if rater is not None or form:
        return _wide("questions", item, rater, header, answers, known)
    if sure and any(plain(one) in _DATA for one in header):
        return None
    if columns in (None, "question-rater", "rater-question"):
        layout = _crossed(item, header, answers, texts, known, sure, columns)
        if layout is not None:
            return layout
    if columns == "question":
        return _wide("questions", item, None, header, answers, known)
    if columns is None and any(_is_question(name, known) for name in answers):
        kept = [name for name in answers if _is_question(name, known)]
        return _wide("questions", item, None, header, kept, known)
    return _raters(item, header, answers, texts, sure)


def _is_form(header: Sequence[str]) -> bool:
    """Whether this is what a form's answers are saved as: Google's, or Microsoft's."""
    names = [plain(one) for one in header]
    return "timestamp" in names[:2] or {"start_time", "completion_time"} <= set(names)


def _first(names: Sequence[str]) -> str | None:
    return names[0] if names else None


def _rater(names: Sequence[str], texts: Mapping[str, Sequence[str]], form: bool) -> str | None:
    """The first column that tells raters apart: forms write `anonymous` for everybody. Of a
    template's first rows it may still be empty."""
    for name in names:
        if any(one and one.casefold() != "anonymous" for one in texts[name]):
            return name
    return None if form else _first(names)


def _long(
    item: str,
    rater: str | None,
    found: Mapping[str, Sequence[str]],
    texts: Mapping[str, Sequence[str]],
    header: Sequence[str],
    sure: bool,
) -> Layout | None:
    question, answer = found["question"][0], found["answer"][0]
    free = any(len(one) > 200 for one in texts[question])
    if sure and (rater is None or free):  # a table of questions and answers is no ratings
        return None
    comment = next((one for one in header if is_comment(one)), None)
    named = {item, rater, question, answer, comment}
    passed = tuple(one for one in header if one not in named)
    return Layout("long", item, rater, question, answer, comment, passed=passed)


def _asked(
    header: Sequence[str],
    taken: set[str],
    texts: Mapping[str, Sequence[str]],
    known: Mapping[str, Question],
    *,
    empty: bool,
) -> list[str]:
    """The columns that hold answers; with `empty` also those that hold nothing yet."""
    kept = []
    for name in header:
        if name in taken or not name.strip():
            continue
        if asked(name, known).id in known or (
            not asks_nothing(name)
            and (are_answers(texts[name]) or (empty and all(map(is_blank, texts[name]))))
        ):
            kept.append(name)
    return kept


def _is_question(name: str, known: Mapping[str, Question]) -> bool:
    return asked(name, known).id in known or looks_asked(name)


def _wide(
    kind: Kind,
    item: str | None,
    rater: str | None,
    header: Sequence[str],
    kept: Sequence[str],
    known: Mapping[str, Question],
) -> Layout:
    rated = {name: asked(name, known) for name in kept}
    named = {item, rater, *kept}
    return Layout(kind, item, rater, rated=rated, passed=_passed(header, named))


def _passed(header: Sequence[str], named: set[str | None]) -> tuple[str, ...]:
    return tuple(one for one in header if one not in named and one.strip())


def _raters(
    item: str,
    header: Sequence[str],
    kept: Sequence[str],
    texts: Mapping[str, Sequence[str]],
    sure: bool,
) -> Layout | None:
    """One column a rater: all of them answer on one scale, and nothing else stands beside."""
    columns = [
        {said(one).answer.casefold() for one in texts[name] if not is_blank(one)} for name in kept
    ]
    named: set[str | None] = {item, *kept}
    passed = _passed(header, named)
    if sure:
        union = set[str]().union(*columns)
        numeric = all(map(is_number, union))
        shared = all(numeric or one & two for one in columns for two in columns)
        known = all(map(asks_nothing, passed))
        if len(kept) < 2 or len(union) > _MOST_SCALE or not shared or not known:
            return None
    rated = {name: Asked("", rater=" ".join(name.split())) for name in kept}
    return Layout("raters", item, None, rated=rated, passed=passed)


def _crossed(
    item: str,
    header: Sequence[str],
    answers: Sequence[str],
    texts: Mapping[str, Sequence[str]],
    known: Mapping[str, Question],
    sure: bool,
    order: Columns | None,
) -> Layout | None:
    """A column a question and rater: the raters of each question answer on one scale."""
    blank = [
        name
        for name in header
        if name != item and not asks_nothing(name) and all(map(is_blank, texts[name]))
    ]
    side_order = order if order in ("question-rater", "rater-question") else None
    crossing = find_crossing([*answers, *blank], known, side_order)
    if crossing is None:
        if side_order is None or sure:
            return None
        raise DataError(
            f"--map columns={side_order}: the columns {', '.join(answers[:8])} are no grid of"
            " questions and raters; name them as `Question [rater]`, all with one mark, or leave"
            " --map out"
        )
    columns = [name for name in header if name in crossing.sides]
    passed = _passed(header, {item, *columns})
    if sure and not all(map(asks_nothing, passed)):
        return None
    if crossing.order is None and not sure:
        raise DataError(_explain_doubt(crossing, columns))
    sides = crossing.order or "question-rater"
    rated = {
        name: asked(crossing.question(name, sides), known)._replace(
            rater=crossing.rater(name, sides)
        )
        for name in columns
    }
    if sure and not _have_scales(rated, texts) and crossing.order is not None:
        return None
    pattern = crossing.pattern(sides)
    return Layout("crossed", item, None, rated=rated, passed=passed, pattern=pattern)


def _have_scales(rated: Mapping[str, Asked], texts: Mapping[str, Sequence[str]]) -> bool:
    """Whether the answers to every question are few."""
    answers: dict[str, set[str]] = {}
    for name, column in rated.items():
        cells = (said(text).answer.casefold() for text in texts[name] if not is_blank(text))
        answers.setdefault(column.id, set()).update(cells)
    return all(len(scale) <= _MOST_SCALE for scale in answers.values())


def _explain_doubt(crossing: Crossing, columns: Sequence[str]) -> str:
    """Say that either side may be the rater, and what to do."""
    first = crossing.sides[columns[0]]
    left, right = (
        ", ".join(dict.fromkeys(crossing.sides[name][side] for name in columns)) for side in (0, 1)
    )
    return (
        f"columns such as {columns[0]!r} name a question and a rater, and nothing tells which is"
        f" which: {left[:100]}; or {right[:100]}. Say so by --map columns=question-rater (rater"
        f" {first[1]!r}) or --map columns=rater-question (rater {first[0]!r}), or name the columns"
        " as `Question [rater]`"
    )


def _grid(
    rater: str | None, header: Sequence[str], texts: Mapping[str, Sequence[str]], form: bool
) -> Layout | None:
    """A form's grid whose rows are items; only a form, or a table with raters, has one."""
    rated = {
        name: Asked(parts[0], "", parts[1])
        for name in header
        if (parts := grid(name)) is not None and are_answers(texts[name])
    }
    if len(rated) < 2 or not (form or rater is not None):
        return None
    named = {rater, *rated}
    return Layout("grid", None, rater, rated=rated, passed=_passed(header, named))
