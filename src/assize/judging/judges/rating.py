"""`rating`: how well the assistant did, 1 to 10; `rating-dimensions`: aspect by aspect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assize.base.conversation import Conversation
from assize.base.judgment import Question
from assize.judging.aspects import ASPECTS, OVERALL
from assize.judging.method import Method, Said
from assize.judging.schemas import record, scale, words

LOWEST, HIGHEST = 1, 10
NAMES = (*ASPECTS, OVERALL)


def rating_question(id: str, text: str, low: int, high: int) -> Question:
    """Return a question answered by whole numbers, of judges of one response or conversation."""
    numbers = range(low, high + 1)
    return Question(
        id,
        text,
        kind="ordinal",
        answers=tuple(map(str, numbers)),
        values=tuple(map(float, numbers)),
        range=(low, high),
    )


def read_one(value: Mapping[str, Any]) -> Iterable[Said]:
    """The one rating, with its reasons where they are asked for."""
    rating = value["rating"]
    yield Said("rating", str(rating), float(rating), value.get("explanation"))


def read_all(value: Mapping[str, Any]) -> Iterable[Said]:
    """Eleven ratings; the reasons stand on the first."""
    for name in NAMES:
        reasons = value["explanation"] if name == NAMES[0] else None
        yield Said(f"rating:{name}", str(value[name]), float(value[name]), reasons)


RATING = Method(
    name="rating",
    about="how well the assistant did in a dialogue, 1 to 10",
    takes=(Conversation,),
    questions=(rating_question("rating", "How well did the assistant do?", LOWEST, HIGHEST),),
    prompt="rating",
    schema=record(rating=scale(LOWEST, HIGHEST)),
    read=read_one,
    choice="rating",
    max_tokens=64,
)
RATING_DIMENSIONS = Method(
    name="rating-dimensions",
    about="a dialogue on ten aspects and overall, 1 to 10 each, in one call; reasons first",
    takes=(Conversation,),
    questions=tuple(
        rating_question(
            f"rating:{name}", f"How well did the assistant do on {name}?", LOWEST, HIGHEST
        )
        for name in NAMES
    ),
    prompt="rating-dimensions",
    schema=record(explanation=words(), **{name: scale(LOWEST, HIGHEST) for name in NAMES}),
    read=read_all,
    max_tokens=1536,
)
