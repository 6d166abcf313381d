"""A model in a person's place, and a model that says what the person said in other words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from assize.base.conversation import Continuation, Turn
from assize.base.errors import AnswerError
from assize.judging.calls import Asker, Call
from assize.judging.schemas import record, words
from assize.judging.steps import Step, Steps

REPHRASE = "rephrase"
PROMPT = "simulate-rephrase"
_SCHEMA = record(message=words())


async def rephrased(slot: Continuation, asker: Asker, steps: Steps) -> Step:
    """The reference in other words; one that comes back as it was is asked for again.

    Source: UPHELD, section 3.1, whose rephrasing is by GPT-4o. Its prompt is unpublished; ours is
    `simulate-rephrase`.
    """
    said = slot.references[0]

    def read(value: Mapping[str, Any]) -> Mapping[str, Any]:
        text = value["message"].strip()
        if not text:
            raise AnswerError("the message is empty")
        if " ".join(text.split()) == " ".join(said.split()):
            raise AnswerError("the message is word for word the one that was given")
        return {"text": text}

    turns = (Turn("assistant", said),)
    call = Call(
        PROMPT,
        {"turns": turns},
        [said],
        _SCHEMA,
        read,
        (slot.id, REPHRASE),
        max_tokens=max(512, 2 * len(said)),
    )

    given = [asker.model.name, asker.prompt(PROMPT).hash, said]
    return await steps.take(REPHRASE, slot.id, given, partial(asker.ask_or_unscored, call))
