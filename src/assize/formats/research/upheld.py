"""UPHELD's table: a person's next turn beside a candidate, compared on three scales.

Columns `chat_history`, `Option A`, `Option B`, and the scores for content, style and
reasonableness; names are matched by keyword, whatever their case, blanks and
underscores, and the last one however it is spelt. Option A is taken to be what the
person said and Option B the candidate.

The published table names neither conversation nor annotator. The annotator stands in
the column given as `rater_column`, or in one called annotator, rater, labeler or worker;
else it is the file's name. `repeats=raters` takes rows with the same texts for the
answers of several people whom nothing names. The conversation is inferred from the
histories (see `prefixes`), which needs the whole table in memory.

The paper asks for style as 1, 3 or 5 and for reasonableness as 1 or 5 (appendix C) and
calls all scores "out of 5" (table 1): any of 1 to 5 is read, and what was used shows.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from assize.base.errors import ConfigError, DataError, shorten
from assize.base.judgment import Question
from assize.base.signature import json_hash
from assize.formats.format import Format, Options
from assize.formats.records import Record, continuation, judgment
from assize.formats.research.fields import ordinal, unscored
from assize.formats.research.histories import read_history, without_markup
from assize.formats.rows import Row, Sample

_FIVE = (1, 2, 3, 4, 5)
QUESTIONS = (
    ordinal("content", "How much of what the person said does the candidate say?", _FIVE),
    ordinal("style", "How close is the candidate to the person's way of writing?", _FIVE),
    ordinal("reasonableness", "Is the candidate a reasonable thing to say here?", _FIVE),
)
_SCALES: Mapping[str, Question] = {question.id: question for question in QUESTIONS}
_PATTERNS = {  # of the letters of a column's name
    "history": "(chat)?history",
    "A": "optiona",
    "B": "optionb",
    "source": "source|model",
    "conversation": "conversation(id)?",
    "rater": "(annotator|rater|labell?er|worker)(id|name)?",
    "content": ".*content.*",
    "style": ".*style.*",
    "reasonableness": ".*r(e|ea|a)son.*",
}
_NEEDED = ("history", "A", "B", *_SCALES)
_SCORE = re.compile(r"(\d+)(?:\.0+)?\s*(?:[:.)–-]\s*(.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One row with what only the whole table tells."""

    cells: Mapping[str, Any]  # the row as it stood
    columns: Mapping[str, str]  # which of its columns is what
    conversation: str  # inferred from the histories
    seen: int  # how many rows before this one hold the same texts
    repeat: int  # how many of those are by the same annotator, too


@lru_cache(maxsize=64)
def _columns_of(names: tuple[str, ...]) -> dict[str, str]:
    columns: dict[str, str] = {}
    for name in names:
        letters = re.sub(r"[^a-z]", "", str(name).lower())
        for meaning, pattern in _PATTERNS.items():
            if re.fullmatch(pattern, letters):
                columns.setdefault(meaning, name)
    return columns


def columns_of(names: Iterable[str]) -> dict[str, str]:
    """What each known column is: `history`, `A`, `B`, the three questions, `source`, ...

    >>> columns_of(["Chat History", "option_a", "Option B", "CONTENT", "Resonability"])
    {'history': 'Chat History', 'A': 'option_a', 'B': 'Option B', 'content': 'CONTENT', \
'reasonableness': 'Resonability'}
    """
    return _columns_of(tuple(names))


def recognise(sample: Sample) -> bool:
    """Whether the columns of the table are all there."""
    found = columns_of(sample.first)
    return all(name in found for name in _NEEDED)


def gather(rows: Iterator[Row], options: Options) -> Iterator[Row]:
    """Places every row in its conversation; holds the whole table in memory."""
    table = []
    for row in rows:
        cells = row.value if isinstance(row.value, Mapping) else {}
        table.append((replace(row, value=cells), columns_of(cells)))
    known = conversations((_history(row.value, found) for row, found in table), "upheld")
    texts: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    for (row, found), name in zip(table, known, strict=True):
        text = json_hash([row.value.get(found.get(part, "")) for part in ("history", "A", "B")])
        scores = {found.get(question) for question in _SCALES}
        same = json_hash([str(cell) for column, cell in row.value.items() if column not in scores])
        yield replace(row, value=Comparison(row.value, found, name, texts[text], whole[same]))
        texts[text] += 1
        whole[same] += 1


def _history(cells: Mapping[str, Any], found: Mapping[str, str]) -> list[tuple[str, str]]:
    """The turns, or none where `read` will refuse the row."""
    try:
        turns = read_history(cells.get(found.get("history", ""), ""))
    except DataError:
        return []
    return [(turn["role"], turn["text"]) for turn in turns]


