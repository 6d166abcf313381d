"""What a language model is here: messages in, one reply out, and nothing else.

    Request ──► Model.ask ──► Reply

A provider implements `Model` in one file. `Client` implements it too: a provider's model as a
session asks it, with cache, limits, budget and recorder.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from assize.base.judgment import Usage
from assize.base.secrets import redacted

MessageRole = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "refused"]
Capability = Literal["logprobs"]

JSON = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation with the model."""

    role: MessageRole
    text: str


@dataclass(frozen=True, slots=True)
class CallId:
    """Which answer a request is for: recorded answers are found by it."""

    item: str
    judge: str
    order: str | None = None
    repeat: int = 0
    step: str = ""  # tells apart the calls of a judge that asks several
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model.

    Args:
        messages: oldest first.
        schema: a JSON schema that the answer must follow, where the model can.
        temperature: None leaves it to the model.
        seed: for models that take one.
        max_tokens: longest answer.
        top_logprobs: how many alternatives of each token to report; 0 for none.
        sample: tells apart independent answers to the same messages.
        boundary: the secret mark that fences judged text inside the messages. It is
            left out of the cache key, for it differs from one installation to another.
        call_id: which answer this is, for recording and replaying; not part of the key.
        example_answer: makes an answer as it could be, for estimates, where the schema does not
            tell its length; not part of the key.
    """

    messages: tuple[Message, ...]
    schema: JSON | None = None
    temperature: float | None = 0.0
    seed: int | None = None
    max_tokens: int = 1024
    top_logprobs: int = 0
    sample: int = 0
    boundary: str | None = None
    call_id: CallId | None = None
    example_answer: Callable[[], str] | None = field(default=None, compare=False)

    @property
    def characters(self) -> int:
        """Length of all messages together."""
        return sum(len(message.text) for message in self.messages)


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an answer, and the alternatives the model weighed, as (text, log p)."""

    text: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


def token_count(value: Any) -> int:
    """A number of tokens as a server states it, 0 where it states none.

    Raises:
        ValueError: it is no number of tokens.
    """
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
        raise ValueError(f"{value!r:.40} is no number of tokens")
    return int(value)


def log_probability(value: Any) -> float:
    """A log-probability as a server states it.

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not value <= 1e-3:
        raise ValueError(f"{value!r:.40} is no log-probability")  # NaN too
    return float(value)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Args:
        text: as it came; empty where it refused.
        finish: `length` when it was cut off, `refused` when the model or a content
            filter declined.
        tokens: with their alternatives, when they were asked for and given.
        usage: tokens in and out, and the price where it is known.
        model: the name under which the server answered.
        dropped_parameters: what the model refused and was left out of the request.
    """

    text: str
    finish: Finish = "stop"
    tokens: tuple[Token, ...] = ()
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    dropped_parameters: tuple[str, ...] = ()


Stream = AsyncGenerator[str | Reply, None]
"""Pieces of text, which together are the reply's text, and then the reply."""


class Model(Protocol):
    """A language model: of a provider, or the client that a session asks.

    `name` is what users write, such as `openai:gpt-4o`. `identity` also tells apart
    two models of the same name (by endpoint, by the files' hash): it enters the cache
    key. Neither ever holds a key, a header or an organisation.
    """

    @property
    def name(self) -> str:
        """What users write: `provider:name`."""
        ...

    @property
    def identity(self) -> str:
        """What the cache knows the model by."""
        ...

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Whether replies carry `logprobs`."""
        ...

    async def ask(self, request: Request) -> Reply:
        """The model's answer; raises a ModelError where there is none."""
        ...

    async def aclose(self) -> None:
        """Frees connections and memory."""
        ...


@runtime_checkable
class StreamingModel(Model, Protocol):
    """A model that gives its answer while it is being written."""

    def stream(self, request: Request) -> Stream:
        """Pieces of the answer, then the whole reply; raises a ModelError where it breaks off."""
        ...


async def stream(model: Model, request: Request) -> Stream:
    """A model's answer in pieces of text, and then the whole reply.

        async with aclosing(stream(model, request)) as parts:
            async for part in parts:
                ...                      # a str, then at last a Reply

    `openai:` and `scripted:` models stream; any other gives its reply as one piece. Close the
    stream to give the answer up: what was written so far may have been charged.

    Raises:
        ModelError: there is no answer, or it broke off; pieces before it stand.
    """
    if not isinstance(model, StreamingModel):
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


def messages(*turns: tuple[MessageRole, str]) -> tuple[Message, ...]:
    """Make messages of (role, text).

    >>> messages(("user", "Hi"))[0].text
    'Hi'
    """
    return tuple(Message(role, text) for role, text in turns)


def wire(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Messages as the chat protocols spell them."""
    return [{"role": message.role, "content": message.text} for message in messages]


def to_text(reply: Reply) -> str:
    """A reply as one short JSON text: what the cache and recordings hold."""
    tokens = [(token.text, token.logprob, token.top) for token in reply.tokens]
    value: dict[str, Any] = {"text": reply.text, "finish": reply.finish, "model": reply.model}
    value["usage"] = (reply.usage.input_tokens, reply.usage.output_tokens)
    if tokens:
        value["tokens"] = tokens
    if reply.dropped_parameters:
        value["dropped_parameters"] = reply.dropped_parameters
    return redacted(json.dumps(value, separators=(",", ":")))


def from_value(value: Mapping[str, Any], *, free: bool = False) -> Reply:
    """A reply from the object that `to_text` writes; `free` where it was paid for before."""
    tokens = tuple(
        Token(piece, logprob, tuple(map(tuple, top)))
        for piece, logprob, top in value.get("tokens", ())
    )
    spent = value.get("usage", (0, 0))
    return Reply(
        value["text"],
        value.get("finish", "stop"),
        tokens,
        Usage(spent[0], spent[1], 0.0, True) if free else Usage(spent[0], spent[1]),
        value.get("model", ""),
        tuple(value.get("dropped_parameters", ())),
    )
