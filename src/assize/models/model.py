"""What a language model is here: messages in, one reply out, and nothing else.

    Request ──► Model.ask ──► Reply

A provider implements `Model` in one file. The cache, the limits, the budget and the
recorder implement it too, each around another model, so that they compose.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from assize.judgment import Usage
from assize.secrets import redacted

MessageRole = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "refused"]
Gift = Literal["logprobs", "scores"]

JSON = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation with the model."""

    role: MessageRole
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """Which answer a request is for: what recorded answers are found by."""

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
        messages: what is said, oldest first.
        schema: a JSON schema that the answer must follow, where the model can.
        temperature: None leaves it to the model.
        seed: for models that take one.
        max_tokens: longest answer.
        top_logprobs: how many alternatives of each token to report; 0 for none.
        choices: the answers to score exactly, by models that can; () for none.
        frame: what stands before and after a choice in the whole answer.
        sample: tells apart independent answers to the same messages.
        boundary: the secret mark that fences judged text inside the messages. It is
            left out of the cache key, for it differs from one installation to another.
        place: which answer this is, for recording and replaying; not part of the key.
        likely: makes an answer as it could be, for estimates, where the schema does not tell its
            length; not part of the key.
    """

    messages: tuple[Message, ...]
    schema: JSON | None = None
    temperature: float | None = 0.0
    seed: int | None = None
    max_tokens: int = 1024
    top_logprobs: int = 0
    choices: tuple[str, ...] = ()
    frame: tuple[str, str] = ("", "")
    sample: int = 0
    boundary: str | None = None
    place: Place | None = None
    likely: Callable[[], str] | None = field(default=None, compare=False)

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
        scores: log-probability of each of the request's choices, given the text before
            it, when they were scored.
        usage: tokens in and out, and the price where it is known.
        model: the name under which the server answered.
        without: parameters that the model refused and that were left out.
    """

    text: str
    finish: Finish = "stop"
    tokens: tuple[Token, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    without: tuple[str, ...] = ()


class Model(Protocol):
    """A language model, or something around one.

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
    def gives(self) -> frozenset[Gift]:
        """Whether replies carry `logprobs`, or `scores` of whole choices."""
        ...

    async def ask(self, request: Request) -> Reply:
        """The model's answer; raises a ModelError where there is none."""
        ...

    async def aclose(self) -> None:
        """Frees connections and memory."""
        ...


class Around:
    """The base of what stands around a model, and changes only how it is asked."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """As of the model inside."""
        return self._model.name

    @property
    def identity(self) -> str:
        """As of the model inside."""
        return self._model.identity

    @property
    def gives(self) -> frozenset[Gift]:
        """As of the model inside."""
        return self._model.gives

    async def aclose(self) -> None:
        """Closes the model inside; a cache or a budget belongs to whoever opened it."""
        await self._model.aclose()


def messages(*said: tuple[MessageRole, str]) -> tuple[Message, ...]:
    """Messages from (role, text).

    >>> messages(("user", "Hi"))[0].text
    'Hi'
    """
    return tuple(Message(role, text) for role, text in said)


def wire(said: Sequence[Message]) -> list[dict[str, str]]:
    """Messages as the chat protocols spell them."""
    return [{"role": message.role, "content": message.text} for message in said]


def to_text(reply: Reply) -> str:
    """A reply as one short JSON text: what the cache and recordings hold."""
    tokens = [(token.text, token.logprob, token.top) for token in reply.tokens]
    value: dict[str, Any] = {"text": reply.text, "finish": reply.finish, "model": reply.model}
    value["usage"] = (reply.usage.input_tokens, reply.usage.output_tokens)
    if tokens:
        value["tokens"] = tokens
    if reply.scores:
        value["scores"] = dict(reply.scores)
    if reply.without:
        value["without"] = reply.without
    return redacted(json.dumps(value, separators=(",", ":")))


def from_text(text: str) -> Reply:
    """The inverse of `to_text`; the price is not stored, for prices change."""
    return from_value(json.loads(text))


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
        value.get("scores", {}),
        Usage(spent[0], spent[1], 0.0, True) if free else Usage(spent[0], spent[1]),
        value.get("model", ""),
        tuple(value.get("without", ())),
    )
