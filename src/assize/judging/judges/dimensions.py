"""`dimensions`: two dialogues compared on ten aspects and overall, in one call (MTDEval)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assize.base.conversation import Pair
from assize.judging.aspects import ASPECTS, OVERALL, compared_on
from assize.judging.method import Method, Said
from assize.judging.schemas import preference, record, words

NAMES = (*ASPECTS, OVERALL)


def read(value: Mapping[str, Any]) -> Iterable[Said]:
    """Eleven answers; the reasons stand on the first."""
    for name in NAMES:
        reasons = value["explanation"] if name == NAMES[0] else None
        yield Said(name, value[name], explanation=reasons)


DIMENSIONS = Method(
    name="dimensions",
    about="two dialogues on ten aspects and overall, in one call; reasons first",
    takes=(Pair,),
    questions=tuple(map(compared_on, NAMES)),
    prompt="dimensions",
    schema=record(explanation=words(), **{name: preference() for name in NAMES}),
    read=read,
    max_tokens=1536,
)
