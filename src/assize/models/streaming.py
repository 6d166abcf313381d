"""Replies as they are written, for the web chat: pieces of text, and the whole reply at the end.

    async with aclosing(stream(model, request)) as parts:
        async for part in parts:
            ...                      # a str, then at last a Reply

`openai:` and `scripted:` models stream, and limits and budget around them; any other model gives
its reply as one piece.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Protocol, runtime_checkable

from assize.models.model import Model, Reply, Request
from assize.secrets import redacted, undecided

Stream = AsyncGenerator[str | Reply, None]
"""Pieces of text, which together are the reply's text, and then the reply."""


@runtime_checkable
class Streaming(Protocol):
    """A model that gives its answer while it is being written."""

    def stream(self, request: Request) -> Stream:
        """Pieces of the answer, then the whole reply; raises a ModelError where it breaks off."""
        ...


async def stream(model: Model, request: Request) -> Stream:
    """A model's answer in pieces, and then the whole reply with its usage and price.

    Around a model the same holds as for whole replies: a call keeps its place among those in
    flight and its money until the last piece; but once a piece was given nothing is asked again.
    A model with a cache, or one that is recorded, gives its reply as one piece. Close the stream to
    give the answer up: what was written so far may have been charged, and stays booked at its
    upper bound.

    Args:
        model: any model; one that does not stream gives its reply as one piece.
        request: what is asked.

    Raises:
        ModelError: there is no answer, or it broke off; pieces given before it stand.
    """
    if not isinstance(model, Streaming):
        async for part in in_one_piece(await model.ask(request)):
            yield part
        return
    async with aclosing(model.stream(request)) as parts:
        async for part in parts:
            yield part


async def in_one_piece(reply: Reply) -> Stream:
    """A whole reply as a stream."""
    if reply.text:
        yield reply.text
    yield reply


class Clear:
    """Text that arrives in pieces, handed on without secrets, also where a piece splits one."""

    def __init__(self) -> None:
        self._kept = ""

    def add(self, piece: str) -> str:
        """What can be handed on by now."""
        text = redacted(self._kept + piece)
        at = len(text) - undecided(text)
        self._kept = text[at:]
        return text[:at]

    def rest(self) -> str:
        """What was held back to the end."""
        text, self._kept = self._kept, ""
        return text
