"""What of an item is scored: whole conversations, single turns, both sides of a pair.

A view is a run of turns that is scored as one. Items are read a batch at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from assize.base.conversation import Continuation, Conversation, Item, Turn
from assize.base.judgment import Unscored

Level = Literal["conversation", "turn"]

BATCH_ITEMS = 256
BATCH_SIZE = 250_000  # characters, and `TURN_SIZE` for each turn
TURN_SIZE = 200
EXCHANGE = 2  # turns in the view of a single turn: the user's turn and the answer to it


@dataclass(frozen=True, slots=True)
class View:
    """A run of spoken turns, ending with the assistant."""

    turns: tuple[Turn, ...]  # user and assistant turns that hold text
    level: Level  # whether the whole conversation is judged, or its last turn
    response: tuple[Turn, ...] = ()  # those that are judged, where the others are their context

    @property
    def judged(self) -> tuple[Turn, ...]:
        """The assistant's turns that the score is about."""
        turns = self.response if self.response else self.turns
        return tuple(turn for turn in turns if turn.role == "assistant")


def whole(turns: Iterable[Turn]) -> View | Unscored:
    """The view of a whole conversation, or why there is none."""
    kept = tuple(turns)
    spoken = _spoken(kept)
    if any(turn.role == "assistant" for turn in spoken):
        return View(spoken, "conversation")
    if not kept:
        return Unscored("empty", "the conversation has no turns")
    if any(turn.role == "assistant" for turn in kept):
        return Unscored("empty", "no assistant turn holds any text")
    return Unscored("no_assistant", "the conversation has no assistant turn")


def last_turn(turns: Sequence[Turn]) -> View | Unscored:
    """The view of the last turn in the light of the user's turn before it."""
    if not turns or turns[-1].role != "assistant":
        return Unscored("no_assistant", "the response is not an assistant turn")
    if not turns[-1].text.strip():
        return Unscored("empty", "the assistant turn holds no text")
    return View(_spoken(turns)[-EXCHANGE:], "turn", (turns[-1],))


def main_views(item: Item) -> tuple[View | Unscored, ...]:
    """One view of a conversation or a continuation, two of a pair (A, then B)."""
    if isinstance(item, Conversation):
        return (whole(item.turns),)
    if isinstance(item, Continuation):
        return (last_turn((*item.context, Turn("assistant", item.candidate))),)
    return (_side(item.context, item.a), _side(item.context, item.b))


def _side(context: Sequence[Turn], said: Sequence[Turn]) -> View | Unscored:
    """The whole conversation with one side's turns, which themselves must hold something."""
    own = whole(said)
    if isinstance(own, Unscored):
        return own
    return View(_spoken((*context, *said)), "conversation", own.turns)


def turn_views(conversation: Conversation) -> Iterator[tuple[int, View | Unscored]]:
    """(place, view) of every assistant turn; turns count from 0 over all turns.

    A turn that calls a tool and says nothing is passed over.
    """
    for place, turn in enumerate(conversation.turns):
        if turn.role == "assistant" and not only_calls(turn):
            start = _exchange_start(conversation.turns, place)
            yield place, last_turn(conversation.turns[start : place + 1])


def _exchange_start(turns: Sequence[Turn], place: int) -> int:
    """Where the last `EXCHANGE` spoken turns up to `place` begin."""
    left = EXCHANGE
    for start in range(place, -1, -1):
        left -= _counts(turns[start])
        if left <= 0:
            return start
    return 0


def _spoken(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    return tuple(turn for turn in turns if _counts(turn))


def spoken_at(turns: Sequence[Turn]) -> list[int]:
    """Places of the turns that count: by user or assistant, and with text."""
    return [place for place, turn in enumerate(turns) if _counts(turn)]


def only_calls(turn: Turn) -> bool:
    """Whether a turn calls tools and says nothing."""
    return bool(turn.tool_calls) and not turn.text.strip()


def turns_of(item: Item) -> tuple[Turn, ...]:
    """All turns of an item: of a pair those of its context and of both sides."""
    if isinstance(item, Conversation):
        return item.turns
    if isinstance(item, Continuation):
        return (*item.context, Turn("assistant", item.candidate))
    return (*item.context, *item.a, *item.b)


def unread_turns(item: Item) -> Counter[str]:
    """How many turns of an item are `results` of tools, and how many are only `calls` of them."""
    return Counter(
        "results" if turn.role == "tool" else "calls"
        for turn in turns_of(item)
        if turn.role == "tool" or only_calls(turn)
    )


def _counts(turn: Turn) -> bool:
    return turn.role in ("user", "assistant") and bool(turn.text.strip())


def size(item: Item) -> int:
    """How much of a batch an item takes up: its characters, and something for each turn."""
    return sum(len(turn.text) + TURN_SIZE for turn in turns_of(item))


def batched(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Runs of items, bounded in number and in size, in their order."""
    batch: list[Item] = []
    total = 0
    for item in items:
        batch.append(item)
        total += size(item)
        if len(batch) == BATCH_ITEMS or total >= BATCH_SIZE:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch
