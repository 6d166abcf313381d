"""A model in a person's place, and a model that says what the person said in other words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from assize.base.conversation import Continuation, Turn
from assize.base.errors import AnswerError
from assize.base.judgment import Unscored
from assize.judging.calls import Asker, Call
from assize.judging.judge import JudgeSettings
from assize.judging.retries import Asked
from assize.judging.schemas import record, words
from assize.judging.steps import Step, Steps
from assize.models import CallId, Message, Model, Request
from assize.models.model import wire
from assize.simulate._coherence import HOME
from assize.simulate._responses import LONGEST, answered

REPHRASE = "rephrase"
PROMPT = "simulate-rephrase"
STAGE = "candidate"
_SCHEMA = record(message=words())


async def continued(
    slot: Continuation, model: Model, steps: Steps, settings: JudgeSettings, temperature: float
) -> Step:
    """What a model says next, shown the context as its own conversation and nothing of ours.

    Source: UPHELD, section 3.1: the history up to a turn, the person's turn withheld. Its
    sampling settings are not said.
    """
    of = f"{slot.id} {model.name}"
    if any(turn.role == "tool" for turn in slot.context):
        lost = Unscored("tool", "the context holds a tool's turn, which no message can hold")
        return Step(STAGE, of, "", unscored=lost)
    request = Request(
        tuple(Message(turn.role, turn.text) for turn in slot.context if turn.role != "tool"),
        temperature=temperature,
        seed=settings.seed,
        max_tokens=LONGEST if settings.max_tokens is None else settings.max_tokens,
        call_id=CallId(slot.id, "simulate", step=STAGE),
        example_answer=lambda: "That depends on what you are after. " * 6,
    )
    given = [
        model.name,
        wire(request.messages),
        request.temperature,
        request.seed,
        request.max_tokens,
    ]

    async def ask() -> Asked:
        return await answered(model, request)

    return await steps.take(STAGE, of, given, ask)


def rephrase_asker(model: Model, settings: JudgeSettings) -> Asker:
    """What asks the prompt; a user's own file of its name comes first."""
    return Asker(model, settings, HOME, "simulate")


async def rephrased(slot: Continuation, asker: Asker, steps: Steps) -> Step:
    """The reference in other words; one that comes back as it was is asked for again.

    Source: UPHELD, section 3.1, whose rephrasing is by GPT-4o. Its prompt is unpublished; ours is
    `simulate-rephrase`.
    """
    said = slot.references[0]
    turns = (Turn("assistant", said),)

    def read(value: Mapping[str, Any]) -> Mapping[str, Any]:
        text = value["message"].strip()
        if not text:
            raise AnswerError("the message is empty")
        if " ".join(text.split()) == " ".join(said.split()):
            raise AnswerError("the message is word for word the one that was given")
        return {"text": text}

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
