"""A question asked until its answer can be read: what every prompt of the package goes through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from assize.errors import AnswerError, AuthenticationError, ModelError, TooLongError
from assize.judging.reasons import reason_of
from assize.judgment import Unscored, Usage
from assize.models import Message, Model, Reply, Request

_KEPT_RAW = 20_000

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Answer(Generic[Value]):
    """What was read of the last of these replies."""

    value: Value
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Why nothing could be read, what the model had said before, and its error, if it was one."""

    unscored: Unscored
    replies: tuple[Reply, ...]
    error: ModelError | None = None


async def ask_until_read(
    model: Model, first: Request, read: Callable[[str], Value], tries: int
) -> Answer[Value] | NoAnswer:
    """Asks, and again with the complaint where `read` raises AnswerError, `tries` times in all.

    Raises:
        TooLongError: the model takes no text of that length.
        AuthenticationError: the model cannot be asked at all.
    """
    request = first
    replies: list[Reply] = []
    while True:
        try:
            reply = await model.ask(request)
        except (AuthenticationError, TooLongError):
            raise
        except ModelError as error:
            return NoAnswer(Unscored(reason_of(error), str(error)), tuple(replies), error)
        replies.append(reply)
        if reply.finish == "refused":
            reason = Unscored("refused", "the model or its content filter declined")
            return NoAnswer(reason, tuple(replies))
        try:
            return Answer(read(reply.text), tuple(replies))
        except AnswerError as error:
            if len(replies) >= tries:
                message = f"no readable answer in {len(replies)} tries: {error}"
                return NoAnswer(Unscored("parse", message), tuple(replies))
            request = _retry(first, reply, str(error), len(replies) + 1)


def _retry(first: Request, reply: Reply, problem: str, attempt: int) -> Request:
    """The request after an answer of the wrong shape: what was wrong, and more room."""
    room = first.max_tokens * (4 if reply.finish == "length" else 1)
    alone = "" if first.schema is None else " with nothing but one JSON object"
    complaint = f"That answer cannot be read: {problem}. Answer again{alone} in the form asked for."
    if reply.finish == "length":
        complaint += " Be brief: the answer was cut off."
    said = (Message("assistant", reply.text or "(nothing)"), Message("user", complaint))
    return replace(
        first,
        messages=first.messages + said,
        choices=(),
        max_tokens=room,
        sample=first.sample + 1_000 * (attempt - 1),
        seed=None if first.seed is None else first.seed + 1_000 * (attempt - 1),
        call_id=None if first.call_id is None else replace(first.call_id, attempt=attempt),
    )


def total(used: Sequence[Usage]) -> Usage:
    """What all calls for one answer used; cached only when every one was."""
    known = [one.cost_usd for one in used if one.cost_usd is not None]
    return Usage(
        sum(one.input_tokens for one in used),
        sum(one.output_tokens for one in used),
        sum(known) if len(known) == len(used) else None,
        all(one.cached for one in used),
    )


def last_said(replies: Sequence[Reply]) -> str | None:
    """The text of the last reply, cut to what is worth keeping; None where it has none."""
    return replies[-1].text[:_KEPT_RAW] if replies and replies[-1].text else None
