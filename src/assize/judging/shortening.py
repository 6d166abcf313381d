"""`--truncate oldest`: what is too long for the model, without its oldest turns."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from assize.base.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.base.errors import TooLongError
from assize.judging.judge import JudgeSettings
from assize.judging.tools import call_length, text_length

T = TypeVar("T")

LEFT_OUT = "left_out_turns"  # under which `details` of a judgment tell how many

_UNKNOWN = 0.7  # share kept where the model did not say how much is too much
_CAUTION = 0.95


async def ask_shortened(
    item: Item, ask: Callable[[Any], Awaitable[T]], settings: JudgeSettings
) -> tuple[T, int]:
    """Ask about an item, without its oldest turns where it is too long and that is wanted.

    Returns:
        What `ask` returns, and how many turns were left out.

    Raises:
        TooLongError: nothing can be left out, or is to be.
    """
    left_out = 0
    while True:
        try:
            return await ask(item), left_out
        except TooLongError as error:
            shorter = None
            if settings.truncate is not None:
                shorter = shorten(item, error.limit, error.needed)
            if shorter is None:
                raise
            item, count = shorter
            left_out += count


def shorten(item: Item, limit: int | None, needed: int | None) -> tuple[Item, int] | None:
    """The item without its oldest turns, and how many; None where nothing is left to leave out.

    A pair loses turns of its context; two whole dialogues lose theirs together. What is judged
    stays, and what it answers: the last user turn with all that follows it, both responses, and
    a continuation's candidate. Where these are too long by themselves, nothing is left out.
    """
    share = _UNKNOWN
    if limit is not None and needed is not None and limit < needed:
        share = _CAUTION * limit / needed
    if isinstance(item, Conversation):
        turns, count = _without_oldest(item.turns, share, kept=_kept(item.turns, least=1))
        return (replace(item, turns=turns), count) if count else None
    if isinstance(item, Pair) and not item.context:
        return _both(item, share)
    kept = _kept(item.context, least=0)
    turns, count = _without_oldest(item.context, share, kept=kept, beside=_beside(item))
    return (replace(item, context=turns), count) if count else None


def _kept(turns: Sequence[Turn], *, least: int) -> int:
    """How many turns stay at the end: the last user turn and all that follows it."""
    users = [index for index, turn in enumerate(turns) if turn.role == "user"]
    return max(least, len(turns) - users[-1] if users else 0)


def _beside(item: Pair | Continuation) -> int:
    """Characters that stay whatever of the context is left out."""
    if isinstance(item, Pair):
        return _length(item.a) + _length(item.b)
    return len(item.candidate) + sum(map(len, item.references))


def _length(turns: Sequence[Turn]) -> int:
    return sum(
        text_length(turn) + call_length(turn) + sum(len(source.text) for source in turn.references)
        for turn in turns
    )


def _without_oldest(
    turns: tuple[Turn, ...], share: float, *, kept: int, beside: int = 0
) -> tuple[tuple[Turn, ...], int]:
    allowed = share * (_length(turns) + beside) - beside
    count = 0
    while len(turns) - count > kept and (count == 0 or _length(turns[count:]) > allowed):
        count += 1
    return turns[count:], count


def _both(pair: Pair, share: float) -> tuple[Pair, int] | None:
    allowed = share * (_length(pair.a) + _length(pair.b))
    most = min(len(side) - _kept(side, least=1) for side in (pair.a, pair.b))
    count = 0
    while count < most and (
        count == 0 or _length(pair.a[count:]) + _length(pair.b[count:]) > allowed
    ):
        count += 1
    return (replace(pair, a=pair.a[count:], b=pair.b[count:]), 2 * count) if count else None
