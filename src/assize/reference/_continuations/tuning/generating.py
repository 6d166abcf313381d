"""What a model says in each place: candidates for continuations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assize.base.conversation import Continuation
from assize.base.errors import AuthenticationError, ModelError
from assize.base.judgment import Unscored
from assize.judging.reasons import reason_of
from assize.models import CallId, Message, Model, Reply, Request
from assize.reference._continuations.context import context_key

UNSCORED = "unscored"  # in the metadata of a continuation that a model said nothing in
CUT_OFF = "cut_off"  # in that of one whose answer reached the most tokens


@dataclass(frozen=True, slots=True)
class Generating:
    """How candidates are generated.

    Args:
        max_tokens: longest answer, in tokens.
        temperature: 0 to 2; 0 says what is most probable.
        seed: for models that take one.
    """

    max_tokens: int = 256
    temperature: float = 0.0
    seed: int = 0


def places(continuations: Sequence[Continuation]) -> list[Continuation]:
    """Each place once, without candidates, with all of its references.

    A place is a context in a conversation; what has no context or no reference is none.
    """
    found: dict[tuple[str | None, str], Continuation] = {}
    for one in continuations:
        said = [text for text in one.references if text.strip()]
        if not one.context or not said:
            continue
        key = one.conversation, context_key(one.context)
        known = found.get(key, replace(one, candidate="", source=None, references=()))
        found[key] = replace(known, references=tuple(dict.fromkeys([*known.references, *said])))
    return list(found.values())


async def generate(
    slots: Sequence[Continuation],
    model: Model,
    source: str,
    how: Generating,
    done: Callable[[], object] = lambda: None,
) -> list[Continuation]:
    """The slots with what the model says there, in their order.

    The model is shown the context as its own conversation, without a word of ours. Where it
    fails or refuses, or where a context holds what no message can (a tool's turn), the
    candidate is empty, which every metric leaves unscored, and `metadata["unscored"]` holds
    the reason.

    Raises:
        AuthenticationError: the model cannot be asked at all.
    """

    async def one(slot: Continuation) -> Continuation:
        found = await _asked(slot, model, how)
        done()
        more: dict[str, Any] = {}
        if isinstance(found, Unscored):
            more = {UNSCORED: {"reason": found.reason, "message": found.message}}
        elif found.finish == "length":
            more = {CUT_OFF: True}
        text = "" if isinstance(found, Unscored) else found.text.strip()
        return replace(
            slot,
            id=f"{slot.id}/{source}",
            candidate=text,
            source=source,
            metadata={**slot.metadata, **more},
        )

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(slot)) for slot in slots]
    except ExceptionGroup as several:
        raise several.exceptions[0] from several
    return [task.result() for task in tasks]


async def _asked(slot: Continuation, model: Model, how: Generating) -> Reply | Unscored:
    """What the model says, or why it says nothing."""
    said: list[Message] = []
    for turn in slot.context:
        if turn.role == "tool":
            return Unscored("tool", "the context holds a tool's turn")
        said.append(Message(turn.role, turn.text))
    request = Request(
        tuple(said),
        temperature=how.temperature,
        seed=how.seed,
        max_tokens=how.max_tokens,
        call_id=CallId(slot.id, "candidate"),
    )
    try:
        reply = await model.ask(request)
    except AuthenticationError:
        raise
    except ModelError as error:
        return Unscored(reason_of(error), str(error))
    if reply.finish == "refused":
        return Unscored("refused", "the model or its content filter declined")
    return reply if reply.text.strip() else Unscored("empty", "the model said nothing")
