"""`--dry-run`: what calls there would be, with their tokens and their price, without one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from assize.base.judgment import Usage
from assize.models.cache import Cache, key_of
from assize.models.model import Capability, Reply, Request, Token
from assize.models.scripted import example
from assize.models.spending import Price, estimated_tokens
from assize.results import Column

WORDS_TOKENS = 150  # what a free text in an answer is likely to take
CHARACTERS_A_TOKEN = 4


@dataclass(slots=True)
class Estimate:
    """Calls and tokens that a model would have; `cost_usd` is None where no price is known."""

    calls: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: Annotated[float | None, Column("US dollars", digits=4)] = None


class DryRunModel:
    """A stand-in for a client: it answers as the schema allows, and counts new requests.

    Args:
        logprobs: whether its answers carry log-probabilities, where they are asked for.
        once: whether the same request is answered from the cache the second time.
    """

    def __init__(
        self,
        name: str,
        identity: str,
        capabilities: frozenset[Capability],
        price: Price | None,
        cache: Cache | None,
        logprobs: bool = True,
        once: bool = True,
    ) -> None:
        self.name = name
        self.identity = identity
        self.capabilities = capabilities
        self._price = price
        self._cache = cache
        self._logprobs = logprobs
        self._once = once
        self._seen: set[bytes] = set()
        self.estimate = Estimate(cost_usd=None if price is None else 0.0)

    async def ask(self, request: Request) -> Reply:
        """An answer by the schema, or the stored one."""
        key = key_of(self.identity, request)
        stored = None if self._cache is None else self._cache.reply(key)
        if stored is not None or (self._once and key in self._seen):
            self.estimate.cached += 1
            return self._reply(request) if stored is None else stored
        self._seen.add(key)
        self._count(Usage(estimated_tokens(request), answer_tokens(request)))
        return self._reply(request)

    def _count(self, usage: Usage) -> None:
        estimate = self.estimate
        estimate.calls += 1
        estimate.input_tokens += usage.input_tokens
        estimate.output_tokens += usage.output_tokens
        if self._price is not None and estimate.cost_usd is not None:
            estimate.cost_usd += self._price.of(usage)

    def _reply(self, request: Request) -> Reply:
        if request.example_answer is not None:
            text = request.example_answer()
        else:
            text = json.dumps(example(request.schema or {}, lambda options: options[0]))
        weighed = request.top_logprobs and self._logprobs
        tokens = (Token(text, 0.0, ((text, 0.0),)),) if weighed else ()
        return Reply(text, tokens=tokens)  # where probabilities come no judge need sample them

    async def aclose(self) -> None:
        """Nothing to free."""


def answer_tokens(request: Request) -> int:
    """Tokens that an answer is likely to have, at most what the request allows."""
    if request.example_answer is not None:
        return min(
            request.max_tokens, len(request.example_answer()) // CHARACTERS_A_TOKEN + WORDS_TOKENS
        )
    if request.schema is None:
        return min(request.max_tokens, WORDS_TOKENS)
    value = example(request.schema, lambda options: options[0])
    return min(
        request.max_tokens, len(json.dumps(value)) // 3 + WORDS_TOKENS * _texts(request.schema)
    )


def _texts(schema: Mapping[str, Any]) -> int:
    """Free texts in a schema."""
    if schema.get("type") == "string":
        return int("enum" not in schema)
    inner = [*schema.get("properties", {}).values()]
    inner += [schema["items"]] if "items" in schema else []
    return sum(_texts(schema) for schema in inner)
