"""A question asked until its answer can be read: what every prompt of the package goes through."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assize.base.errors import AnswerError, AuthenticationError, ModelError, TooLongError
from assize.base.judgment import Unscored, Usage
from assize.judging.reasons import reason_of
from assize.models import Message, Model, Reply, Request

_KEPT_RAW = 20_000

JSON = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a question: an answer, or why there is none.

    Args:
        answer: as it was read; None where there is none.
        unscored: why there is none.
        usage: of all replies together.
        attempts: how many replies there were.
        raw: the last reply, where it was not readable, cut to what is worth keeping.
        error: of the model, where that is why.
        replies: what the model said, in order.
    """

    answer: JSON | None
    unscored: Unscored | None = None
    usage: Usage = field(default_factory=Usage)
    attempts: int = 0
    raw: str | None = None
    error: ModelError | None = None
    replies: tuple[Reply, ...] = ()


def _unanswered(
    reason: str, message: str, replies: Sequence[Reply], error: ModelError | None = None
) -> Asked:
    """What comes of a question without an answer, its replies counted."""
    usage = total([reply.usage for reply in replies]) if replies else Usage()
    raw = replies[-1].text[:_KEPT_RAW] or None if replies else None
    return Asked(None, Unscored(reason, message), usage, len(replies), raw, error, tuple(replies))


async def ask_until_read(
    model: Model, first: Request, read: Callable[[str], JSON], tries: int
) -> Asked:
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
            return _unanswered(reason_of(error), str(error), replies, error)
        replies.append(reply)
        if reply.finish == "refused":
            return _unanswered("refused", "the model or its content filter declined", replies)
        try:
            answer = read(reply.text)
        except AnswerError as error:
            if len(replies) >= tries:
                message = f"no readable answer in {len(replies)} tries: {error}"
                return _unanswered("parse", message, replies)
            request = _retry(first, reply, str(error), len(replies) + 1)
        else:
            usage = total([reply.usage for reply in replies])
            return Asked(answer, None, usage, len(replies), replies=tuple(replies))


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
