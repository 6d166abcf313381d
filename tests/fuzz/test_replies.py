"""Mutated replies of servers: each is a reply or an error of ours, and nothing else.

A reply that is read is stored in the cache, so what could not be read back, or counted, must not
pass.
"""

from __future__ import annotations

import copy
import json
import math
import os
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hostile_server import HostileServer, call
from tests.fuzz.fuzzing import CORPUS, fuzz, places, tries

from assize.base.errors import ModelError
from assize.models.anthropic import AnthropicModel
from assize.models.anthropic import connect as connect_anthropic
from assize.models.model import Message, Reply, Request, from_value, to_text
from assize.models.openai import OpenAIModel
from assize.models.openai_connection import connect
from assize.models.reward_http import read_reward

REPLIES = CORPUS / "replies.jsonl"
REQUEST = Request((Message("user", "Which?"),), top_logprobs=2)
CHAT = {
    "model": "m",
    "choices": [
        {
            "message": {"role": "assistant", "content": '{"answer": "A"}', "refusal": None},
            "finish_reason": "stop",
            "logprobs": {
                "content": [
                    {"token": "A", "logprob": -0.1, "top_logprobs": [{"token": "B", "logprob": -3}]}
                ]
            },
        }
    ],
    "usage": {"prompt_tokens": 10, "completion_tokens": 5},
}
MESSAGE = {
    "model": "m",
    "content": [{"type": "text", "text": "A"}, {"type": "tool_use", "input": {"answer": "A"}}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 10, "output_tokens": 5},
}
DEEP: Any = []
for _ in range(400):
    DEEP = [DEEP]
ODD: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1e308,
    math.inf,
    -math.inf,
    math.nan,
    10**400,
    "",
    "x",
    "1e999",
    "\ud800",
    [],
    {},
    [[]],
    {"": {}},
    DEEP,
    "A" * 100_000,
]


def mutated(value: Any, rng: random.Random) -> Any:
    """The value with one to three places made odd, taken away, or doubled."""
    found = copy.deepcopy(value)
    for _ in range(rng.randint(1, 3)):
        left = list(places(found))
        if not left:
            return found
        holder, last = rng.choice(left)
        how = rng.random()
        if how < 0.2:
            del holder[last]
        elif how < 0.3 and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[last]))
        else:
            holder[last] = copy.deepcopy(rng.choice(ODD))
    return found


def openai() -> Callable[[Any], Reply]:
    model = OpenAIModel("m", connect("http://127.0.0.1:9/v1", timeout=1))
    return lambda body: model.read(body, REQUEST)


def anthropic() -> Callable[[Any], Reply]:
    pytest.importorskip("anthropic")
    os.environ.setdefault("ANTHROPIC_API_KEY", "none")
    model = AnthropicModel("m", connect_anthropic(timeout=1))
    return lambda body: model.read(body, REQUEST)


def kept(reply: Reply) -> None:
    """A reply can be stored, read back, counted and weighed."""
    again = from_value(json.loads(to_text(reply)), free=True)
    assert again.text == reply.text
    assert reply.usage.input_tokens >= 0
    assert reply.usage.output_tokens >= 0
    for token in reply.tokens:
        assert math.exp(token.logprob) >= 0
        assert all(math.exp(weight) >= 0 for _, weight in token.top)


@pytest.mark.parametrize(("read", "whole"), [(openai, CHAT), (anthropic, MESSAGE)])
def test_a_mutated_reply_is_a_reply_or_an_error_of_ours(
    read: Callable[[], Callable[[Any], Reply]], whole: Any
) -> None:
    take, rng = read(), random.Random(0)
    replies = (mutated(whole, rng) for _ in range(tries(3000)))
    assert fuzz(f"replies, {read.__name__}", replies, lambda body: kept(take(body))).mixed


@pytest.mark.parametrize("line", REPLIES.read_text().splitlines())
def test_replies_that_once_broke_a_run_are_errors_of_ours(line: str) -> None:
    with pytest.raises(ModelError):
        openai()(json.loads(line))


@pytest.mark.parametrize(
    "said",
    [
        "NaN",
        "1e999",
        "[[[1]]]",
        str(10**400),
        '{"score": {}}',
        "[" * 100_000,
        "[" * 970 + "1" + "]" * 970,  # read by the parser, too deep for a function of ours
        "",
        "tru",
    ],
)
def test_a_reward_is_a_finite_number_or_an_error_of_ours(said: str) -> None:
    with suppress(ModelError):
        assert math.isfinite(float(read_reward(said, "reward").text))


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_brackets_without_end_are_an_error_of_ours(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.setenv(name, "")  # which the call sets, and the test takes back
    with HostileServer("brackets") as server:
        ask = call(provider, server.url, 5)
        with pytest.raises(ModelError, match="answered no JSON"):
            ask()