def read(row: Row, options: Options) -> Iterable[Record]:
    """A continuation, unless an earlier row had the same texts, and three judgments.

    The id of a continuation is a hash of its texts, so that several annotators' files
    rate the same items. A score such as `3: Neutral - some overlap` is the answer 3
    with its words in `details` as `label`; an empty one is unscored with the reason
    `missing`. Other columns are metadata.
    """
    placed: Comparison = row.value
    missing = [name for name in _NEEDED if name not in placed.columns]
    if missing:
        raise DataError(f"no column for {', '.join(missing)}")
    texts = {name: _text(placed, name) for name in ("A", "B")}
    history = _turns(placed)
    item = f"upheld-{json_hash([_cell(placed, 'history'), texts['A'], texts['B']])}"
    if placed.seen == 0:
        shorten = {name: without_markup(text) for name, text in texts.items()}
        yield _continuation(item, placed, shorten, history, options)
    several = _several(options)
    judge = f"rater-{placed.seen + 1}" if several else _rater(row, placed, options)
    for question in _SCALES.values():
        given = {
            "item": item,
            "judge": judge,
            "question": question.id,
            "repeat": 0 if several else placed.repeat,
            "anonymous": several,
            "kind": "person",
        }
        column = placed.columns[question.id]
        yield judgment(given | _score(_cell(placed, question.id), question, column))


def _cell(placed: Comparison, name: str) -> str:
    cell = placed.cells[placed.columns[name]]
    return "" if cell is None else str(cell)


def _text(placed: Comparison, name: str) -> str:
    text = _cell(placed, name)
    if not text.strip():
        raise DataError("is empty; both options need a text", field=placed.columns[name])
    return text


def _turns(placed: Comparison) -> list[dict[str, str]]:
    try:
        return read_history(placed.cells[placed.columns["history"]])
    except DataError as error:
        error.field = placed.columns["history"]
        raise


def _continuation(
    item: str,
    placed: Comparison,
    texts: Mapping[str, str],
    history: list[dict[str, str]],
    options: Options,
) -> Record:
    used = {*placed.columns.values(), options.values.get("rater_column")}
    named = _cell(placed, "conversation") if "conversation" in placed.columns else ""
    return continuation(
        {
            "id": item,
            "context": history,
            "references": [texts["A"]],
            "candidate": texts["B"],
            "conversation": named or placed.conversation,
            "turn": len(history),
            "source": _cell(placed, "source") if "source" in placed.columns else None,
            "metadata": {name: cell for name, cell in placed.cells.items() if name not in used},
        }
    )


def _several(options: Options) -> bool:
    """Whether rows with the same texts are by people whom nothing names."""
    repeats = options.values.get("repeats", "rater")
    if repeats not in ("rater", "raters"):
        raise ConfigError(f"option repeats is {repeats!r}; allowed are rater and raters")
    return repeats == "raters"


def _rater(row: Row, placed: Comparison, options: Options) -> str:
    column = options.values.get("rater_column", placed.columns.get("rater"))
    if column is None:
        return Path(row.source.removesuffix(".gz").removesuffix(".zst")).stem
    if column not in placed.cells:
        names = ", ".join(map(ascii, placed.cells))
        raise ConfigError(f"rater_column is {column!r}; the columns are {names}")
    rater = str(placed.cells[column]).strip()
    if not rater:
        raise DataError("is empty; it must name the annotator", field=column)
    return rater


def _score(cell: str, question: Question, column: str) -> dict[str, Any]:
    if not cell.strip():
        return unscored("the source's cell is empty")
    found = _SCORE.fullmatch(cell.strip())
    if found is None or found[1] not in question.answers:
        raise DataError(
            f"answer {shorten(cell)} is outside 1..5 of question {question.id}", field=column
        )
    return {"answer": found[1], "details": {"label": found[2]} if found[2] else None}


UPHELD = Format(
    name="upheld",
    summary="UPHELD's table: chat_history, Option A, Option B and three scores; reads it whole",
    recognise=recognise,
    parse=read,
    gather=gather,
    options={
        "rater_column": "the column that names the annotator; the file's name by default",
        "repeats": "whose rows with the same texts are: the same rater's (default), or raters",
    },
    questions=QUESTIONS,
)


History = Sequence[tuple[str, str]]


def conversations(histories: Iterable[History], prefix: str) -> list[str]:
    """An id of the conversation that each history belongs to.

    Two histories belong to one conversation when one is a prefix of the other, and so
    do those that are joined by a third; the id is taken from the shortest. Histories
    that merely open alike, with no row at the place where they part, stay apart.
    Needs all histories at once; time and memory grow with their turns. An empty
    history joins nothing and is a conversation of its own.

    Args:
        histories: a (role, text) a turn each.
        prefix: what the ids begin with.

    >>> a, b, c = conversations([[("user", "Hi")], [("user", "Hi"), ("ai", "Yes?")],
    ...                          [("user", "Bye")]], "t")
    >>> a == b, a == c
    (True, False)
    """
    keys = [_running(history) for history in histories]
    present = {own[-1] for own in keys if own}
    names = []
    for own in keys:
        root = next((key for key in own if key in present), "")
        names.append(f"{prefix}-{root[:12]}" if root else f"{prefix}-start")
    return names


def _running(history: History) -> list[str]:
    """A hash of the first turn, of the first two, ... of all."""
    state, keys = hashlib.sha256(), []
    for role, text in history:
        state.update(json.dumps([role, text]).encode())
        keys.append(state.hexdigest())
    return keys
