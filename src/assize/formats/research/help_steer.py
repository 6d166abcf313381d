"""HelpSteer 2 and 3: responses that people rated on five attributes, and pairs that they compared.

    {"prompt", "response", "helpfulness", "correctness", "coherence", "complexity", "verbosity"}
    {"prompt", "response_1", "response_2", "preference_strength", "preference_statement", ...}
    {"domain", "language", "context": [messages], "response1", "response2",
     "overall_preference", "individual_preference": [{"score", "reasoning", ...}]}

A preference runs from -3, the first response is much better, to 3, the second is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from assize.base.conversation import Conversation, Pair, Preference, Turn
from assize.base.errors import DataError, shorten
from assize.base.judgment import PREFERENCE
from assize.formats.any_log.mapping import FieldMapping
from assize.formats.any_log.turns import turns_of
from assize.formats.format import Format, Options
from assize.formats.messages import object_at, record_id, text_at
from assize.formats.records import Record, judgment
from assize.formats.research.fields import ordinal, others, unscored
from assize.formats.rows import Row, Sample

_DEGREES = (0, 1, 2, 3, 4)
QUESTIONS = (
    ordinal("helpfulness", "How helpful is the response?", _DEGREES),
    ordinal("correctness", "How correct and complete is the response?", _DEGREES),
    ordinal("coherence", "How consistent and clear is the response?", _DEGREES),
    # More of these is neither better nor worse.
    replace(ordinal("complexity", "How much expertise does it take?", _DEGREES), higher=None),
    replace(ordinal("verbosity", "How much detail does it hold?", _DEGREES), higher=None),
)
_NAMES = tuple(one.id for one in QUESTIONS)
_PAIRED = (
    ("response_1", "response_2", "preference_strength"),
    ("response1", "response2", "overall_preference"),
)
_STRONGEST = 3
# A history in one text: turns are set apart by `<extra_id_1>User` and the like.
_MARK = re.compile(r"\n?<extra_id_1>(User|Assistant)\n?")


def recognise(sample: Sample) -> bool:
    """Whether the first row has a response and the five attributes, or two and a preference."""
    rated = sample.has("prompt", "response", *_NAMES)
    return rated or any(sample.has(*names) for names in _PAIRED)


def read(row: Row, options: Options) -> Iterable[Record]:
    """A conversation with its ratings, or a pair with each person's preference.

    The release gives means of several raters, or a list of each one's rating
    (`disagreements`); raters are places in a list, so they are anonymous, and means are `gold`.
    The strength stands in `details`. The pair's gold is the sign of the overall preference.
    """
    fields = object_at(row.value, "")
    names = next((one for one in _PAIRED if all(name in fields for name in one)), None)
    if names is None:
        yield from _rated(row, fields, options)
    else:
        yield from _compared(row, fields, options, *names)


def _context(fields: Mapping[str, Any], options: Options) -> tuple[Turn, ...]:
    said = fields.get("context", fields.get("prompt"))
    if not isinstance(said, str):
        return turns_of(said, "context", FieldMapping(roles=options.roles), "user")
    first, *rest = _MARK.split(said)
    turns = [Turn("user", first)]
    for who, text in zip(rest[::2], rest[1::2], strict=True):
        turns.append(Turn("user" if who == "User" else "assistant", text))
    if turns[-1].role == "assistant" and not turns[-1].text:  # the mark of the answer to come
        turns.pop()
    return tuple(turns)


def _rated(row: Row, fields: Mapping[str, Any], options: Options) -> Iterator[Record]:
    item = record_id(row, fields.get("id"))
    used = {"id", "prompt", "context", "response", *_NAMES}
    answer = Turn("assistant", text_at(fields.get("response"), "response"))
    yield Conversation(item, (*_context(fields, options), answer), metadata=others(fields, used))
    for name in _NAMES:
        value = fields[name]
        several = value if isinstance(value, list) else [value]
        for place, one in enumerate(several, start=1):
            yield judgment(
                {
                    "item": item,
                    "judge": f"rater{place}" if isinstance(value, list) else "gold",
                    "question": name,
                    "kind": "person",
                    "anonymous": isinstance(value, list),
                    **_answered(one, name),
                }
            )


def _answered(value: Any, name: str) -> dict[str, Any]:
    """A whole number as the answer, any other as the score; nothing is unscored."""
    if value is None:
        return unscored("the source holds no answer")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(f"received {shorten(value)}; expected a number from 0 to 4", field=name)
    return {"answer": str(int(value))} if float(value).is_integer() else {"score": float(value)}


def _compared(
    row: Row,
    fields: Mapping[str, Any],
    options: Options,
    first: str,
    second: str,
    overall: str,
) -> Iterator[Record]:
    item = record_id(row, fields.get("id"))
    used = {
        "id",
        "prompt",
        "context",
        first,
        second,
        overall,
        "individual_preference",
        "all_preferences_unprocessed",
    }
    a, b = ((Turn("assistant", text_at(fields.get(name), name)),) for name in (first, second))
    strength = _strength(fields[overall], overall)
    more = {} if strength is None else {"strength": strength}
    yield Pair(
        item,
        _context(fields, options),
        a,
        b,
        gold=None if strength is None else _side(strength),
        metadata={**others(fields, used), **more},
    )
    each = fields.get("individual_preference", fields.get("all_preferences_unprocessed"))
    for place, one in enumerate(each if isinstance(each, list) else (), start=1):
        said = one if isinstance(one, Mapping) else {"score": one}
        given = _strength(said.get("score", said.get("strength")), "score")
        if given is None:
            continue
        why = said.get("reasoning", said.get("statement"))
        yield judgment(
            {
                "item": item,
                "judge": f"rater{place}",
                "question": PREFERENCE.id,
                "kind": "person",
                "anonymous": True,
                "answer": _side(given),
                "details": {"strength": given},
                "explanation": why if isinstance(why, str) else None,
            }
        )


def _strength(value: Any, field: str) -> int | float | None:
    if value is None:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not -_STRONGEST <= value <= _STRONGEST:
        raise DataError(
            f"received {shorten(value)}; a preference is a number from -3 to 3", field=field
        )
    found: int | float = value
    return found


def _side(strength: float) -> Preference:
    return "A" if strength < 0 else "B" if strength > 0 else "tie"


HELP_STEER = Format(
    name="helpsteer",
    summary="HelpSteer 2 and 3: responses with five ratings, pairs with a preference from -3 to 3",
    recognise=recognise,
    parse=read,
    questions=(*QUESTIONS, PREFERENCE),
)
