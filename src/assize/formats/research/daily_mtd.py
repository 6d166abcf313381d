"""MTDEval's Daily-MTD in its three forms, tables that people labelled.

| file | a row | labels |
|---|---|---|
| `Daily-MTD.csv` | one dialogue | `score`, 1 to 10, the mean of five experts |
| `Daily-MTD-Pair.csv` | two dialogues with the same user turns | `Overall`, their majority |
| `Daily-MTD-Dim.csv` | the same two dialogues | ten dimensions, their majority |

Rows 2n and 2n + 1 of the first are the two dialogues of row n of the others. The paper says both
that pairs are labelled by majority (appendix B) and that they are by the two scores (appendix D);
the released labels are not the sign of the released scores, so here labels are gold as they stand,
and `assize.simulate.pairs` makes pairs of the scores.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from assize.base.errors import DataError, shorten
from assize.base.judgment import Question
from assize.formats.format import Format, Options
from assize.formats.preferences import read_preference
from assize.formats.records import Record, conversation, judgment
from assize.formats.research.fields import others, take, unscored
from assize.formats.research.mtdeval import ALSO, ASKED, QUESTIONS, dialog_id_of, paired
from assize.formats.rows import Row, Sample
from assize.formats.transcripts import split_at_marks

_PAIR, _SINGLE = "daily-mtd-", "daily-mtd-single-"
_LOW, _HIGH = 1, 10
_NAMES = {**{name.lower(): name for name in ASKED}, **ALSO}
_EXPERT = re.compile(r"(?:expert|annotator|rater|score)[ _-]?\d+", re.IGNORECASE)


def _rating(id: str, text: str) -> Question:
    """A rating from 1 to 10: the scale of the judges `rating` and `rating-dimensions`."""
    numbers = range(_LOW, _HIGH + 1)
    answers, values = tuple(map(str, numbers)), tuple(map(float, numbers))
    return Question(id, text, "ordinal", answers, values, range=(_LOW, _HIGH))


RATINGS = (
    _rating("rating", "How well did the assistant do?"),
    *(_rating(f"rating:{name}", f"How well did the assistant do on {name}?") for name in ASKED),
)


def read_daily(row: Row, options: Options) -> Iterable[Record]:
    """A pair whose gold holds the label of each of the eleven questions the table has.

    The released table calls Conversationality `Fluency` and Informativeness `Knowledge`.
    """
    value, number = row.value, dialog_id_of(row.value)
    columns = {name: _NAMES[name.lower()] for name in value if str(name).lower() in _NAMES}
    gold: dict[str, str] = {}
    for column, name in columns.items():
        if label := take(value, column, str).strip():
            side = read_preference(label)
            if side is None:
                raise DataError(
                    f"received {shorten(label)}; allowed are A, B and Fair", field=column
                )
            gold[name] = side
    metadata = others(value, {"dialog_id", "conversation", *columns})
    blocks = read_blocks(take(value, "conversation", str), ("A", "B"))
    yield paired(f"{_PAIR}{number}", blocks, gold or None, metadata)


def read_single(row: Row, options: Options) -> Iterable[Record]:
    """A dialogue, what each expert gave it, and gold: the score, else the experts' mean.

    The released table has the mean alone. A column `expert1`, `annotator_2` or the like is a
    person's rating; one named after a dimension is gold for `rating:DIMENSION`. The metadata
    name the pair that the dialogue is a side of, where the id is a number.
    """
    value, number = row.value, dialog_id_of(row.value)
    item = f"{_SINGLE}{number}"
    experts = [name for name in value if _EXPERT.fullmatch(str(name).strip())]
    dimensions = {name: _NAMES[name.lower()] for name in value if str(name).lower() in _NAMES}
    used = {"dialog_id", "conversation", "score", *experts, *dimensions}
    blocks = read_blocks(take(value, "conversation", str), ("text",))
    turns = [{"role": one["role"], "text": one["text"]} for one in blocks]
    yield conversation(
        {"id": item, "turns": turns, "metadata": _side(number) | others(value, used)}
    )
    given = {name: _score(value, name) for name in ("score", *experts, *dimensions)}
    said = [(str(name).strip(), given[name]) for name in experts]
    for expert, score in said:
        if score is not None:
            yield _row(item, expert, "rating", score)
    scores = [score for _, score in said if score is not None]
    mean = sum(scores) / len(scores) if scores else None
    yield _row(item, "gold", "rating", given["score"] if given["score"] is not None else mean)
    for column, name in dimensions.items():
        yield _row(item, "gold", f"rating:{name}", given[column])


def _side(number: str) -> dict[str, str]:
    if not number.isdecimal():
        return {}
    return {"pair": f"{_PAIR}{int(number) // 2}", "side": "AB"[int(number) % 2]}


def _score(value: Mapping[str, Any], name: str) -> float | None:
    """A score from 1 to 10; None where the cell is empty or the column is not there."""
    text = str(value.get(name) if value.get(name) is not None else "").strip()
    if not text:
        return None
    try:
        score = float(text)
    except ValueError:
        score = float("nan")
    if not _LOW <= score <= _HIGH:
        raise DataError(f"received {shorten(text)}; allowed is {_LOW} to {_HIGH}", field=str(name))
    return score


def _row(item: str, judge: str, question: str, score: float | None) -> Record:
    result = unscored("the source holds no score") if score is None else {"score": score}
    return judgment({"item": item, "judge": judge, "question": question, "kind": "person"} | result)


_BLOCK = re.compile(r'(?m)^[ \t]*"role"[ \t]*:[ \t]*"([^"\n]*)"[ \t]*,?[ \t]*$')
_SIDE = re.compile(r'(?m)^[ \t]*"A"[ \t]*:')
_USERS = {"human", "user"}


def read_blocks(text: str, said: tuple[str, ...] = ("A", "B")) -> list[dict[str, str]]:
    """The turns of a Daily-MTD conversation: `{"role", "text"}`, or `{"role", "A", "B"}`.

    The source writes each turn as lines of `"name": "value"` without braces, and does
    not escape quotes inside a value. A block starts at a line that holds nothing but
    its role, so a turn may hold quotes and blank lines; a value ends at the next name
    of its block, or with the block. What cannot be told apart: a turn with such a line
    inside.

    Args:
        said: the names of the assistant's values; `("text",)` for a single dialogue.
    """
    parts = split_at_marks(text, _BLOCK)
    if not parts:
        raise DataError('must start with a line `"role": "Human",`', field="conversation")
    blocks = []
    for number, (mark, body) in enumerate(parts):
        user = mark[1].strip().lower() in _USERS
        values = _values(body, ("text",) if user else said, number)
        blocks.append({"role": "user" if user else "assistant", **values})
    return blocks


def _values(body: str, names: tuple[str, ...], number: int) -> dict[str, str]:
    pattern = r",?\s*\n".join(rf'[ \t]*"{name}"[ \t]*:[ \t]*"(.*?)"' for name in names)
    found = re.fullmatch(rf"\s*{pattern}\s*,?\s*", body, re.DOTALL)
    if found is None:
        wanted = " and ".join(f'`"{name}": ".."`' for name in names)
        raise DataError(f"block {number} must hold {wanted}", field="conversation")
    return dict(zip(names, found.groups(), strict=True))


def _holds(sample: Sample) -> bool:
    return sample.has("dialog_id", "conversation") and '"role"' in str(sample.first["conversation"])


def _holds_single(sample: Sample) -> bool:
    if not _holds(sample):
        return False
    rated = "score" in sample.first or any(_EXPERT.fullmatch(str(one)) for one in sample.first)
    return rated and _SIDE.search(str(sample.first["conversation"])) is None


DAILY_MTD_SINGLE = Format(
    name="daily-mtd-single",
    summary="MTDEval's Daily-MTD: dialogues that experts rated from 1 to 10",
    recognise=_holds_single,
    parse=read_single,
    questions=RATINGS,
)
DAILY_MTD_DIM = Format(
    name="daily-mtd-dim",
    summary="MTDEval's Daily-MTD-Dim: two dialogues with human labels on ten dimensions",
    recognise=lambda sample: (
        _holds(sample) and sample.has("Accuracy", "Safety") and "Overall" not in sample.first
    ),
    parse=read_daily,
    questions=QUESTIONS,
)
DAILY_MTD = Format(
    name="daily-mtd",
    summary="MTDEval's Daily-MTD-Pair: two dialogues with a human label",
    recognise=_holds,
    parse=read_daily,
    questions=QUESTIONS,
)
