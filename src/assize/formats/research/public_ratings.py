"""Public sets with ratings: HelpSteer 2 and 3, UltraFeedback, and any conversations with ratings.

{"prompt", "response", "helpfulness", "correctness", "coherence", "complexity", "verbosity"}
{"prompt", "response_1", "response_2", "preference_strength", ...}
{"context": [messages], "response1", "response2", "overall_preference",
 "individual_preference": [{"score", "reasoning", ...}]}
{"instruction", "completions": [{"model", "response", "overall_score",
 "annotations": {"helpfulness": {"Rating", "Rationale"}, ...}}]}
{"id", "turns", "ratings": [{"judge", "kind", "dimension", "score"}]}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from assize.base.conversation import Conversation, Pair, Preference, Turn
from assize.base.errors import DataError, shorten
from assize.base.judgment import PREFERENCE
from assize.formats.chat_messages import read_turns
from assize.formats.format import Format, Options
from assize.formats.messages import list_at, object_at, record_id, text_at
from assize.formats.records import Record, conversation, judgment
from assize.formats.research.fields import number, ordinal, others, rating, take
from assize.formats.rows import Row, Sample
from assize.formats.transcripts import split_at_marks

# --- HelpSteer -----------------------------------------------------------------------------------

_DEGREES = (0, 1, 2, 3, 4)
HELP_STEER_QUESTIONS = (
    ordinal("helpfulness", "How helpful is the response?", _DEGREES),
    ordinal("correctness", "How correct and complete is the response?", _DEGREES),
    ordinal("coherence", "How consistent and clear is the response?", _DEGREES),
    # More of these is neither better nor worse.
    replace(ordinal("complexity", "How much expertise does it take?", _DEGREES), higher=None),
    replace(ordinal("verbosity", "How much detail does it hold?", _DEGREES), higher=None),
)
_NAMES = tuple(question.id for question in HELP_STEER_QUESTIONS)
_PAIRED = (
    ("response_1", "response_2", "preference_strength"),
    ("response1", "response2", "overall_preference"),
)
_VOTES = ("individual_preference", "all_preferences_unprocessed")
_STRONGEST = 3
# A history in one text: turns are set apart by `<extra_id_1>User` and the like.
_MARK = re.compile(r"(?:^|\n?<extra_id_1>)(User|Assistant)\n?")


def read_help_steer(row: Row, options: Options) -> Iterable[Record]:
    """A conversation with its ratings, or a pair with each person's preference.

    The release gives means of several raters, or a list of each one's rating
    (`disagreements`); raters are places in a list, so they are anonymous, and means are `gold`.
    A preference runs from -3, the first response is much better, to 3, the second is; the strength
    stands in `details`. The pair's gold is the sign of the overall preference.
    """
    fields = object_at(row.value, "")
    names = next((names for names in _PAIRED if all(name in fields for name in names)), None)
    item = record_id(row, fields.get("id"))
    if names is None:
        yield from _rated(item, fields, options)
    else:
        yield from _compared(item, fields, options, *names)


def _context(fields: Mapping[str, Any], options: Options) -> tuple[Turn, ...]:
    value = fields.get("context", fields.get("prompt"))
    if not isinstance(value, str):
        return read_turns(value, "context", "user", options.roles)
    turns = [
        Turn("user" if mark[1] == "User" else "assistant", text)
        for mark, text in split_at_marks(f"User\n{value}", _MARK)
    ]
    if turns[-1].role == "assistant" and not turns[-1].text:  # the mark of the answer to come
        turns.pop()
    return tuple(turns)


def _rated(item: str, fields: Mapping[str, Any], options: Options) -> Iterator[Record]:
    answer = Turn("assistant", text_at(fields.get("response"), "response"))
    metadata = others(fields, {"id", "prompt", "context", "response", *_NAMES})
    yield Conversation(item, (*_context(fields, options), answer), metadata=metadata)
    for name in _NAMES:
        several = isinstance(fields[name], list)
        for index, value in enumerate(fields[name] if several else [fields[name]], start=1):
            yield judgment(
                {
                    "item": item,
                    "judge": f"rater{index}" if several else "gold",
                    "question": name,
                    "kind": "person",
                    "anonymous": several,
                    **rating(value),
                }
            )


def _compared(
    item: str,
    fields: Mapping[str, Any],
    options: Options,
    first: str,
    second: str,
    overall: str,
) -> Iterator[Record]:
    a, b = (read_turns(fields.get(name), name, "assistant") for name in (first, second))
    strength = _strength(fields[overall], overall)
    used = {"id", "prompt", "context", first, second, overall, *_VOTES}
    yield Pair(
        item,
        _context(fields, options),
        a,
        b,
        gold=None if strength is None else _side(strength),
        metadata={**others(fields, used), **others({"strength": strength}, ())},
    )
    votes: list[Any] = next(
        (fields[name] for name in _VOTES if isinstance(fields.get(name), list)), []
    )
    for index, value in enumerate(votes, start=1):
        vote = value if isinstance(value, Mapping) else {"score": value}
        strength = _strength(vote.get("score", vote.get("strength")), "score")
        why = vote.get("reasoning", vote.get("statement"))
        if strength is not None:
            yield judgment(
                {
                    "item": item,
                    "judge": f"rater{index}",
                    "question": PREFERENCE.id,
                    "kind": "person",
                    "anonymous": True,
                    "answer": _side(strength),
                    "details": {"strength": strength},
                    "explanation": why if isinstance(why, str) else None,
                }
            )


def _strength(value: Any, field: str) -> float | None:
    if value is None:
        return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not -_STRONGEST <= value <= _STRONGEST:
        problem = f"received {shorten(value)}; a preference is a number from -3 to 3"
        raise DataError(problem, field=field)
    return value  # type: ignore[no-any-return]


def _side(strength: float) -> Preference:
    return "A" if strength < 0 else "B" if strength > 0 else "tie"


HELP_STEER = Format(
    name="helpsteer",
    summary="HelpSteer 2 and 3: responses with five ratings, pairs with a preference from -3 to 3",
    recognise=lambda sample: any(
        sample.has(*names) for names in (("prompt", "response", *_NAMES), *_PAIRED)
    ),
    parse=read_help_steer,
    questions=(*HELP_STEER_QUESTIONS, PREFERENCE),
)

# --- UltraFeedback -------------------------------------------------------------------------------

_ASPECTS = {
    "helpfulness": "How helpful and informative is the answer?",
    "honesty": "How honest is the answer about what it does not know?",
    "instruction_following": "How well does the answer follow the instruction?",
    "truthfulness": "How free of errors is the answer?",
}
ULTRAFEEDBACK_QUESTIONS = (
    *(ordinal(name, text, (1, 2, 3, 4, 5)) for name, text in _ASPECTS.items()),
    number("overall", "How good is the answer as a whole?", 1, 10),
)


def read_ultrafeedback(row: Row, options: Options) -> Iterable[Record]:
    """A conversation an answer, each with GPT-4's ratings; `group` in the metadata is the
    instruction, so that `assize simulate pairs --question overall` makes pairs of them.

    `N/A` does not apply; an aspect without a rating is unscored.
    """
    fields = object_at(row.value, "")
    prompt = Turn("user", text_at(fields.get("instruction"), "instruction"))
    group = record_id(row, fields.get("id"))
    metadata = {**others(fields, {"id", "instruction", "completions", "models"}), "group": group}
    for index, value in enumerate(list_at(fields.get("completions"), "completions")):
        place = f"completions[{index}]"
        completion = object_at(value, place)
        answer = Turn("assistant", text_at(completion.get("response"), f"{place}.response"))
        item, model = f"{group}/{index}", completion.get("model")
        system = model if isinstance(model, str) else None
        yield Conversation(item, (prompt, answer), system, metadata)
        for question, (result, why) in _aspects(completion).items():
            yield judgment(
                {
                    "item": item,
                    "judge": "gpt-4",
                    "question": question,
                    "kind": "model",
                    "explanation": why if isinstance(why, str) else None,
                }
                | result
            )


def _aspects(completion: Mapping[str, Any]) -> dict[str, tuple[dict[str, Any], Any]]:
    """By question, the result and the rationale."""
    rated = completion.get("annotations")
    aspects = rated if isinstance(rated, Mapping) else {}
    results = {
        name: (rating(aspect.get("Rating")), aspect.get("Rationale"))
        for name in _ASPECTS
        if isinstance(aspect := aspects.get(name), Mapping)
    }
    if completion.get("overall_score") is not None:
        results["overall"] = rating(completion["overall_score"], whole=False), None
    return results


def _is_ultrafeedback(sample: Sample) -> bool:
    completions = sample.first.get("completions")
    first = completions[0] if isinstance(completions, list) and completions else None
    return sample.has("instruction") and isinstance(first, Mapping) and "response" in first


ULTRAFEEDBACK = Format(
    name="ultrafeedback",
    summary="UltraFeedback: several answers to an instruction, with GPT-4's ratings",
    recognise=_is_ultrafeedback,
    parse=read_ultrafeedback,
    questions=ULTRAFEEDBACK_QUESTIONS,
)

# --- any conversations with ratings --------------------------------------------------------------

_KINDS = {"human": "person", "llm": "model", "model": "model"}


def read_rated(row: Row, options: Options) -> Iterable[Record]:
    """A conversation, followed by one judgment a rating, `{judge, kind, dimension, score, turn?,
    run?}`.

    Scales are left to be inferred, and nothing says that a person's id means the same person in
    every conversation: people's ratings are `anonymous`. `run` counts from 1 and becomes `repeat`,
    which counts from 0. A null score is unscored with the reason `missing`.
    """
    value, item = row.value, take(row.value, "id", str)
    turns, system = take(value, "turns", list), value.get("bot")
    metadata = others(value, {"id", "turns", "ratings", "bot"})
    yield conversation({"id": item, "turns": turns, "system": system, "metadata": metadata})
    for given in take(value, "ratings", list):
        question = take(given, "dimension", str)
        kind = _KINDS.get(str(given.get("kind")))
        yield judgment(
            {
                "item": item,
                "judge": given.get("judge"),
                "question": question,
                "turn": given.get("turn"),
                "repeat": given["run"] - 1 if isinstance(given.get("run"), int) else 0,
                "anonymous": kind == "person",
                "kind": kind,
                **rating(given.get("score"), whole=False),
            }
        )


def _is_rated(sample: Sample) -> bool:
    ratings = sample.first.get("ratings") if sample.has("turns", "ratings") else None
    return isinstance(ratings, list) and all(isinstance(given, Mapping) for given in ratings)


RATED = Format(
    name="rated",
    summary="any conversations with a list of ratings; scales inferred, raters anonymous",
    recognise=_is_rated,
    parse=read_rated,
)
