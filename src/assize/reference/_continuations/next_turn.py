"""What a model says next in a conversation, a step of a run that is asked once."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from assize.base.conversation import Continuation
from assize.base.judgment import Unscored
from assize.judging.boundary import sayable
from assize.judging.calls import reply_or_failure
from assize.judging.judge import JudgeSettings
from assize.judging.prompt_judge import Asked
from assize.judging.steps import Step, Steps
from assize.models import CallId, Message, Model, Request
from assize.models.model import wire

STAGE = "candidate"
LONGEST = 1024  # tokens of an answer


async def answered(model: Model, request: Request) -> Asked:
    """A model's answer as text; unscored where it fails, refuses, is empty or is cut off."""
    reply = await reply_or_failure(model, request)
    if isinstance(reply, Asked):
        return reply
    done, text = Asked(None, None, reply.usage, 1), reply.text.strip()
    whole = f"the answer reached {request.max_tokens} tokens and is not whole"
    problems = {
        Unscored("refused", "the model or its filter declined"): reply.finish == "refused",
        Unscored("empty", "the model said nothing"): not text,
        Unscored("cut_off", whole): reply.finish == "length",
    }
    problem = next((problem for problem, holds in problems.items() if holds), None)
    if problem is not None:
        return replace(done, unscored=problem)
    return replace(done, answer={"text": text})


async def continued(
    slot: Continuation,
    model: Model,
    steps: Steps,
    settings: JudgeSettings,
    temperature: float,
    sample: int = 0,
) -> Step:
    """What a model says next, shown the context as its own conversation and nothing of ours.

    Args:
        sample: number of the sample, which its seed is raised by.

    Source: UPHELD, section 3.1: the history up to a turn, the person's turn withheld. Its
    sampling settings are not said.
    """
    of = f"{slot.id} {model.name}" + (f" {sample}" if sample else "")
    if any(turn.role == "tool" for turn in slot.context):
        lost = Unscored("tool", "the context holds a tool's turn, which no message can hold")
        return Step(STAGE, of, "", unscored=lost)
    request = Request(
        tuple(
            Message(turn.role, sayable(turn.text, "keep"))
            for turn in slot.context
            if turn.role != "tool"
        ),
        temperature=temperature,
        seed=settings.seed + sample,
        max_tokens=LONGEST if settings.max_tokens is None else settings.max_tokens,
        sample=sample,
        call_id=CallId(slot.id, "simulate", repeat=sample, step=STAGE),
        example_answer=lambda: "That depends on what you are after. " * 6,
    )
    given = [
        model.name,
        wire(request.messages),
        request.temperature,
        request.seed,
        request.max_tokens,
    ]
    return await steps.take(STAGE, of, given, partial(answered, model, request))
