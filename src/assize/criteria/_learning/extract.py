"""Extracting: which patterns in a conversation explain its label.

Satisfaction patterns come from good conversations, dissatisfaction patterns from bad ones.

Source: RUBICON, section 3.2.1 (supervised extraction, after SPUR), with k = 3.
Differs: each pattern names the turns that show it, and there may be fewer than k.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from assize.base.conversation import Conversation
from assize.base.errors import TooLongError
from assize.base.judgment import Unscored
from assize.criteria._criterion import Pattern, Polarity
from assize.criteria._learning.settings import Learning
from assize.judging.boundary import texts_of
from assize.judging.calls import Asker, Call, numbers, one_line, plain_text, within
from assize.judging.method import JSON
from assize.judging.prompt_judge import Asked
from assize.judging.schemas import record, words
from assize.judging.shortening import LEFT_OUT, ask_shortened

PROMPT = "criteria-extract"
_LONGEST_REASON = 1000  # characters that are kept
LIKELY = "the assistant does or fails to do something that other conversations could show too"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A conversation and what people said of it."""

    conversation: Conversation
    good: bool

    @property
    def polarity(self) -> Polarity:
        """Of the patterns that it has."""
        return "sat" if self.good else "dsat"


async def extract(one: Labelled, asker: Asker, learning: Learning) -> Asked:
    """The patterns of a conversation; without its oldest turns, where `truncate` allows it."""
    talk = one.conversation

    async def ask(shown: Conversation) -> Asked:
        return await asker.ask(extraction(one, learning, shown, len(talk.turns) - len(shown.turns)))

    try:
        asked, left_out = await ask_shortened(talk, ask, asker.settings)
    except TooLongError as error:
        return Asked(None, Unscored("too_long", str(error)))
    if left_out and asked.answer is not None:
        return replace(asked, answer={**asked.answer, LEFT_OUT: left_out})
    return asked


def extraction(
    one: Labelled, learning: Learning, shown: Conversation | None = None, first: int = 0
) -> Call:
    """What is asked of a conversation, of which `shown` begins with turn `first`."""
    talk = one.conversation if shown is None else shown
    last = first + len(talk.turns) - 1
    pattern = record(pattern=words(), reason=words(), turns=numbers(first, last))

    def check(value: JSON) -> JSON:
        found: dict[str, Any] = {}
        for each in value["patterns"]:
            text = one_line(each["pattern"], "pattern")
            said = {
                "pattern": text,
                "reason": plain_text(each["reason"])[:_LONGEST_REASON],
                "turns": within(each["turns"], first, last, "turn"),
            }
            found.setdefault(text.casefold(), said)
        return {"patterns": list(found.values())[: learning.how.k]}  # the most telling come first

    def likely() -> str:
        each = {"reason": LIKELY, "turns": [last]}
        found = [{"pattern": f"{LIKELY} {talk.id} {n}", **each} for n in range(learning.how.k)]
        return json.dumps({"patterns": found})

    values = {**learning.values(), "good": one.good, "turns": talk.turns, "first": first}
    return Call(
        PROMPT,
        values,
        texts_of(talk),
        record(patterns={"type": "array", "items": pattern}),
        check,
        (one.conversation.id, "extract"),
        likely=likely,
    )


def patterns_of(one: Labelled, answer: JSON) -> tuple[Pattern, ...]:
    """The records of an answer."""
    name = one.conversation.id
    return tuple(
        Pattern(
            f"{name}/{number}",
            name,
            one.polarity,
            said["pattern"],
            said["reason"],
            tuple(said["turns"]),
        )
        for number, said in enumerate(answer["patterns"], start=1)
    )


def with_reasons(patterns: Iterable[Pattern]) -> list[str]:
    """Patterns as the next stages show them."""
    return [f"{one.text}\nReason: {one.reason}" if one.reason else one.text for one in patterns]
