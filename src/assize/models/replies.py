"""Replies as JSON: what the cache and recordings hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assize.judgment import Usage
from assize.models.model import Reply, Token


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
    return json.dumps(value, separators=(",", ":"))


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
