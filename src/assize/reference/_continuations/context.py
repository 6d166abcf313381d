"""When two contexts are the same: what was said, by which role, blanks at the ends aside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assize.base.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.base.signature import json_hash
from assize.formats.research.upheld import conversations

SPEAKERS = ("user", "assistant")


def context_key(turns: Iterable[Turn]) -> str:
    """A hash of what was said; the same for contexts that differ in nothing a reader sees.

    >>> context_key([Turn("user", "Hi ")]) == context_key([Turn("user", "Hi")])
    True
    """
    return json_hash([(turn.role, turn.text.strip()) for turn in turns], digits=16)


def conversation_names(items: Sequence[Item]) -> list[str]:
    """What conversation each item is of (N,): as it says, else by its context.

    Continuations that name none belong together where one's context begins another's (see
    `formats.research.prefixes`). A pair is of the conversation in its metadata, a text or a
    number under `conversation`, else of its context; a pair of whole dialogues stands alone.
    """
    nameless = [one for one in items if isinstance(one, Continuation) and one.conversation is None]
    histories = [[(turn.role, turn.text.strip()) for turn in one.context] for one in nameless]
    inferred = dict(
        zip(
            map(id, nameless),
            conversations(histories, "context"),
            strict=True,
        )
    )
    return [inferred.get(id(one)) or _named(one) for one in items]


def _named(item: Item) -> str:
    if isinstance(item, Pair):
        return pair_conversation(item)
    return item.id if isinstance(item, Conversation) else str(item.conversation)


def pair_conversation(pair: Pair) -> str:
    """The conversation that a pair's responses continue."""
    said = pair.metadata.get("conversation")
    if isinstance(said, str | int) and not isinstance(said, bool) and said != "":
        return str(said)
    return f"context-{context_key(pair.context)}" if pair.context else pair.id


def turn_of(item: Continuation) -> int:
    """The turn that a continuation stands at; where it names none, as many as its context has."""
    return len(item.context) if item.turn is None else item.turn


def place_of(item: Continuation) -> tuple[str, int]:
    """Conversation and turn; the context where no conversation is named."""
    named = context_key(item.context) if item.conversation is None else item.conversation
    return named, turn_of(item)
