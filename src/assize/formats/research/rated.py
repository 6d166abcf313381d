"""Conversations with ratings: `{id, turns, ratings: [{judge, kind, dimension, score}]}`.

Scales are left to be inferred, and nothing says that a person's id means the same person in
every conversation: people's ratings are `anonymous`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assize.base.judgment import Judgment
from assize.formats.format import Format, Options
from assize.formats.records import Record, conversation, judgment
from assize.formats.research.fields import others, take, unscored
from assize.formats.rows import Row, Sample

_KINDS = {"human": "person", "llm": "model", "model": "model"}


def recognise(sample: Sample) -> bool:
    """Whether the first row holds turns and a list of ratings."""
    ratings = sample.first.get("ratings") if sample.has("turns", "ratings") else None
    return isinstance(ratings, list) and all(isinstance(one, Mapping) for one in ratings)


def read(row: Row, options: Options) -> Iterable[Record]:
    """A conversation, followed by one judgment a rating."""
    value, ratings = row.value, take(row.value, "ratings", list)
    item = take(value, "id", str)
    yield conversation(
        {
            "id": item,
            "turns": take(value, "turns", list),
            "system": value.get("bot"),
            "metadata": others(value, {"id", "turns", "ratings", "bot"}),
        }
    )
    for rating in ratings:
        yield _rated(item, rating)


def _rated(item: str, rating: Mapping[str, Any]) -> Judgment:
    """The judgment for one `{judge, kind, dimension, score, turn?, run?}`.

    `run` counts from 1 and becomes `repeat`, which counts from 0. A null score is unscored
    with the reason `missing`.
    """
    question = take(rating, "dimension", str)
    kind, score = _KINDS.get(str(rating.get("kind"))), rating.get("score")
    return judgment(
        {
            "item": item,
            "judge": rating.get("judge"),
            "question": question,
            "turn": rating.get("turn"),
            "repeat": rating["run"] - 1 if isinstance(rating.get("run"), int) else 0,
            "anonymous": kind == "person",
            "kind": kind,
        }
        | ({"score": score} if score is not None else unscored("the source holds no score"))
    )


RATED = Format(
    name="rated",
    summary="any conversations with a list of ratings; scales inferred, raters anonymous",
    recognise=recognise,
    parse=read,
)
