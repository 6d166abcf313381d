"""What calls there would be."""

from __future__ import annotations

import asyncio

import pytest

from assize.judging.schemas import preference, record, words
from assize.models import Price, Request, messages
from assize.models.estimating import DryRunModel, answer_tokens

ASK = Request(messages(("user", "x" * 400)), schema=record(answer=preference()), max_tokens=64)


def test_each_different_request_is_counted_once_with_its_price() -> None:
    model = DryRunModel("openai:m", "id", frozenset(), Price(1e6, 0.0), None)
    for request in (ASK, ASK, Request(messages(("user", "y")), schema=ASK.schema)):
        asyncio.run(model.ask(request))
    found = model.estimate
    assert (found.calls, found.cached) == (2, 1)
    assert found.cost_usd == pytest.approx(found.input_tokens)


def test_without_the_cache_the_same_request_is_paid_for_again() -> None:
    model = DryRunModel("openai:m", "id", frozenset(), None, None, once=False)
    for _ in range(2):
        asyncio.run(model.ask(ASK))
    assert (model.estimate.calls, model.estimate.cached) == (2, 0)


def test_without_a_price_the_cost_is_unknown() -> None:
    model = DryRunModel("openai:m", "id", frozenset(), None, None)
    assert asyncio.run(model.ask(ASK)).text == '{"answer": "A"}'
    assert model.estimate.cost_usd is None


def test_reasons_take_more_tokens_than_an_answer_and_never_more_than_allowed() -> None:
    long = Request((), schema=record(explanation=words(), answer=preference()), max_tokens=1000)
    assert answer_tokens(ASK) < answer_tokens(long) <= 1000
    assert answer_tokens(Request((), schema=long.schema, max_tokens=20)) == 20
