"""`scripted:NAME`: a function in place of a model; the fake that tests and dry runs use."""

from __future__ import annotations

import asyncio
import inspect
import json
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from math import ceil, floor
from typing import Any

from assize.base.errors import ConfigError
from assize.base.judgment import Usage
from assize.base.own_code import imported
from assize.base.signature import content_hash
from assize.models.model import Capability, Reply, Request, Stream
from assize.models.quoting import quoted
from assize.models.spending import estimated_tokens

Answer = str | Reply
Script = Callable[[Request], Answer | Awaitable[Answer] | AsyncIterator[str]]
_WORDS = re.compile(r"\s*\S+\s*")


class Scripted:
    """A model that answers what a function says.

    Args:
        script: takes the request; returns the text or a whole reply, or raises a
            ModelError; it may be async. One that yields texts decides on the pieces in which
            its answer is streamed; any other answer is streamed word by word.
        name: as users write it.
        capabilities: what its replies carry.

    >>> import asyncio
    >>> from assize.models.model import messages
    >>> model = Scripted(lambda request: request.messages[-1].text.upper())
    >>> asyncio.run(model.ask(Request(messages(("user", "hi"))))).text
    'HI'
    """

    def __init__(
        self,
        script: Script,
        *,
        name: str = "scripted:function",
        capabilities: frozenset[Capability] = frozenset(),
    ) -> None:
        self._script = script
        self.name = name
        self.identity = name
        self.capabilities = capabilities

    async def ask(self, request: Request) -> Reply:
        """What the function says; tokens are estimated from the length."""
        parts = [part async for part in self.stream(request)]
        assert isinstance(parts[-1], Reply)  # which ends every stream
        return parts[-1]

    async def stream(self, request: Request) -> Stream:
        """What the function says, piece by piece."""
        said, pieces = self._script(request), []
        if isinstance(said, AsyncIterator):
            async for piece in said:
                pieces.append(piece)
                yield piece
            yield self._reply("".join(pieces), request)
            return
        answer = await said if inspect.isawaitable(said) else said
        reply = answer if isinstance(answer, Reply) else self._reply(answer, request)
        for piece in _WORDS.findall(reply.text):
            yield piece
        yield reply

    def _reply(self, text: str, request: Request) -> Reply:
        usage = Usage(estimated_tokens(request), len(text) // 4 + 1)
        return Reply(text, usage=usage, model=self.name)

    async def aclose(self) -> None:
        """Nothing to free."""


def first(request: Request) -> str:
    """The first allowed answer everywhere."""
    return json.dumps(example(request.schema or {}, lambda options: options[0]))


def any_answer(request: Request) -> str:
    """An allowed answer drawn by the hash of the messages: different items differ."""
    said = "".join(message.text for message in request.messages).replace(
        request.boundary or "\0", ""
    )
    seed = bytes.fromhex(content_hash(f"{request.seed} {request.sample} {said}"))
    return json.dumps(example(request.schema or {}, random.Random(seed).choice))  # noqa: S311


async def quote(request: Request) -> str:
    """Sentences of the sources that the messages show, which fit the last one best; for demos."""
    await asyncio.sleep(0)
    return first(request) if request.schema is not None else quoted(request)


SCRIPTS: dict[str, Script] = {"first": first, "any": any_answer, "quote": quote}


def open_scripted(name: str, models: object = None) -> Scripted:
    """`first`, `any`, `quote`, or `module:function` with a function of the request."""
    if name in SCRIPTS:
        return Scripted(SCRIPTS[name], name=f"scripted:{name}")
    try:
        script = imported(name)
    except ConfigError as error:
        known = ", ".join(SCRIPTS)
        raise ConfigError(
            f"no script {name!r}; known are {known}, or module:function ({error})"
        ) from error
    return Scripted(script, name=f"scripted:{name}")


def example(schema: Mapping[str, Any], choose: Callable[[list[Any]], Any]) -> Any:
    """A value that follows a JSON schema (objects, arrays, enums, strings, numbers).

    >>> example({"type": "object", "properties": {"answer": {"enum": ["A", "B"]}}}, max)
    {'answer': 'B'}
    """
    if "enum" in schema:
        return choose(list(schema["enum"]))
    kind = schema.get("type", "object")
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: example(inner, choose) for name, inner in properties.items()}
    if kind == "array":
        count = max(1, schema.get("minItems", 1))
        return [example(schema.get("items", {"type": "string"}), choose) for _ in range(count)]
    if kind in ("integer", "number"):
        low, high = schema.get("minimum", 0), schema.get("maximum", 10)
        return choose(list(range(ceil(low), floor(high) + 1)) or [low])
    return "because" if kind == "string" else False
