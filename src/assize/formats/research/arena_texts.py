"""The Arena's preferences as texts: a list of prompts, two lists of answers, three columns of 0
and 1 (55,000 battles of 2024), and any table of two responses with a label beside them.

    {"id", "model_a", "model_b", "prompt", "response_a", "response_b",
     "winner_model_a", "winner_model_b", "winner_tie"}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from assize.base.conversation import Pair, Preference, Turn
from assize.base.errors import DataError, shorten
from assize.formats.any_log.mapping import FieldMapping
from assize.formats.any_log.paths import opened
from assize.formats.any_log.turns import turns_of
from assize.formats.format import Format, Options
from assize.formats.messages import common_start, object_at, record_id, split_metadata
from assize.formats.preferences import read_preference
from assize.formats.records import Record
from assize.formats.rows import Row, Sample

_SIDES = ("response_a", "response_b")
_WINS: Mapping[str, Preference] = {
    "winner_model_a": "A",
    "winner_model_b": "B",
    "winner_tie": "tie",
    "winner_model_tie": "tie",
}
_LABELS = ("label", "winner", "preference", "preferred", "chosen", "gold", "human_preference")
_CONTEXTS = ("prompt", "context", "instruction", "question", "messages", "conversation", "input")


def recognise(sample: Sample) -> bool:
    """Whether the first row has two responses and who won."""
    return sample.has(*_SIDES) and (_won(sample.first) or _label(sample.first) is not None)


def _won(fields: Mapping[str, Any]) -> bool:
    return {"winner_model_a", "winner_model_b"} <= fields.keys()


def _label(fields: Mapping[str, Any]) -> str | None:
    return next((name for name in _LABELS if name in fields), None)


def read(row: Row, options: Options) -> Iterable[Record]:
    """A pair a row, whose gold is the vote.

    Lists of texts (also as JSON in a cell, as Kaggle's tables have them) are turns: prompt and
    answer by turns, and what both sides share is the context. A label is A, B or tie, or the name
    of the column; a number says nothing of itself, so it needs `--map` with `gold:0=A,gold:1=B`.
    """
    fields = object_at(row.value, "")
    for side in _SIDES:
        if side not in fields:
            raise DataError("there is no such field, and each row here has one", field=side)
    named = next((name for name in _CONTEXTS if fields.get(name) not in (None, "", [])), None)
    context, a, b = _dialogues(fields, named, FieldMapping(roles=options.roles))
    label = None if _won(fields) else _label(fields)
    used = {"id", named, label, *_SIDES, *(_WINS if _won(fields) else ())}
    metadata, extra = split_metadata(fields, used)
    gold = _winner(fields) if label is None else _worded(fields[label], label, named)
    yield Pair(
        record_id(row, fields.get("id")),
        context,
        a,
        b,
        gold=gold,
        metadata={**metadata, **extra},
    )


def _dialogues(
    fields: Mapping[str, Any], named: str | None, mapping: FieldMapping
) -> tuple[tuple[Turn, ...], tuple[Turn, ...], tuple[Turn, ...]]:
    asked = [] if named is None else opened(fields[named])
    sides = [opened(fields[side]) for side in _SIDES]
    if _texts(asked) and all(map(_texts, sides)):
        a, b = (_together(asked, side) for side in sides)
        shared = common_start(a, b)
        return a[:shared], a[shared:], b[shared:]
    context = () if not asked else turns_of(asked, str(named), mapping, "user")
    a, b = (
        turns_of(side, name, mapping, "assistant") for side, name in zip(sides, _SIDES, strict=True)
    )
    shared = 0 if context else common_start(a, b)
    return context or a[:shared], a[shared:], b[shared:]


def _texts(value: Any) -> bool:
    """Whether it is a list of texts, of which one may be missing."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(one is None or isinstance(one, str) for one in value)
    )


def _together(asked: Sequence[Any], answers: Sequence[Any]) -> tuple[Turn, ...]:
    """Prompts and answers by turns; a missing one is an empty turn, as it was seen."""
    found: list[Turn] = []
    for prompt, answer in zip_longest(asked, answers):
        found += [Turn("user", prompt or ""), Turn("assistant", answer or "")]
    return tuple(found)


def _winner(fields: Mapping[str, Any]) -> Preference | None:
    """The one column that holds 1; None where there is none, as in a test set."""
    won = [side for name, side in _WINS.items() if str(fields.get(name)) in ("1", "1.0", "True")]
    if len(set(won)) > 1:
        raise DataError("more than one side has won", field="winner_model_a")
    return won[0] if won else None


def _worded(value: Any, field: str, named: str | None) -> Preference | None:
    if value is None or value == "":
        return None
    side = read_preference(value)
    if side is None:
        context = "" if named is None else f"context={named},"
        words = "gold:0=A,gold:1=B" if str(value) in ("0", "1") else f"gold:{value}=A,gold:OTHER=B"
        raise DataError(
            f"received {shorten(value)}; expected A, B or tie: say what it means by --map"
            f" {context}a=response_a,b=response_b,gold={field},{words}",
            field=field,
        )
    return side


ARENA_TEXTS = Format(
    name="arena-texts",
    summary="two responses and who won: response_a, response_b, a label (Arena 55k)",
    recognise=recognise,
    parse=read,
)
